"""The uvicorn server, which drains before it stops.

The first SIGTERM starts draining: requests are served for `drain_seconds` more, so that load balancers notice. Then the server closes
idle connections, finishes what runs, and stops. SIGINT (Ctrl-C), or `should_exit` from any thread, stops it without draining.
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
from typing_extensions import override

from service.application.draining import Draining

App = Callable[..., Awaitable[None]]

IDLE_SECONDS = 75  # longer than load balancers keep a connection (usually 60 s), so that they close it first
_FINISH_SECONDS = 4  # for running requests at the end: with 2 s of draining, the process ends within 10 s
_HTTP = "service.server.protocol:Protocol" if find_spec("httptools") else "h11"  # Windows has no httptools


class Server(uvicorn.Server):
    """A uvicorn server, for the sockets given to `serve`, that calls `on_ready` once it accepts requests."""

    def __init__(self, app: App, on_ready: Callable[[], None], draining: Draining, drain_seconds: float) -> None:
        config = uvicorn.Config(app, http=_HTTP, access_log=False, log_config=None, proxy_headers=False)
        config.server_header = False
        config.timeout_keep_alive = IDLE_SECONDS
        config.timeout_graceful_shutdown = _FINISH_SECONDS + 1
        super().__init__(config)
        self._on_ready = on_ready
        self._draining = draining
        self._drain_seconds = drain_seconds
        self._stop_at = math.inf

    @override
    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            gc.collect()
            gc.freeze()  # to scan the objects of the start takes tens of milliseconds
            self._on_ready()

    @override
    async def on_tick(self, counter: int) -> bool:
        self.should_exit = self.should_exit or time.monotonic() >= self._stop_at
        if self.should_exit or self._stop_at < math.inf:
            self._draining.begin()
        return await super().on_tick(counter)

    @override
    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        # A second later uvicorn would cancel what still runs for clients that read nothing, and log an error.
        abort = asyncio.get_running_loop().call_later(_FINISH_SECONDS, self._abort_connections)
        await super().shutdown(sockets)
        abort.cancel()

    def _abort_connections(self) -> None:
        for connection in list(self.server_state.connections):
            connection.transport.abort()

    @override
    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        # uvicorn's own handler raises the signal again after the end, which would kill the process before the store is closed. This one
        # runs between any two instructions, so it only leaves a note for `on_tick`.
        if self.started and sig != signal.SIGINT:
            self._stop_at = min(self._stop_at, time.monotonic() + self._drain_seconds)
        else:
            self.force_exit = self.should_exit
            self.should_exit = True
