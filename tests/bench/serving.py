"""The servers that are measured, each a process of its own: `python -m tests.bench.serving service|deaf|limit DATABASE`."""

import asyncio
import math
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import msgspec
from litestar.types import ASGIApp
from uvloop import new_event_loop

from service.adapters.clock import SystemClock
from service.adapters.memory.notifier import MemoryNotifier
from service.adapters.postgres.notifier import PostgresNotifier
from service.adapters.postgres.store import open_store
from service.application.draining import Draining
from service.application.ports import GameStore, Notifier
from service.bootstrap.service import Service
from service.cli.listening import listening_socket, url_of
from service.observability import log_format
from service.observability.metrics import Metrics
from service.rest.rate_limit.client_address import ClientAddresses
from service.rest.rate_limit.config import RateLimitConfig
from service.rest.rate_limit.memory import MemoryRateStore
from service.rest.rate_limit.policies import Policy, PolicyQuotas
from service.server.uvicorn_server import Server
from tests.bench.limit import Limit
from tests.bench.script import FixedShuffler

_SECRET = b"the key of the measurements, of no use elsewhere"
_SCHEDULER_CLOCK = 2
_LIMITS = dict.fromkeys(Policy, "999999/1")
"""Requests are counted, and never refused."""
ROOT = Path(__file__).parents[2]


class Running(msgspec.Struct, frozen=True):
    """A server: where it listens, and its process."""

    url: str
    pid: int

    def cpu_seconds(self) -> float:
        """Return the processor time, user and system, that the process has used so far; not a number where only Linux can tell."""
        # The clock of another process, as `clock_getcpuclockid` names it: to the nanosecond, where /proc counts hundredths of a second.
        return time.clock_gettime(~self.pid << 3 | _SCHEDULER_CLOCK) if sys.platform == "linux" else math.nan

    def memory(self) -> float:
        """Return the bytes of memory that the process holds now; not a number where only Linux can tell."""
        status = Path(f"/proc/{self.pid}/status")
        if not status.exists():
            return math.nan
        return int(status.read_text().partition("VmRSS:")[2].split()[0]) * 1024


@contextmanager
def running(name: str, dsn: str, root: Path = ROOT) -> Generator[Running]:
    """Run the server `name` of the checkout at `root` in a process of its own, its log in a file."""
    with (
        tempfile.TemporaryFile() as log,
        subprocess.Popen(
            [sys.executable, "-m", "tests.bench.serving", name, dsn],
            cwd=root,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
        ) as process,
    ):
        try:
            assert process.stdout
            url = process.stdout.readline().strip()
            assert url, f"the server {name} did not start"
            yield Running(url, process.pid)
        finally:
            process.terminate()


@asynccontextmanager
async def _service(log: GameStore, dsn: str, draining: Draining) -> AsyncGenerator[ASGIApp]:
    """Give the service as `pocha serve` runs it, dealing the game of the script."""
    hints = PostgresNotifier(dsn)
    await hints.open()
    async with _living(log, hints, draining) as app:
        yield app


@asynccontextmanager
async def _limit(log: GameStore, _dsn: str, _draining: Draining) -> AsyncGenerator[ASGIApp]:
    yield Limit(log)


@asynccontextmanager
async def _deaf(log: GameStore, _dsn: str, draining: Draining) -> AsyncGenerator[ASGIApp]:
    """Give the service as if every hint from process to process were lost."""
    async with _living(log, MemoryNotifier(), draining) as app:
        yield app


@asynccontextmanager
async def _living(log: GameStore, hints: Notifier, draining: Draining) -> AsyncGenerator[ASGIApp]:
    limits = RateLimitConfig(PolicyQuotas(_LIMITS), MemoryRateStore(), ClientAddresses(()))
    service = Service(log, SystemClock(), FixedShuffler(), _SECRET, notifier=hints, draining=draining, limits=limits)
    living = asyncio.create_task(service.run_background())
    try:
        yield service.asgi
    finally:
        living.cancel()
        await hints.close()


_APPS = {"service": _service, "deaf": _deaf, "limit": _limit}


async def serve(name: str, dsn: str) -> None:
    """Serve until told to stop; say where on standard output."""
    log, draining = await open_store(dsn, Metrics()), Draining()
    try:
        async with _APPS[name](log, dsn, draining) as app:
            listening = listening_socket("127.0.0.1", 0)
            await Server(app, lambda: print(url_of(listening), flush=True), draining, 0).serve([listening])
    finally:
        await log.close()


if __name__ == "__main__":
    # As `pocha serve` does it: the access log is part of what is measured, and so are the figures.
    log_format.configure("info", "json")
    with asyncio.Runner(loop_factory=new_event_loop) as runner:
        runner.run(serve(sys.argv[1], sys.argv[2]))
