"""`make bench`: what the service does, as ratios to limits measured in the same run; the figures themselves are the machine's."""

import argparse
import asyncio
from collections.abc import Iterable

from uvloop import new_event_loop

from service.store import migrate
from service.store.embedded import temporary_server
from tests.bench import report, trials
from tests.bench.script import SEATS
from tests.bench.serving import running

# Each of the 64 writers of a statement a commit has a connection of its own.
_POSTGRES = {"max_connections": "100"}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser("python -m tests.bench", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="measure less: twice as fast, and more noise")
    size = trials.QUICK if parser.parse_args().quick else trials.FULL
    print(report.machine())
    _print(report.of_core(trials.core_rates(size)))
    with temporary_server(settings=_POSTGRES) as dsn, asyncio.Runner(loop_factory=new_event_loop) as runner:
        runner.run(_measure(dsn, size))


async def _measure(dsn: str, size: trials.Size) -> None:
    await migrate.migrate(dsn)
    with running("service", dsn) as service, running("limit", dsn) as limit:
        loads = [
            await trials.load(service, limit, persons, tables, size) for persons in (SEATS, 1) for tables in (16, 64)
        ]
    _print(report.of_load(loads))
    _print(report.of_appends(*await trials.append_rates(dsn, size)))


def _print(lines: Iterable[str]) -> None:
    print(*lines, sep="\n", flush=True)


if __name__ == "__main__":
    main()
