"""Our own uvicorn runner: one process, that says where it listens and stops cleanly when told to."""

import gc
import signal
import socket
from collections.abc import Awaitable, Callable
from types import FrameType

import uvicorn

_STOP_SECONDS = 10
_BACKLOG = 2048


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
        self, app: Callable[..., Awaitable[None]], host: str, port: int, on_ready: Callable[[str], None]
    ) -> None:
        super().__init__(
            uvicorn.Config(
                app,
                host=host,
                port=port,
                access_log=False,
                log_config=None,
                server_header=False,
                proxy_headers=False,
                timeout_graceful_shutdown=_STOP_SECONDS,
            )
        )
        self._on_ready = on_ready

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

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:  # noqa: ARG002 - the signature of signal handlers
        """Stop: finish what runs; at once, when asked again from the keyboard."""
        # uvicorn's own handler would raise the signal once more after the end, and kill us before the log is closed.
        self.force_exit = self.should_exit and sig == signal.SIGINT
        self.should_exit = True

    def _address(self) -> str:
        # Port 0 means any free one: the socket knows which.
        host, port = self.servers[0].sockets[0].getsockname()[:2]
        return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _settle() -> None:
    """Keep the garbage collector away from all that was made for the start; it stays, and to go through it takes tens of milliseconds."""
    gc.collect()
    gc.freeze()
