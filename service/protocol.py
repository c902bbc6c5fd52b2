"""One connection, as our server speaks HTTP/1.1 on it: uvicorn's way by httptools, made to answer fast, to stream and to drain."""

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from service.transport import ABORT, JoiningTransport

REQUEST_SECONDS = 10.0
"""How long a request may be on its way, from its first byte to its last. Whoever sends more slowly would hold a place for nothing."""


class Protocol(HttpToolsProtocol):
    """Sends an answer in one piece, waits for a request only so long; each request finds `ABORT` in its scope."""

    _under_way = False
    _out_of_time: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:
        """See `asyncio.Protocol`."""
        joining = JoiningTransport(transport, self.loop)
        self._extensions: Any = {ABORT: joining.abort}
        super().connection_made(joining)

    def connection_lost(self, exc: Exception | None) -> None:
        """See `asyncio.Protocol`."""
        self._stop_the_clock()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """See `asyncio.Protocol`."""
        super().data_received(data)
        # Nearly all requests come in one piece, and need no clock. While one waits for its turn, nothing more is read of it.
        if not self._under_way or self.pipeline:
            self._stop_the_clock()
        elif self._out_of_time is None:
            self._out_of_time = self.loop.call_later(REQUEST_SECONDS, self.transport.close)

    def on_message_begin(self) -> None:
        """Begin with a request."""
        super().on_message_begin()
        self.scope["extensions"] = self._extensions
        self._under_way = True

    def on_message_complete(self) -> None:
        """Take it that the request is whole."""
        super().on_message_complete()
        self._under_way = False

    def shutdown(self) -> None:
        """Close the connection, at once or after the answers that are due; whoever is in the middle of a request will ask somebody else."""
        if self.cycle and self.cycle.more_body and not self.pipeline:
            self.transport.close()
        else:
            super().shutdown()

    def _stop_the_clock(self) -> None:
        if self._out_of_time is not None:
            self._out_of_time.cancel()
            self._out_of_time = None
