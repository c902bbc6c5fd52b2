"""`make bench`: what the service does, as ratios to limits measured in the same run; the figures themselves are the machine's."""

import argparse
import asyncio
import resource
from collections.abc import Iterable

from uvloop import new_event_loop

from service.adapters.embedded_postgres import temporary_server
from service.adapters.postgres import layout
from tests.bench import live, report, trials
from tests.bench.postgres_cpu import PostgresCpu
from tests.bench.script import SHORT
from tests.bench.serving import running

# Each of the 64 writers of a statement a commit has a connection of its own.
_POSTGRES = {"max_connections": "100"}
_CLOSED = (SHORT.seats, 64)
_LOADS = ((SHORT.seats, 64), (SHORT.seats, 256), (1, 64))
_TABLES = (1, 16, 64)
_BESIDE = 16


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser("python -m tests.bench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="measure less: twice as fast, and more noise")
    parser.add_argument("--buckets", type=int, default=1, help="how many buckets the games lie in")
    only = parser.add_mutually_exclusive_group()
    only.add_argument("--ways", action="store_true", help="measure only the core and the ways to play")
    only.add_argument("--robots", action="store_true", help="measure only moves beside hard robots")
    chosen = parser.parse_args()
    size = trials.QUICK if chosen.quick else trials.FULL
    _raise_descriptor_limit()
    print(report.machine())
    if not chosen.robots:
        _print(report.of_core(trials.core_rates(size)))
    with temporary_server(settings=_POSTGRES) as dsn, asyncio.Runner(loop_factory=new_event_loop) as runner:
        runner.run(layout.migrate(dsn, chosen.buckets))
        runner.run(_beside_robots(dsn, size) if chosen.robots else _measure(dsn, size, only_ways=chosen.ways))


async def _beside_robots(dsn: str, size: trials.Size) -> None:
    with running("service", dsn) as service:
        rounds, searched = await trials.beside_robots(service, _BESIDE, size)
    _print(report.of_robots(rounds, size.hard_tables, searched))


async def _measure(dsn: str, size: trials.Size, *, only_ways: bool) -> None:
    postgres = await PostgresCpu.of(dsn)
    with running("service", dsn) as service, running("service", dsn) as twin, running("limit", dsn) as limit:
        played = [await trials.played((service, twin, limit), tables, size, postgres) for tables in _TABLES]
        _print(report.of_control(played))
        for one in played:
            _print(report.of_ways(one))
    if only_ways:
        return
    with running("service", dsn) as service, running("limit", dsn) as limit:
        loads = [await trials.load(service, limit, persons, tables, size) for persons, tables in _LOADS]
        _print(report.of_load(loads))
        closed = next(load for load in loads if (load.persons, load.tables) == _CLOSED)
        _print(report.of_open_loop(closed, await trials.open_loop(service, closed, size)))
        calm, beside, crowd = await trials.crowded(service, closed, size)
        _print(report.of_crowd(calm, beside, size.readers, crowd))
    await _beside_robots(dsn, size)
    with running("service", dsn) as one, running("service", dsn) as other:
        _print(report.of_replicas(_CLOSED[1], *await trials.together(one, other, *_CLOSED, size)))
        hinted = await live.across(one, other, size.streamed * 5)
    _print(report.of_news(hinted, await trials.unhinted(dsn, size)))
    _print(report.of_streams(await trials.fan_outs(dsn, size)))
    _print(report.of_appends(*await trials.append_rates(dsn, size)))


def _raise_descriptor_limit() -> None:
    """Let this process and its children have as many open sockets as they may: each stream is one at either end."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def _print(lines: Iterable[str]) -> None:
    print(*lines, sep="\n", flush=True)


if __name__ == "__main__":
    main()
