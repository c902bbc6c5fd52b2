"""What docs/streams.md shows works as it stands there."""

import json
import re
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple
from urllib.request import Request, urlopen

import pytest
import uvicorn

from service.adapters.clock import SystemClock
from service.adapters.memory.store import MemoryStore
from service.bootstrap.service import create_app
from tests.contract.document import Json
from tests.contract.frames import frames_of
from tests.contract.running import SECRET, RepeatableShuffler
from tests.kit.board import fold, lasting

PAGE = (Path(__file__).parents[2] / "docs" / "streams.md").read_text()
BLOCKS = dict(re.findall(r"<!-- run by tests/contract/test_docs.py -->\n```(\w+)\n(.*?)```", PAGE, re.DOTALL))
Follow = Callable[[str, str], Iterator[tuple[str, Json]]]


class Guest(NamedTuple):
    """Somebody at a table of robots, on the other side of a real connection."""

    service: str
    token: str
    game_id: str = ""

    @property
    def game(self) -> str:
        """Return the address of the game."""
        return f"{self.service}/v1/games/{self.game_id}"

    def call(self, address: str, body: Json | None = None) -> Json:
        """Ask the service."""
        headers = {"Content-Type": "application/json"}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        with urlopen(Request(address, json.dumps(body).encode() if body else None, headers)) as answer:  # noqa: S310 - our own address
            return json.load(answer)

    def play_to_the_end(self) -> None:
        """Make the first move that is legal, until the game is over."""
        while "turn" in (view := self.call(self.game)):
            turn: Json = view["turn"]
            if turn["action"] == "bid":
                self.call(f"{self.game}/bids", {"bid": turn["legal_bids"][0]})
            else:
                self.call(f"{self.game}/plays", {"card": turn["legal_cards"][0]})


@pytest.fixture
def address() -> Iterator[str]:
    app: Any = create_app(MemoryStore(), SystemClock(), RepeatableShuffler(), SECRET)
    server = uvicorn.Server(uvicorn.Config(app, port=0, lifespan="off", log_config=None, access_log=False))
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    host, port = server.servers[0].sockets[0].getsockname()
    yield f"http://{host}:{port}"
    server.should_exit = True
    thread.join()


@pytest.fixture
def guest(address: str) -> Guest:
    nobody = Guest(address, "")
    ana = Guest(address, nobody.call(f"{address}/v1/players", {"display_name": "Ana"})["token"])
    table: Json = {"ruleset": "ludoteka-express-3", "players": 3, "robots": [{"level": "easy"}] * 2}
    return ana._replace(game_id=ana.call(f"{address}/v1/games", table)["game_id"])


def follow() -> Follow:
    """Return what the page's Python defines."""
    defined: dict[str, Any] = {}
    exec(BLOCKS["python"], defined)  # noqa: S102 - it is what the page shows
    return defined["follow"]


def test_the_python_of_the_page_follows_a_game_to_its_end(guest: Guest) -> None:
    with ThreadPoolExecutor(1) as elsewhere:
        following = elsewhere.submit(lambda: list(follow()(guest.game, guest.token)))
        guest.play_to_the_end()
        (_, board), *commits, (last, end) = following.result()
    for event, commit in commits:
        assert event == "commit"
        board = fold(board, commit)
    assert lasting(board) == lasting(guest.call(guest.game))
    assert (last, end["status"]) == ("game_over", "finished")


def test_the_curl_of_the_page_shows_frames(guest: Guest) -> None:
    guest.play_to_the_end()
    values = {"POCHA": guest.service, "TOKEN": guest.token, "GAME": guest.game_id}
    done = subprocess.run(["bash", "-euc", BLOCKS["sh"]], env=values, capture_output=True, check=True, timeout=20)
    assert [frame["event"] for frame in frames_of(done.stdout.decode())] == ["snapshot", "game_over"]
