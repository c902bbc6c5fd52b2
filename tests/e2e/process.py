"""The service as a real process."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Self

_START_SECONDS = 60


class ServiceProcess:
    """`pocha serve` on a free port; as a context manager it is stopped at the end."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        clean = {name: value for name, value in os.environ.items() if not name.startswith("POCHA_")}
        self._process = subprocess.Popen(
            [sys.executable, "-m", "service.cli.main", "serve"],
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

    def stop(self, how: signal.Signals = signal.SIGTERM) -> int:
        """Send a signal, and return the exit code; the end must come within 20 seconds."""
        self._process.send_signal(how)
        return self.wait()

    def wait(self) -> int:
        """Return the exit code; the end must come within 20 seconds."""
        code = self._process.wait(20)
        self._reader.join(5)
        if self._process.stdout:
            self._process.stdout.close()
        return code

    def _read(self) -> None:
        assert self._process.stdout
        self.output.extend(self._process.stdout)

    def _address(self) -> str:
        deadline = time.monotonic() + _START_SECONDS
        while time.monotonic() < deadline and self._process.poll() is None:
            for line in list(self.output):
                if "serving at " in line:
                    return line.partition("serving at ")[2].split()[0]
            time.sleep(0.02)
        self.stop(signal.SIGKILL)
        raise AssertionError("the service did not start: " + "".join(self.output))
