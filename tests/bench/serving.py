"""The servers that are measured, each a process of its own: `python -m tests.bench.serving service|limit DATABASE`."""

import asyncio
import logging
import math
import subprocess
import sys
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path

import msgspec
from litestar.types import ASGIApp
from uvloop import new_event_loop

from service.app import create_app
from service.clock import SystemClock
from service.ports import GameLog
from service.server import Server
from service.store.postgres import PostgresLog
from tests.bench.limit import Limit
from tests.bench.script import FixedShuffler

_SECRET = b"the key of the measurements, of no use elsewhere"
_SCHEDULER_CLOCK = 2


class Running(msgspec.Struct, frozen=True):
    """A server: where it listens, and its process."""

    url: str
    pid: int

    def cpu_seconds(self) -> float:
        """Return the processor time, user and system, that the process has used so far; not a number where only Linux can tell."""
        # The clock of another process, as `clock_getcpuclockid` names it: to the nanosecond, where /proc counts hundredths of a second.
        return time.clock_gettime(~self.pid << 3 | _SCHEDULER_CLOCK) if sys.platform == "linux" else math.nan


@contextmanager
def running(name: str, dsn: str) -> Generator[Running]:
    """Run the server `name` in a process of its own."""
    with subprocess.Popen(
        [sys.executable, "-m", "tests.bench.serving", name, dsn],
        cwd=Path(__file__).parents[2],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        try:
            assert process.stdout
            url = process.stdout.readline().strip()
            assert url, f"the server {name} did not start"
            yield Running(url, process.pid)
        finally:
            process.terminate()


def _service(log: GameLog) -> ASGIApp:
    return create_app(log, SystemClock(), FixedShuffler(), _SECRET)


_APPS: dict[str, Callable[[GameLog], ASGIApp]] = {"service": _service, "limit": Limit}


async def serve(name: str, dsn: str) -> None:
    """Serve until told to stop; say where on standard output."""
    log = await PostgresLog.open(dsn)
    try:
        await Server(_APPS[name](log), "127.0.0.1", 0, lambda url: print(url, flush=True)).serve()
    finally:
        await log.close()


if __name__ == "__main__":
    # As `pocha serve` does it: the access log is part of what is measured.
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s %(message)s")
    with asyncio.Runner(loop_factory=new_event_loop) as runner:
        runner.run(serve(sys.argv[1], sys.argv[2]))
