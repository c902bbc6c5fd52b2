"""A crowd that reads as fast as it may, in a process of its own: `python -m tests.bench.crowd URL PATH TOKEN READERS`, until told to stop.

It says `ready` once all are connected, and at the end how many reads were answered and how many were sent away.
"""

import asyncio
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import msgspec
from uvloop import new_event_loop

from tests.bench.serving import Running
from tests.kit.wire import Wire, request


class Crowd(msgspec.Struct):
    """How many of the crowd's reads were answered, and how many were sent away with 503; known at its end."""

    answered: int = 0
    sent_away: int = 0


@contextmanager
def crowd(server: Running, path: str, token: str, readers: int) -> Generator[Crowd]:
    """Let so many readers ask for `path` meanwhile, each without a pause."""
    found = Crowd()
    with subprocess.Popen(
        [sys.executable, "-m", "tests.bench.crowd", server.url, path, token, str(readers)],
        cwd=Path(__file__).parents[2],
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout
        assert process.stdout.readline().strip() == "ready"
        yield found
        process.terminate()
        found.answered, found.sent_away = map(int, process.stdout.readline().split())


async def read_on(url: str, path: str, token: str, readers: int) -> None:
    """Read until SIGTERM."""
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    wires = [await Wire.open(url) for _ in range(readers)]
    print("ready", flush=True)
    statuses: Counter[int] = Counter()
    asked = request("GET", path, token=token)
    reading = [asyncio.create_task(_read(wire, asked, statuses)) for wire in wires]
    await stop.wait()
    for task in reading:
        task.cancel()
    print(statuses[200], statuses[503], flush=True)


async def _read(wire: Wire, asked: bytes, statuses: Counter[int]) -> None:
    while True:
        statuses[(await wire.ask(asked)).status] += 1


if __name__ == "__main__":
    with asyncio.Runner(loop_factory=new_event_loop) as runner:
        runner.run(read_on(sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])))
