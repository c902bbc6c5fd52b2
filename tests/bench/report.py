"""The figures as lines of text."""

import os
import platform
import statistics
from collections.abc import Iterator, Sequence
from itertools import chain

from tests.bench.appends import WRITERS
from tests.bench.crowd import Crowd
from tests.bench.live import FanOut
from tests.bench.load import Round
from tests.bench.trials import SHARES, Beside, Load, Played, Rates, ratio

_MICRO = 1e6
_MILLI = 1e3
_HTTP = "  {:34} {:>8} {:>6} {:>7} {:>6} {:>7} {:>7}"
_WAYS = "  {:26} {:>20} {:>9} {:>9} {:>16} {:>6} {:>7} {:>7}"
_LIVE = "  {:34} {:>8} {:>7} {:>7} {:>8}"
_PLAIN = "  {:34} {:>8} {:>6}"


def machine() -> str:
    """Say what all this was measured on."""
    load = os.getloadavg()[0]
    return f"{os.cpu_count()} cores ({platform.machine()}, load {load:.1f}), Python {platform.python_version()}, {platform.system()}"


def of_core(rates: dict[str, Rates]) -> Iterator[str]:
    """Say how fast hands are played out, against the rules alone."""
    yield ""
    yield _PLAIN.format("core: hands of 9 cards, 4 players", "hands/s", "ratio")
    for way, measured in rates.items():
        yield _PLAIN.format(way, *_rate_and_ratio(measured, rates["rules"]))


def of_control(measured: Sequence[Played]) -> Iterator[str]:
    """Say how much two equal servers differ: no smaller difference below means anything."""
    yield ""
    yield "control: moves at a twin of the service, as ratios to the service (minimum - median - maximum of the rounds)"
    for one in measured:
        pairs = list(zip(one.twin, one.ways["move"], strict=True))
        rates = _spread([twin.rate / own.rate for twin, own in pairs], "{:.2f}")
        cpu = _spread([twin.cpu_each / own.cpu_each for twin, own in pairs], "{:.2f}")
        yield f"  {one.tables} tables: rate {rates}, CPU of the service {cpu}"


def of_ways(one: Played) -> Iterator[str]:
    """Say what moves cost in each way to play, against the limit and against moves alone."""
    yield ""
    yield _WAYS.format(
        f"HTTP: {one.tables} tables of 4",
        "moves/s",
        "of limit",
        "of move",
        "CPU us a move",
        "PG us",
        "p50 ms",
        "p99 ms",
    )
    for name, rounds in {"limit": one.writes, **one.ways}.items():
        rates = [each.rate for each in rounds]
        yield _WAYS.format(
            name,
            _spread(rates, "{:.0f}"),
            f"{ratio(rates, [each.rate for each in one.writes]):.2f}",
            f"{ratio(rates, [each.rate for each in one.ways['move']]):.2f}",
            _spread([each.cpu_each * _MICRO for each in rounds], "{:.0f}"),
            f"{statistics.median(each.postgres_cpu_each for each in rounds) * _MICRO:.0f}",
            *_p50_p99(rounds),
        )


def _spread(values: Sequence[float], form: str) -> str:
    return " - ".join(form.format(value) for value in (min(values), statistics.median(values), max(values)))


def of_load(loads: Sequence[Load]) -> Iterator[str]:
    """Say what moves over HTTP cost, against the writes of the limit."""
    yield ""
    yield _HTTP.format("HTTP: durable moves", "moves/s", "ratio", "CPU us", "ratio", "p50 ms", "p99 ms")
    for load in loads:
        who = f"{load.persons} persons" if load.persons > 1 else "1 person, 2 robots"
        yield _rounds(f"{load.tables} table{'s' * (load.tables > 1)} of {who}", load.moves, load.writes)
        yield _rounds(f"{load.tables} connection{'s' * (load.tables > 1)} to the limit", load.writes, load.writes)
    every = [one for load in loads for one in load.moves]
    own = sum(one.own_cpu for one in every) / sum(one.count for one in every)
    yield f"  (the generator, in a process of its own, used {own * _MICRO:.0f} us a move)"


def of_open_loop(closed: Load, rounds: Sequence[Round]) -> Iterator[str]:
    """Say how long moves take that come at a fixed rate, counted from when they were due."""
    yield ""
    yield _HTTP.format(
        f"HTTP: {closed.tables} tables, moves at fixed rates", "moves/s", "share", "CPU us", "", "p50 ms", "p99 ms"
    )
    for share, one in zip(SHARES, rounds, strict=True):
        cpu = f"{one.cpu_each * _MICRO:.0f}"
        yield _HTTP.format(
            f"{share:.0%} of the rate without pauses", f"{one.rate:.0f}", share, cpu, "", *_p50_p99([one])
        )


def of_crowd(calm: Round, beside: Round, readers: int, crowd: Crowd) -> Iterator[str]:
    """Say how long moves take beside more readers than a process serves at a time."""
    yield ""
    yield _HTTP.format("HTTP: moves beside a crowd", "moves/s", "", "CPU us", "", "p50 ms", "p99 ms")
    for name, one in (("nobody reads", calm), (f"{readers} readers without pause", beside)):
        yield _HTTP.format(name, f"{one.rate:.0f}", "", f"{one.cpu_each * _MICRO:.0f}", "", *_p50_p99([one]))
    yield f"  ({crowd.answered} reads were answered, {crowd.sent_away} sent away with 503)"


def of_robots(rounds: Sequence[Beside], tables: int, searched: float) -> Iterator[str]:
    """Say how long moves take beside tables of hard robots."""
    yield ""
    yield _HTTP.format("HTTP: moves beside hard robots", "moves/s", "p99", "CPU us", "", "p50 ms", "p99 ms")
    alone = [one.alone for one in rounds]
    for name, those in (
        ("no robot plays", alone),
        ("again (control)", [one.again for one in rounds]),
        (f"{tables} tables of three hard robots", [one.beside for one in rounds]),
    ):
        slower = statistics.median(_p99(one) / _p99(other) for one, other in zip(those, alone, strict=True))
        rate, cpu = (statistics.median(each) for each in ([x.rate for x in those], [x.cpu_each for x in those]))
        yield _HTTP.format(name, f"{rate:.0f}", f"{slower:.2f}", f"{cpu * _MICRO:.0f}", "", *_p50_p99(those))
    yield f"  (there a robot moved for the person {searched:.0f} times a second, and the three others after it)"


def _p99(one: Round) -> float:
    return percentile(one.latencies, 99)


def of_replicas(tables: int, alone: Sequence[Round], both: Sequence[Round]) -> Iterator[str]:
    """Say what two processes over one database do, against one."""
    yield ""
    yield _HTTP.format(
        f"HTTP: {tables} tables, one Postgres", "moves/s", "ratio", "CPU us", "ratio", "p50 ms", "p99 ms"
    )
    yield _rounds("one process", alone, alone)
    yield _rounds("two processes", both, alone)


def of_streams(measured: Sequence[FanOut]) -> Iterator[str]:
    """Say what streams take, and how long after its ack a move is on them."""
    yield ""
    yield _LIVE.format("SSE: idle streams in one process", "KiB each", "p50 ms", "p99 ms", "last ms")
    for one in measured:
        name = f"{one.streams} of {one.games} game{'s' * (one.games > 1)}, a move in each"
        yield _LIVE.format(name, f"{one.memory / 1024:.0f}", *_delays([*chain(*one.delays)]), _ms(_last(one.delays)))


def of_news(hinted: Sequence[float], lost: Sequence[float]) -> Iterator[str]:
    """Say how long after its ack at one process a move is on a stream of the other."""
    yield ""
    yield _LIVE.format("SSE: from one process to the other", "moves", "p50 ms", "p99 ms", "last ms")
    for name, delays in (("with hints", hinted), ("every hint lost", lost)):
        yield _LIVE.format(name, len(delays), *_delays(delays), _ms(max(delays)))


def _delays(delays: Sequence[float]) -> tuple[str, str]:
    return _ms(percentile(delays, 50)), _ms(percentile(delays, 99))


def _last(delays: Sequence[Sequence[float]]) -> float:
    return statistics.median(max(each) for each in delays)


def of_appends(grouped: Rates, single: Rates) -> Iterator[str]:
    """Say how fast the log is written, against a statement a commit."""
    yield ""
    yield _PLAIN.format(f"log: durable commits, {WRITERS} writers", "per s", "ratio")
    yield _PLAIN.format("group commit", *_rate_and_ratio(grouped, single))
    yield _PLAIN.format("a statement each", *_rate_and_ratio(single, single))


def _rounds(name: str, rounds: Sequence[Round], limits: Sequence[Round]) -> str:
    rates = _rate_and_ratio([one.rate for one in rounds], [one.rate for one in limits])
    cpu = [one.cpu_each * _MICRO for one in rounds]
    cpu_ratio = ratio(cpu, [one.cpu_each * _MICRO for one in limits])
    return _HTTP.format(name, *rates, f"{statistics.median(cpu):.0f}", f"{cpu_ratio:.2f}", *_p50_p99(rounds))


def _p50_p99(rounds: Sequence[Round]) -> tuple[str, str]:
    return _delays([latency for one in rounds for latency in one.latencies])


def _ms(seconds: float) -> str:
    return f"{seconds * _MILLI:.1f}"


def _rate_and_ratio(rates: Rates, limits: Rates) -> tuple[str, str]:
    return f"{statistics.median(rates):.0f}", f"{ratio(rates, limits):.2f}"


def percentile(values: Sequence[float], percent: int) -> float:
    """Return the smallest of `values` that `percent` of them do not exceed."""
    return sorted(values)[max(0, -(-len(values) * percent // 100) - 1)]
