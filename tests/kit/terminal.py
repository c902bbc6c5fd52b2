"""A program in a pseudo-terminal, as a person at a keyboard drives it."""

import os
import pty
import re
import select
import subprocess
import time
from collections.abc import Sequence
from typing import Self

from tests.kit.waiting import PATIENCE_SECONDS

_CLEAR = "\x1b[2J\x1b[H"
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")


class Terminal:
    """A program and its terminal; as a context manager it is killed at the end."""

    def __init__(self, command: Sequence[str], environment: dict[str, str]) -> None:
        self._master, slave = pty.openpty()
        self._process = subprocess.Popen(
            command, stdin=slave, stdout=slave, stderr=slave, env={**os.environ, "TERM": "xterm", **environment}
        )
        os.close(slave)
        self.text = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._master)

    @property
    def screen(self) -> str:
        """What was written since the screen was cleared last, without colours."""
        return _COLOUR.sub("", self.text.rpartition(_CLEAR)[2]).replace("\r\n", "\n")

    def press(self, keys: str) -> None:
        """Press keys."""
        os.write(self._master, keys.encode())

    def wait_for(self, *texts: str) -> str:
        """Return the first of `texts` that is on the screen, once there is one.

        Raises:
            TimeoutError: there is none while a test has patience.
        """
        end = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < end:
            for text in texts:
                if text in self.screen:
                    return text
            if not self._read(end - time.monotonic()):
                break
        raise TimeoutError(f"none of {texts} is on the screen:\n{self.screen}")

    def end(self) -> int:
        """Return the exit code, once the program has ended."""
        while self._read(PATIENCE_SECONDS):
            pass
        return self._process.wait(PATIENCE_SECONDS)

    def _read(self, seconds: float) -> bool:
        """Read what is written next; tell whether there was anything."""
        if not select.select([self._master], [], [], max(0, seconds))[0]:
            return False
        try:
            data = os.read(self._master, 65536)
        except OSError:  # the program has ended
            return False
        self.text += data.decode(errors="replace")
        return bool(data)
