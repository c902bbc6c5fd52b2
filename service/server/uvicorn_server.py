"""Our own uvicorn runner: one process, that says where it listens and stops cleanly when told to.

The first SIGTERM begins the draining: everything is served on for `drain_seconds`, so that whoever routes requests notices, and then
the server stops. SIGINT (Ctrl-C), or `should_exit` from any thread, stops it at once. To stop is to close the listening sockets and what
is idle, and to finish what runs.
"""

import asyncio
import gc
import math
import signal
import socket
import time
from collections.abc import Awaitable, Callable
from importlib.util import find_spec
from types import FrameType

import uvicorn

from service.application.draining import Draining

_FINISH_SECONDS = 4
"""How long what runs may take when the server stops. With 2 seconds of draining and the end of the log it stays under 10."""
_CANCEL_SECONDS = 1
"""How much later that is broken off which is still not done, though nobody can hear of it any more."""
IDLE_SECONDS = 75
"""How long a connection may be idle: longer than load balancers keep theirs (60 is usual), so that it is not us who close one in use."""
_BACKLOG = 2048
_HTTP = "service.server.protocol:Protocol" if find_spec("httptools") else "h11"  # there is no httptools for Windows


class CannotListen(OSError):
    """The address cannot be had; the message names the settings that chose it."""


def listening_socket(host: str, port: int) -> socket.socket:
    """Return a socket that listens at the address.

    Raises:
        CannotListen: it is taken, forbidden, or none of this machine's.
    """
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        return socket.create_server(address, family=family, backlog=_BACKLOG)
    except OSError as error:
        raise CannotListen(f"POCHA_HOST, POCHA_PORT: cannot listen at {host}:{port}: {error.strerror}") from error


class Server(uvicorn.Server):
    """A uvicorn server that calls `on_ready` with its address, such as `http://127.0.0.1:8000`, once it listens."""

    def __init__(
        self,
        app: Callable[..., Awaitable[None]],
        host: str,
        port: int,
        on_ready: Callable[[str], None],
        draining: Draining,
        drain_seconds: float,
    ) -> None:
        super().__init__(
            uvicorn.Config(
                app,
                host=host,
                port=port,
                http=_HTTP,
                access_log=False,
                log_config=None,
                server_header=False,
                proxy_headers=False,
                timeout_keep_alive=IDLE_SECONDS,
                timeout_graceful_shutdown=_FINISH_SECONDS + _CANCEL_SECONDS,
            )
        )
        self._on_ready = on_ready
        self._draining = draining
        self._drain_seconds = drain_seconds
        self._stop_at = math.inf

    async def serve(self, sockets: list[socket.socket] | None = None) -> None:
        """Serve until told to stop.

        Raises:
            CannotListen: the address cannot be had.
        """
        await super().serve(sockets or [listening_socket(self.config.host, self.config.port)])

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to listen."""
        await super().startup(sockets)
        if self.started:
            _settle()
            self._on_ready(self._address())

    async def on_tick(self, counter: int) -> bool:
        """Look, ten times a second, whether it is time to drain or to stop."""
        if self._stop_at < math.inf:
            self._draining.begin()
        self.should_exit = self.should_exit or time.monotonic() >= self._stop_at
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop; when the time is over, cut off whoever does not take an answer."""
        self._draining.begin()
        end = asyncio.get_running_loop().call_later(_FINISH_SECONDS, self._cut_off)
        await super().shutdown(sockets)
        end.cancel()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:  # noqa: ARG002 - the signature of signal handlers
        """Drain and stop; stop now, when asked from the keyboard or before anybody was served; at once, when asked so again."""
        # uvicorn's own handler would raise the signal once more after the end, and kill us before the log is closed. This one runs
        # between any two instructions, so it only leaves word for `on_tick`.
        if sig == signal.SIGINT:
            self.force_exit = self.should_exit
        elif self.started:
            self._stop_at = min(self._stop_at, time.monotonic() + self._drain_seconds)
            return
        self.should_exit = True

    def _cut_off(self) -> None:
        for connection in list(self.server_state.connections):
            connection.transport.abort()

    def _address(self) -> str:
        # Port 0 means any free one: the socket knows which.
        host, port = self.servers[0].sockets[0].getsockname()[:2]
        return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _settle() -> None:
    """Keep the garbage collector away from all that was made for the start; it stays, and to go through it takes tens of milliseconds."""
    gc.collect()
    gc.freeze()
