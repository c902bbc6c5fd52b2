"""The trials: what is measured against what, one after the other and again, so that whatever else the machine does hits both sides."""

import random
import statistics
import time
from collections.abc import Callable, Sequence

import msgspec

from tests.bench import appends, core, modes
from tests.bench.crowd import Crowd, crowd
from tests.bench.hard_tables import hard_tables
from tests.bench.live import FanOut, across, fan_out
from tests.bench.load import Round, Tables, Writes, round_of, tokens
from tests.bench.postgres_cpu import PostgresCpu
from tests.bench.script import SHORT, script
from tests.bench.serving import Running, running


class Size(msgspec.Struct, frozen=True):
    """How much is measured.

    Rounds of each trial; hands, moves and commits in all a round; seconds of each way to play and at each fixed rate; streams, and moves
    that they bring; moves while every hint is lost; readers in a crowd; tables of hard robots.
    """

    rounds: int
    hands: int
    moves: int
    commits: int
    seconds: float
    streams: int
    streamed: int
    unhinted: int
    readers: int
    hard_tables: int


FULL = Size(
    rounds=5,
    hands=50,
    moves=2560,
    commits=2560,
    seconds=6,
    streams=2000,
    streamed=20,
    unhinted=8,
    readers=800,
    hard_tables=16,
)
QUICK = Size(
    rounds=3,
    hands=20,
    moves=1024,
    commits=1280,
    seconds=2,
    streams=2000,
    streamed=8,
    unhinted=3,
    readers=800,
    hard_tables=16,
)

SHARES = (0.25, 0.5, 0.75)
"""The fixed rates, as shares of the rate without pauses."""
_MANY_GAMES = 200

Rates = Sequence[float]


class Load(msgspec.Struct, frozen=True):
    """The rounds of the service at so many tables of so many persons, and those of the limit at as many connections."""

    persons: int
    tables: int
    moves: Sequence[Round]
    writes: Sequence[Round]


class Played(msgspec.Struct, frozen=True):
    """The rounds at so many tables: of the limit, of each way to play by its name, and of moves at a twin of the service."""

    tables: int
    writes: Sequence[Round]
    ways: dict[str, list[Round]]
    twin: Sequence[Round]


class Beside(msgspec.Struct, frozen=True):
    """Rounds at the same rate: alone, while robots search, and alone again, which shows the noise."""

    alone: Round
    beside: Round
    again: Round


def ratio(measured: Rates, limits: Rates) -> float:
    """Return the median of the rounds' ratios."""
    return statistics.median(one / limit for one, limit in zip(measured, limits, strict=True))


def core_rates(size: Size) -> dict[str, Rates]:
    """Return hands a second, a round each, by the way in which they were played."""
    start, chance = core.dealing(), random.Random(7)
    rates: dict[str, list[float]] = {way.__name__: [] for way in core.WAYS}
    for _ in range(size.rounds):
        for way in core.WAYS:
            rates[way.__name__].append(_a_second(lambda way=way: way(start, chance), size.hands))
    return dict(rates)


async def load(service: Running, limit: Running, persons: int, tables: int, size: Size) -> Load:
    """Return the rounds of moves and of writes, which alternate."""
    each = -(-size.moves // tables)
    played = await Tables.with_persons(service, persons, await script(persons), each)
    written = Writes(each)
    pairs = [
        (await round_of([service], tables, played.prepare), await round_of([limit], tables, written.prepare))
        for _ in range(size.rounds)
    ]
    return Load(persons, tables, [moves for moves, _ in pairs], [writes for _, writes in pairs])


async def played(servers: tuple[Running, Running, Running], tables: int, size: Size, postgres: PostgresCpu) -> Played:
    """Return rounds of the service, its twin (which shows how much two equal servers differ) and the limit, in turn."""
    service, twin, limit = servers
    writes, of_twin = list[Round](), list[Round]()
    ways: dict[str, list[Round]] = {trial.name: [] for trial in modes.TRIALS}
    for _ in range(size.rounds):
        writes.append(await modes.writes(limit, tables, size.seconds, postgres))
        for trial in modes.TRIALS:
            ways[trial.name].append(await modes.measure(service, trial, tables, size.seconds, postgres))
        of_twin.append(await modes.measure(twin, modes.TRIALS[0], tables, size.seconds, postgres))
    return Played(tables, writes, ways, of_twin)


async def open_loop(service: Running, closed: Load, size: Size) -> list[Round]:
    """Return a round at each of `SHARES` of the rate that `closed` reached, at as many tables."""
    full = statistics.median(one.rate for one in closed.moves)
    return [await _at_rate(service, closed, share * full, size.seconds) for share in SHARES]


async def _at_rate(service: Running, closed: Load, rate: float, seconds: float) -> Round:
    each = max(1, round(rate * seconds / closed.tables))
    played = await Tables.with_persons(service, closed.persons, await script(closed.persons), each)
    return await round_of([service], closed.tables, played.prepare, rate)


async def together(
    one: Running, other: Running, persons: int, tables: int, size: Size
) -> tuple[list[Round], list[Round]]:
    """Return rounds of one process, and of two over the same database, half of the tables at each; they alternate."""
    each = -(-size.moves // tables)
    played = await Tables.with_persons(one, persons, await script(persons), each)
    pairs = [
        (await round_of([one], tables, played.prepare), await round_of([one, other], tables, played.prepare))
        for _ in range(size.rounds)
    ]
    return [alone for alone, _ in pairs], [both for _, both in pairs]


async def crowded(service: Running, closed: Load, size: Size) -> tuple[Round, Round, Crowd]:
    """Return a round at the lowest of `SHARES`, one beside a crowd of readers, and what became of those."""
    rate = SHARES[0] * statistics.median(one.rate for one in closed.moves)
    calm = await _at_rate(service, closed, rate, size.seconds)
    [token] = await tokens(service, 1)
    with crowd(service, "/v1/games?limit=1", token, size.readers) as found:
        beside = await _at_rate(service, closed, rate, size.seconds)
    return calm, beside, found


async def beside_robots(service: Running, tables: int, size: Size) -> tuple[list[Beside], float]:
    """Return rounds at a quarter of the rate that is reached alone, and how often a second a robot moved for a person beside them."""
    each = -(-size.moves // tables)
    played = await Tables.with_persons(service, SHORT.seats, await script(SHORT.seats), each)
    closed = Load(SHORT.seats, tables, [await round_of([service], tables, played.prepare)], [])
    rate = SHARES[0] * closed.moves[0].rate
    rounds: list[Beside] = []
    moves, seconds = 0, 0.0
    async with hard_tables(service, size.hard_tables):
        pass  # loads the search, whose compiler takes memory and time of the first rounds
    for _ in range(size.rounds):
        alone = await _at_rate(service, closed, rate, size.seconds)
        async with hard_tables(service, size.hard_tables) as searching:
            before = searching.moves
            beside = await _at_rate(service, closed, rate, size.seconds)
            moves, seconds = moves + searching.moves - before, seconds + beside.seconds
        rounds.append(Beside(alone, beside, await _at_rate(service, closed, rate, size.seconds)))
    return rounds, moves / seconds


async def fan_outs(dsn: str, size: Size) -> list[FanOut]:
    """Return what streams of one game, and of many games, cost, each in a process of its own."""
    measured: list[FanOut] = []
    for games in (1, min(_MANY_GAMES, size.streams)):
        with running("service", dsn) as server:
            measured.append(await fan_out(server, games, size.streams, size.streamed))
    return measured


async def unhinted(dsn: str, size: Size) -> list[float]:
    """Return how long moves take to a stream of another process when every hint is lost."""
    with running("deaf", dsn) as one, running("deaf", dsn) as other:
        return await across(one, other, size.unhinted)


async def append_rates(dsn: str, size: Size) -> tuple[Rates, Rates]:
    """Return commits a second, a round each: in groups, and by a statement each."""
    each = size.commits // appends.WRITERS
    pairs = [(await appends.grouped(dsn, each), await appends.single(dsn, each)) for _ in range(size.rounds)]
    return [grouped for grouped, _ in pairs], [single for _, single in pairs]


def _a_second(work: Callable[[], object], times: int) -> float:
    started = time.perf_counter()
    for _ in range(times):
        work()
    return times / (time.perf_counter() - started)
