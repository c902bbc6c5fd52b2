"""The service as a real process."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Self

from tests.kit.waiting import PATIENCE_SECONDS, wait_until


class ServiceProcess:
    """`pocha serve` on a free port; as a context manager it is stopped at the end."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        clean = {name: value for name, value in os.environ.items() if not name.startswith("POCHA_")}
        self._process = subprocess.Popen(
            [sys.executable, "-m", "service", "serve"],
            env={**clean, "POCHA_PORT": "0", "POCHA_DRAIN_SECONDS": "0", "PYTHONUNBUFFERED": "1", **environment},
            cwd=Path(__file__).parents[2],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.output: list[str] = []
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self.url = self._address()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def send(self, how: signal.Signals) -> None:
        """Send a signal."""
        self._process.send_signal(how)

    def stop(self, how: signal.Signals = signal.SIGTERM) -> int:
        """Send a signal, and return the exit code; the end must come while a test has patience."""
        self.send(how)
        return self.wait()

    def wait(self) -> int:
        """Return the exit code; the end must come while a test has patience."""
        code = self._process.wait(PATIENCE_SECONDS)
        self._reader.join(PATIENCE_SECONDS)
        if self._process.stdout:
            self._process.stdout.close()
        return code

    def _read(self) -> None:
        assert self._process.stdout
        self.output.extend(self._process.stdout)

    def _address(self) -> str:
        try:
            wait_until(lambda: self._said() or self._process.poll() is not None)
            return self._said()[0].partition("serving at ")[2].split()[0]
        except (TimeoutError, IndexError):
            self.stop(signal.SIGKILL)
            raise AssertionError("the service did not start: " + "".join(self.output)) from None

    def _said(self) -> list[str]:
        return [line for line in self.output if "serving at " in line]
