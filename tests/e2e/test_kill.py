"""What was answered is on disk: the service is killed in the middle of games, and started again."""

import asyncio
import contextlib
import random
import signal
from pathlib import Path

import httpx
import pytest

from tests.e2e.test_whole_games import play_to_the_end
from tests.kit.player import Api, Guest, Json, all_events, without_presence
from tests.kit.service_process import ServiceProcess
from tests.kit.waiting import until

TABLES = 12
MOVES_BEFORE_THE_KILL = 5 * TABLES


class Witness:
    """Plays at one table with two robots until the service is gone, and remembers what was acknowledged."""

    def __init__(self, guest: Guest, game: Json) -> None:
        self.guest = guest
        self.game = game
        self.acknowledged: list[Json] = []
        self.moves = 0
        self._luck = random.Random(game["game_id"])

    async def play(self) -> None:
        """Move until the connection breaks."""
        with contextlib.suppress(httpx.TransportError):
            while True:
                if self.game["status"] == "finished":
                    self.game, self.acknowledged = await self.guest.create(robots=2), []
                done = await self.guest.move(self.game, self._luck.randrange(1000))
                self.acknowledged += done["events"]
                self.game = done["game"]
                self.moves += 1

    async def find_everything(self, client: httpx.AsyncClient) -> None:
        """Check that the service has every acknowledged event exactly once, and at most one move more."""
        guest = Guest(client, {"player_id": self.guest.player_id, "token": self.guest.token})
        events = await all_events(guest, self.game["game_id"])
        found = [event for event in events if event["version"] > 1 and event["version"] <= self.game["version"]]
        assert found == self.acknowledged
        versions = sorted({event["version"] for event in events})
        assert versions == list(range(1, versions[-1] + 1))
        assert versions[-1] - self.game["version"] in (0, 1)
        assert (await guest.look(self.game["game_id"]))["version"] == versions[-1]
        self.guest = guest


async def witnesses(client: httpx.AsyncClient) -> list[Witness]:
    found: list[Witness] = []
    for _ in range(TABLES):
        guest = await Api(client).guest()
        found.append(Witness(guest, await guest.create(robots=2)))
    return found


async def play_and_kill(service: ServiceProcess) -> list[Witness]:
    """Play at many tables at once, and kill the service in the midst of it."""
    async with httpx.AsyncClient(base_url=service.url, limits=httpx.Limits(max_connections=None)) as client:
        playing = await witnesses(client)
        tasks = [asyncio.create_task(witness.play()) for witness in playing]
        await until(lambda: sum(witness.moves for witness in playing) > MOVES_BEFORE_THE_KILL)
        assert await asyncio.to_thread(service.stop, signal.SIGKILL) == -signal.SIGKILL
        await asyncio.gather(*tasks)
    return playing


async def find_everything_and_play_on(service: ServiceProcess, playing: list[Witness]) -> None:
    async with httpx.AsyncClient(base_url=service.url) as client:
        for witness in playing:
            await witness.find_everything(client)
        first = playing[0]
        game = await first.guest.look(first.game["game_id"])
        last = await play_to_the_end([first.guest] * 3, game, random.Random(1))
        assert last["status"] == "finished"


async def test_a_killed_service_has_lost_no_acknowledged_move(environment: dict[str, str]) -> None:
    playing = await play_and_kill(ServiceProcess(environment))
    with ServiceProcess(environment) as service:
        await find_everything_and_play_on(service, playing)


@pytest.mark.parametrize("times", [2])
async def test_a_killed_service_with_its_embedded_postgres_has_lost_no_acknowledged_move(
    data_dir: Path, times: int
) -> None:
    environment = {"POCHA_DATA_DIR": str(data_dir), "POCHA_LOG_LEVEL": "warning"}
    for _ in range(times):
        playing = await play_and_kill(ServiceProcess(environment))
        with ServiceProcess(environment) as service:
            await find_everything_and_play_on(service, playing)


async def test_a_game_is_still_there_after_a_stop_and_a_start(environment: dict[str, str]) -> None:
    with ServiceProcess(environment) as service:
        async with httpx.AsyncClient(base_url=service.url) as client:
            guest = await Api(client).guest()
            game = await guest.create(robots=2)
            assert service.stop(signal.SIGTERM) == 0
    with ServiceProcess(environment) as service:
        async with httpx.AsyncClient(base_url=service.url) as client:
            again = await Guest(client, {"player_id": guest.player_id, "token": guest.token}).look(game["game_id"])
    assert {**without_presence(again), "server_time": ""} == {**without_presence(game), "server_time": ""}
