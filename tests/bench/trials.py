"""The trials: what is measured against what, one after the other and again, so that whatever else the machine does hits both sides."""

import random
import statistics
import time
from collections.abc import Callable, Sequence

import msgspec

from tests.bench import appends, core
from tests.bench.load import Round, Tables, Writes, round_of
from tests.bench.script import script
from tests.bench.serving import Running


class Size(msgspec.Struct, frozen=True):
    """How much is measured: rounds of each trial, hands, moves and commits in all a round."""

    rounds: int
    hands: int
    moves: int
    commits: int


FULL = Size(rounds=5, hands=50, moves=2000, commits=2560)
QUICK = Size(rounds=3, hands=20, moves=960, commits=1280)

Rates = Sequence[float]


class Load(msgspec.Struct, frozen=True):
    """The rounds of the service at so many tables of so many persons, and those of the limit at as many connections."""

    persons: int
    tables: int
    moves: Sequence[Round]
    writes: Sequence[Round]


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
        (await round_of(service, tables, played.prepare), await round_of(limit, tables, written.prepare))
        for _ in range(size.rounds)
    ]
    return Load(persons, tables, [moves for moves, _ in pairs], [writes for _, writes in pairs])


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
