"""A container's process, seen from outside."""

import os
import signal
import subprocess
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Self

_START_SECONDS = 60


class Running:
    """A command that ends up as `pocha serve`, on a port that it chooses; as a context manager it is stopped at the end.

    `ended_by` names the process that is told to stop.
    """

    def __init__(self, command: Sequence[str], ended_by: str = "tini") -> None:
        self._ended_by = ended_by
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.output: list[str] = []
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self.address = self._said()

    @property
    def url(self) -> str:
        """Where it can be reached from this machine."""
        return self.address.replace("0.0.0.0", "127.0.0.1")  # noqa: S104 - what it says, not where we listen

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._process.poll() is None:
            self.stop()

    def process(self, name: str) -> int:
        """Return the id of the process of this name among those that the command started."""
        (found,) = [each for each in _descendants(self._process.pid) if _name(each) == name]
        return found

    def stop(self) -> int:
        """Do as Kubernetes does: send SIGTERM to the container's first process; return the exit code."""
        os.kill(self.process(self._ended_by), signal.SIGTERM)
        return self._end()

    def _end(self) -> int:
        code = self._process.wait(20)
        self._reader.join(5)
        if self._process.stdout:
            self._process.stdout.close()
        return code

    def _read(self) -> None:
        assert self._process.stdout
        self.output.extend(self._process.stdout)

    def _said(self) -> str:
        deadline = time.monotonic() + _START_SECONDS
        while time.monotonic() < deadline and self._process.poll() is None:
            for line in list(self.output):
                if "serving at " in line:
                    return line.partition("serving at ")[2].split()[0]
            time.sleep(0.02)
        self._process.kill()
        self._end()
        raise AssertionError("the container did not start: " + "".join(self.output))


def _descendants(pid: int) -> Iterator[int]:
    for thread in Path(f"/proc/{pid}/task").iterdir():
        for child in map(int, (thread / "children").read_text().split()):
            yield child
            yield from _descendants(child)


def _name(pid: int) -> str:
    return Path(f"/proc/{pid}/comm").read_text().strip()
