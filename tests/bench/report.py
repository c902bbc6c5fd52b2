"""The figures as lines of text."""

import os
import platform
import statistics
from collections.abc import Iterator, Sequence

from tests.bench.appends import WRITERS
from tests.bench.load import Round
from tests.bench.trials import Load, Rates, ratio

_MICRO = 1e6
_MILLI = 1e3
_HTTP = "  {:34} {:>8} {:>6} {:>7} {:>6} {:>7} {:>7}"
_PLAIN = "  {:34} {:>8} {:>6}"


def machine() -> str:
    """Say what all this was measured on."""
    load = os.getloadavg()[0]
    return f"{os.cpu_count()} cores ({platform.machine()}, load {load:.1f}), Python {platform.python_version()}, {platform.system()}"


def of_core(rates: dict[str, Rates]) -> Iterator[str]:
    """Say how fast hands are played out, against the rules alone."""
    yield ""
    yield _PLAIN.format("core: hands of 10 cards, 4 players", "hands/s", "ratio")
    for way, measured in rates.items():
        yield _PLAIN.format(way, *_rate_and_ratio(measured, rates["rules"]))


def of_load(loads: Sequence[Load]) -> Iterator[str]:
    """Say what moves over HTTP cost, against the writes of the limit."""
    yield ""
    yield _HTTP.format("HTTP: durable moves", "moves/s", "ratio", "CPU us", "ratio", "p50 ms", "p99 ms")
    for load in loads:
        who = f"{load.persons} persons" if load.persons > 1 else "1 person, 2 robots"
        yield _rounds(f"{load.tables} tables of {who}", load.moves, load.writes)
        yield _rounds(f"{load.tables} connections to the limit", load.writes, load.writes)
    every = [one for load in loads for one in load.moves]
    own = sum(one.own_cpu for one in every) / sum(one.count for one in every)
    yield f"  (the generator, in a process of its own, used {own * _MICRO:.0f} us a move)"


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
    latencies = [one * _MILLI for each in rounds for one in each.latencies]
    p50, p99 = (f"{percentile(latencies, percent):.1f}" for percent in (50, 99))
    return _HTTP.format(name, *rates, f"{statistics.median(cpu):.0f}", f"{cpu_ratio:.2f}", p50, p99)


def _rate_and_ratio(rates: Rates, limits: Rates) -> tuple[str, str]:
    return f"{statistics.median(rates):.0f}", f"{ratio(rates, limits):.2f}"


def percentile(values: Sequence[float], percent: int) -> float:
    """Return the smallest of `values` that `percent` of them do not exceed."""
    return sorted(values)[max(0, -(-len(values) * percent // 100) - 1)]
