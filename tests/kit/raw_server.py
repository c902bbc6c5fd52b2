"""The HTTP server with any ASGI app, in this process, and raw connections to it: for what no HTTP client would send."""

import asyncio
import socket
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any, cast

from litestar.types import Receive, Scope, Send
from uvicorn.importer import import_from_string
from uvicorn.protocols.http.h11_impl import H11Protocol

from service.application.draining import Draining
from service.rest.responses import EncodedResponse
from service.server.uvicorn_server import Server
from tests.kit.waiting import PATIENCE_SECONDS, until

App = Callable[[Scope, Receive, Send], Awaitable[None]]
Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]

HTTP = ["service.server.protocol:Protocol", "h11"]
"""The server's own protocol, and the one that stands in where there is no httptools."""
GET = b"GET / HTTP/1.1\r\nhost: x\r\n\r\n"
HALF = b"POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{"


class RawServer:
    """A server, its task, and a way to reach it."""

    def __init__(
        self, app: App, drain_seconds: float, http: str, draining: Draining, listening: socket.socket | None
    ) -> None:
        self.draining = draining
        self._ready = asyncio.Event()
        listening = listening or socket.create_server(("127.0.0.1", 0))
        self._address: tuple[str, int] = listening.getsockname()
        self._accepted = 0
        self._received = 0
        self.server = Server(app, self._ready.set, self.draining, drain_seconds)
        self.server.config.http = self._counting(H11Protocol if http == "h11" else import_from_string(http))
        self.server.config.lifespan = "off"  # the apps here know requests only
        self.task = asyncio.create_task(self.server.serve([listening]))

    def _counting(self, protocol: Any) -> type[asyncio.Protocol]:
        def connection_made(connection: Any, transport: Any) -> None:
            protocol.connection_made(connection, transport)
            self._accepted += 1

        def data_received(connection: Any, data: bytes) -> None:
            protocol.data_received(connection, data)
            self._received += len(data)

        members = {"connection_made": connection_made, "data_received": data_received}
        return cast("type[asyncio.Protocol]", type("Counting", (protocol,), members))

    async def url(self) -> str:
        """Return where it listens, once it does."""
        await self._ready.wait()
        return f"http://127.0.0.1:{self._address[1]}"

    async def connect(self, connecting: socket.socket | None = None) -> Streams:
        """Return a new connection, by a socket of its own if one is given; the server knows of it."""
        await self._ready.wait()
        expected = self._accepted + 1
        if connecting is None:
            streams = await asyncio.open_connection(*self._address)
        else:
            connecting.setblocking(False)
            await asyncio.get_running_loop().sock_connect(connecting, self._address)
            streams = await asyncio.open_connection(sock=connecting)
        await until(lambda: self._accepted >= expected)
        return streams

    async def send(self, writer: asyncio.StreamWriter, *pieces: bytes) -> None:
        """Send pieces, and let the server read each by itself. Nothing else may be sent to the server meanwhile."""
        for piece in pieces:
            expected = self._received + len(piece)
            writer.write(piece)
            await until(lambda expected=expected: self._received >= expected)

    async def ends(self) -> None:
        """Return when the server has stopped."""
        await asyncio.wait_for(self.task, PATIENCE_SECONDS)


@asynccontextmanager
async def running(
    app: App,
    drain_seconds: float = 0,
    http: str = HTTP[0],
    draining: Draining | None = None,
    listening: socket.socket | None = None,
) -> AsyncGenerator[RawServer]:
    """Run a server until the block is left."""
    server = RawServer(app, drain_seconds, http, draining or Draining(), listening)
    try:
        yield server
    finally:
        server.server.should_exit = server.server.force_exit = True
        await server.task


async def read(reader: asyncio.StreamReader) -> bytes:
    """Return what comes next."""
    return await asyncio.wait_for(reader.read(1 << 20), PATIENCE_SECONDS)


async def read_to_end(reader: asyncio.StreamReader) -> bytes:
    """Return what comes until the other end closes or breaks the connection."""
    came = b""
    with suppress(ConnectionError):
        while piece := await read(reader):
            came += piece
    return came


async def answer(reader: asyncio.StreamReader, *, body: bool = True) -> tuple[bytes, bytes]:
    """Return the head, in lower case, and the body of the next answer."""
    head = (await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), PATIENCE_SECONDS)).lower()
    length = int(head.partition(b"content-length: ")[2].partition(b"\r\n")[0] or 0)
    return head, await asyncio.wait_for(reader.readexactly(length if body else 0), PATIENCE_SECONDS)


async def hello(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer with the path; with the status that it names, if any."""
    path = scope["path"]
    status = int(path[1:]) if path[1:].isdigit() else 200
    await EncodedResponse(b"" if status in (204, 304) else path.encode(), status)(scope, receive, send)


async def listen(scope: Scope, receive: Receive, send: Send) -> None:
    """Take the whole body, and answer with the path."""
    message: Any = await receive()
    while message.get("more_body"):
        message = await receive()
    await hello(scope, receive, send)
