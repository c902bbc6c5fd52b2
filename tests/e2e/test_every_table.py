"""Random games of every ruleset, for every number of players, and of many house rules; some of these on Postgres as well.

Played to the end over HTTP by persons and robots, under the eyes of a spectator: no card is told to a viewer who may not know it, and
the record of each game is judged right. Games of the rulesets are added up once more by the words of the rules.
"""

import json
import random
from collections.abc import AsyncGenerator
from uuid import UUID

import httpx
import pytest

from domain.pocha.rules.presets import PRESETS
from service.adapters.clock import SystemClock
from service.adapters.memory.store import MemoryStore
from service.adapters.postgres.store import PostgresStore
from service.application.ports import GameStore
from service.application.record.verify import verify
from service.application.shuffle import SeededShuffler
from service.bootstrap.service import create_app
from tests.e2e.random_house_rules import random_house_rules
from tests.e2e.reckoning import check_that_it_adds_up
from tests.e2e.secrets import Ledger, Viewer
from tests.kit.player import Api, Guest, Json, client_of, legal_moves

TABLES = [("memory", id_, players) for id_, ruleset in PRESETS.items() for players in ruleset.players.allowed]
HOUSES_A_TEST = 12
BLOCKS_OF_HOUSES = [*(("memory", block) for block in range(8)), ("postgres", 8)]
SECRET = b"a secret of the tests of every table, 32 bytes"
WRONG: list[tuple[str, Json]] = [
    ("bids", {"bid": 24}),
    ("auction-bids", {"bid": 24}),
    ("plays", {"card": "oros-8"}),
    ("blind-pick", {"position": 23}),
]


class Recorder:
    """Keeps every byte that each caller received."""

    def __init__(self) -> None:
        self.received: list[tuple[str, bytes]] = []

    async def keep(self, response: httpx.Response) -> None:
        """Remember an answer, and whose it was."""
        token = response.request.headers.get("authorization", "").removeprefix("Bearer ")
        self.received.append((token, await response.aread()))


@pytest.fixture(params=["memory", "postgres"])
def address(request: pytest.FixtureRequest) -> str | None:
    """The address of the database; none for games in memory."""
    return None if request.param == "memory" else request.getfixturevalue("database_url")


@pytest.fixture
async def log(address: str | None) -> AsyncGenerator[GameStore]:
    opened = MemoryStore() if address is None else await PostgresStore.open(address)
    yield opened
    await opened.close()


@pytest.fixture
async def recorder() -> Recorder:
    return Recorder()


@pytest.fixture
async def api(log: GameStore, recorder: Recorder) -> AsyncGenerator[Api]:
    async with client_of(create_app(log, SystemClock(), SeededShuffler(), SECRET)) as client:
        client.event_hooks["response"].append(recorder.keep)
        yield Api(client)


async def try_something_wrong(guest: Guest, view: Json, luck: random.Random) -> None:
    """Ask for what may not be done; any card of the own hand may turn out a renuncio that stands."""
    what, body = luck.choice(WRONG)
    if what == "plays" and view["turn"]["action"] == "play":
        body = {"card": luck.choice(view["hand"]["my_cards"])}
    response = await guest.ask("POST", f"/v1/games/{view['game_id']}/{what}", body)
    assert response.status_code in (200, 409, 422), response.text


async def move(guest: Guest, view: Json, luck: random.Random) -> Json:
    """Make a move, and now and then something wrong before it, and a claim after it."""
    path = f"/v1/games/{view['game_id']}"
    if luck.random() < 0.1:
        await try_something_wrong(guest, view, luck)
        view = await guest.look(view["game_id"])
        if view["status"] != "playing" or view["turn"]["seat"] != view["my_seat"]:
            return view
    what, body = luck.choice(legal_moves(view))
    response = await guest.ask("POST", f"{path}/{what}", body)
    assert response.status_code == 200, response.text
    if luck.random() < 0.1:
        claim = {"seat": luck.randrange(view["players"]), "trick": luck.randint(1, 3)}
        claimed = await guest.ask("POST", f"{path}/renuncio-claims", claim)
        assert claimed.status_code in (200, 409, 422), claimed.text
        return claimed.json()["game"] if claimed.status_code == 200 else response.json()["game"]
    return response.json()["game"]


async def play_a_game(api: Api, table: Json, persons: int, luck: random.Random) -> tuple[dict[int, Guest], Guest, Json]:
    """Play a game by so many persons, robots at the other seats; return the persons by seat, a spectator, and the last view."""
    first, *others = [await api.guest(f"Guest {number}") for number in range(persons)]
    spectator = await api.guest("Watcher")
    robots = [{"level": "easy"}] * (table["players"] - persons)
    made = await first.ask("POST", "/v1/games", {**table, "robots": robots, "client_seed": "first"})
    assert made.status_code == 201, made.text
    game = made.json()
    for guest in others:
        game = await guest.join(game["game_id"], client_seed="another")
    by_seat = {int((await person.look(game["game_id"]))["my_seat"]): person for person in (first, *others)}
    while game["status"] == "playing":
        person = by_seat[game["turn"]["seat"]]
        game = await move(person, await person.look(game["game_id"]), luck)
        if luck.random() < 0.1:
            await spectator.look(game["game_id"])
    return by_seat, spectator, game


async def check_what_was_told(log: GameStore, recorder: Recorder, callers: dict[str, Viewer], game: Json) -> None:
    """Scan every byte that each caller received of this game."""
    ledger = Ledger(await log.read(UUID(game["game_id"])), game["players"])
    told = sum(ledger.check(callers[token], body) for token, body in recorder.received if token in callers)
    assert told > 0
    recorder.received.clear()


async def play_and_check(
    api: Api, log: GameStore, recorder: Recorder, table: Json, persons: int, luck: random.Random
) -> tuple[Guest, Json]:
    """Play a game to its end; look at what everybody was told, and judge the record. Return the first player and the last view."""
    by_seat, spectator, game = await play_a_game(api, table, persons, luck)
    path = f"/v1/games/{game['game_id']}"
    for caller in (*by_seat.values(), spectator):
        assert (await caller.ask("GET", f"{path}/events?limit=1000")).status_code == 200
        assert (await caller.ask("GET", f"{path}/score-sheet")).status_code == 200
    callers: dict[str, Viewer] = {person.token: seat for seat, person in by_seat.items()}
    await check_what_was_told(log, recorder, {**callers, spectator.token: None}, game)
    record = await spectator.ask("GET", f"{path}/record")
    assert record.status_code == 200, record.text
    assert verify(record.content).hands >= 1
    return next(iter(by_seat.values())), game


async def test_the_scan_finds_a_card_that_was_told_too_early(api: Api, log: GameStore) -> None:
    ana = await api.guest()
    game = await ana.create("ludoteka-express-3", 3, robots=2)
    ledger = Ledger(await log.read(UUID(game["game_id"])), 3)
    own = game["hand"]["my_cards"]
    assert ledger.check(0, json.dumps(game).encode()) > 0
    for viewer in (1, 2, None):
        with pytest.raises(AssertionError, match=own[0]):
            ledger.check(viewer, json.dumps({**game, "hand": {"my_cards": own[:1]}}).encode())


@pytest.mark.parametrize(("address", "ruleset", "players"), TABLES, indirect=["address"])
async def test_every_ruleset_for_every_number_of_players(
    api: Api, log: GameStore, recorder: Recorder, ruleset: str, players: int
) -> None:
    # A game takes as long as there are persons in it: all seats are theirs at the smallest table of a preset, two seats at the others.
    persons = players if players == PRESETS[ruleset].players.allowed[0] else 2
    table = {"ruleset": ruleset, "players": players}
    player, last = await play_and_check(api, log, recorder, table, persons, random.Random(f"{ruleset} {players}"))
    await check_that_it_adds_up(player, ruleset, last)


async def some_house(api: Api, luck: random.Random) -> Json:
    """Return a table by random house rules that the service calls sound."""
    while True:
        preset = luck.choice(sorted(PRESETS))
        table = {"ruleset": preset, "house_rules": random_house_rules(luck)}
        answer = await api.client.post("/v1/rulesets/validate", json=table)
        if answer.status_code == 200:
            return {**table, "players": luck.choice(answer.json()["ruleset"]["players"]["allowed"])}
        assert (answer.status_code, answer.json()["code"]) == (422, "illegal-ruleset"), answer.text


@pytest.mark.parametrize(("address", "block"), BLOCKS_OF_HOUSES, indirect=["address"])
async def test_random_house_rules(api: Api, log: GameStore, recorder: Recorder, block: int) -> None:
    luck = random.Random(block)
    for _ in range(HOUSES_A_TEST):
        table = await some_house(api, luck)
        await play_and_check(api, log, recorder, table, luck.randint(1, table["players"]), luck)
