"""A board that is folded from events is the view, for everybody who looks on, after every commit."""

import copy
import random
from collections.abc import AsyncGenerator, Sequence
from itertools import groupby

import pytest

from domain.pocha.rules.presets import PRESETS
from service.adapters.clock import SystemClock
from service.adapters.memory.store import MemoryStore
from service.application.shuffle import SeededShuffler
from service.bootstrap.service import create_app
from tests.e2e.random_house_rules import random_house_rules
from tests.kit.board import Board, Json, fold, lasting
from tests.kit.player import Api, Guest, client_of, legal_moves

SECRET = b"a secret of the tests of boards, long enough for 32"
HOUSES = 20
HOUSES_A_TEST = 10


@pytest.fixture
async def api() -> AsyncGenerator[Api]:
    async with client_of(create_app(MemoryStore(), SystemClock(), SeededShuffler(), SECRET)) as client:
        yield Api(client)


class Watcher:
    """Somebody who keeps a board of a game as a stream would let them: from the pages of events, and the view's `turn`."""

    def __init__(self, guest: Guest, board: Board) -> None:
        self.guest = guest
        self.board = board

    async def catch_up(self) -> None:
        """Fold what happened since, and compare."""
        path = f"/v1/games/{self.board['game_id']}"
        items = (await self.guest.ask("GET", f"{path}/events?after={self.board['version']}&limit=1000")).json()["items"]
        view = (await self.guest.ask("GET", path)).json()
        if view.get("my_seat") != self.board.get("my_seat"):
            self.board = view  # here a stream sends a snapshot
            return
        now = {"status": view["status"], **{name: view[name] for name in ("turn",) if name in view}}
        for version, events in groupby(items, lambda event: event["version"]):
            self.board = fold(self.board, {"version": version, "events": list(events), **now})
        assert lasting(self.board) == lasting(view)


async def table(api: Api, *, persons: int, **plan: object) -> tuple[list[Guest], list[Watcher]]:
    """Return a table's persons, in the order in which they came, and the watchers of all that happens there, a spectator among them."""
    guests = [await api.guest(f"Guest {number}") for number in range(persons)]
    spectator = await api.guest("Watcher")
    game = (await guests[0].ask("POST", "/v1/games", plan)).json()
    watchers = [Watcher(guest, await guest.look(game["game_id"])) for guest in (*guests, spectator)]
    for guest in guests[1:]:
        await guest.join(game["game_id"])
        await all_catch_up(watchers)
    return guests, watchers


async def all_catch_up(watchers: Sequence[Watcher]) -> None:
    for watcher in watchers:
        await watcher.catch_up()


def on_turn(watchers: Sequence[Watcher]) -> Watcher:
    """Return who has to move; the boards say."""
    return next(each for each in watchers if each.board["turn"]["seat"] == each.board.get("my_seat"))


def is_played(watchers: Sequence[Watcher]) -> bool:
    return watchers[-1].board["status"] == "playing"


async def move(watchers: Sequence[Watcher], luck: random.Random) -> None:
    """Let the one on turn move, legally or with any card of the hand; now and then somebody claims a renuncio."""
    mover = on_turn(watchers)
    path = f"/v1/games/{mover.board['game_id']}"
    what, body = luck.choice(legal_moves(mover.board))
    if what == "plays" and luck.random() < 0.2:
        card = {"card": luck.choice(mover.board["hand"]["my_cards"])}
        if (await mover.guest.ask("POST", f"{path}/{what}", card)).status_code == 200:
            return
    assert (await mover.guest.ask("POST", f"{path}/{what}", body)).status_code == 200
    if luck.random() < 0.1:
        claim = {"seat": luck.randrange(mover.board["players"]), "trick": luck.randint(1, 3)}
        await luck.choice(watchers[:-1]).guest.ask("POST", f"{path}/renuncio-claims", claim)


async def play_to_the_end(watchers: Sequence[Watcher], luck: random.Random) -> None:
    while is_played(watchers):
        await move(watchers, luck)
        await all_catch_up(watchers)


@pytest.mark.parametrize("preset", PRESETS)
async def test_a_folded_board_is_the_view_in_every_preset(api: Api, preset: str) -> None:
    players = PRESETS[preset].players.allowed[0]
    robots = [{"level": "easy"}] * (players - 2)
    _, watchers = await table(api, persons=2, ruleset=preset, players=players, robots=robots)
    await play_to_the_end(watchers, random.Random(preset))
    assert watchers[-1].board["status"] == "finished"


async def test_a_folded_board_is_the_view_for_every_seat(api: Api) -> None:
    _, watchers = await table(api, persons=4, ruleset="ludoteka-loca", players=4)
    await play_to_the_end(watchers, random.Random(4))
    assert all(watcher.board["status"] == "finished" for watcher in watchers)


async def some_table(api: Api, luck: random.Random) -> Json:
    """Return a table by random house rules that the service calls sound."""
    while True:
        plan = {"ruleset": luck.choice(sorted(PRESETS)), "house_rules": random_house_rules(luck)}
        answer = await api.client.post("/v1/rulesets/validate", json=plan)
        if answer.status_code == 200:
            return {**plan, "players": luck.choice(answer.json()["ruleset"]["players"]["allowed"])}


@pytest.mark.parametrize("block", range(HOUSES // HOUSES_A_TEST))
async def test_a_folded_board_is_the_view_by_random_house_rules(api: Api, block: int) -> None:
    luck = random.Random(block)
    for _ in range(HOUSES_A_TEST):
        plan = await some_table(api, luck)
        persons = luck.randint(1, plan["players"])
        robots = [{"level": "easy"}] * (plan["players"] - persons)
        _, watchers = await table(api, persons=persons, **plan, robots=robots)
        await play_to_the_end(watchers, luck)


async def test_a_folded_board_shows_who_comes_and_goes(api: Api) -> None:
    (ana, eva), watchers = await table(api, persons=2, ruleset="ludoteka-express-3", players=3)
    game_id = watchers[0].board["game_id"]
    seats = f"/v1/games/{game_id}/seats"
    comings_and_goings: list[tuple[Guest, str, str, Json | None]] = [
        (eva, "DELETE", f"{seats}/1", None),
        (ana, "PUT", f"{seats}/1/robot", {"level": "easy"}),
        (eva, "POST", seats, {}),
        (eva, "DELETE", f"{seats}/2", None),
        (eva, "POST", seats, {}),
        (ana, "DELETE", f"{seats}/0", None),
    ]
    for guest, method, path, body in comings_and_goings:
        assert (await guest.ask(method, path, body)).status_code in (200, 201)
        await all_catch_up(watchers)
    assert [sorted(seat) for seat in watchers[-1].board["seats"]] == [
        ["away", "robot", "seat"],
        ["robot", "seat"],
        ["player", "presence", "seat"] if "presence" in watchers[-1].board["seats"][2] else ["player", "seat"],
    ]


async def test_a_folded_board_of_a_table_given_up_says_so(api: Api) -> None:
    (ana,), watchers = await table(api, persons=1, ruleset="ludoteka-express-3", players=3)
    await ana.ask("DELETE", f"/v1/games/{watchers[0].board['game_id']}/seats/0")
    await all_catch_up(watchers)
    assert watchers[-1].board["status"] == "abandoned"


async def test_folding_leaves_the_board_before_as_it_was(api: Api) -> None:
    _, watchers = await table(api, persons=3, ruleset="ludoteka-express-3", players=3)
    luck = random.Random(3)
    while is_played(watchers):
        before = watchers[0].board
        kept = copy.deepcopy(before)
        await move(watchers, luck)
        await all_catch_up(watchers)
        assert before == kept


def test_what_a_board_does_not_know_changes_nothing_else() -> None:
    board: Board = {"version": 3, "status": "waiting", "seats": []}
    event = {"type": "something_new", "version": 4}
    assert fold(board, {"version": 4, "status": "waiting", "events": [event]}) == board | {"version": 4}
