"""A lean HTTP/1.1 client: keep-alive, one request at a time, no more of the protocol than our own server speaks."""

import asyncio
from typing import NamedTuple, cast
from urllib.parse import urlsplit

_HEAD_END = b"\r\n\r\n"
_LENGTH = b"content-length: "


class Answer(NamedTuple):
    """An answer: its status and its body."""

    status: int
    body: bytes


def request(method: str, path: str, body: bytes = b"", token: str = "", accept: str = "*/*", key: str = "") -> bytes:
    """Return a request, ready to be sent; `token` is the bearer's, and `key` the `Idempotency-Key`."""
    head = [
        f"{method} {path} HTTP/1.1",
        "host: bench",
        f"accept: {accept}",
        "content-type: application/json",
        f"content-length: {len(body)}",
    ]
    if token:
        head.append(f"authorization: Bearer {token}")
    if key:
        head.append(f"idempotency-key: {key}")
    return "\r\n".join(head).encode() + _HEAD_END + body


def address_of(url: str) -> tuple[str, int]:
    """Return the host and the port of a server."""
    address = urlsplit(url)
    assert address.hostname
    assert address.port
    return address.hostname, address.port


class Wire(asyncio.Protocol):
    """One connection."""

    def __init__(self) -> None:
        self._received = b""
        self._transport: asyncio.Transport | None = None
        self._answer: asyncio.Future[Answer] | None = None

    @classmethod
    async def open(cls, url: str) -> "Wire":
        """Return a connection to the server at `url`."""
        _, wire = await asyncio.get_running_loop().create_connection(cls, *address_of(url))
        return wire

    async def ask(self, asked: bytes) -> Answer:
        """Send a request, and return the answer.

        Raises:
            ConnectionError: the connection ended before the answer did.
        """
        assert self._transport
        assert self._answer is None or self._answer.done()
        self._answer = asyncio.get_running_loop().create_future()
        self._transport.write(asked)
        return await self._answer

    def close(self) -> None:
        """End the connection."""
        if self._transport:
            self._transport.close()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """See `asyncio.Protocol`."""
        self._transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        """See `asyncio.Protocol`."""
        self._received += data
        answer = parsed(self._received)
        if answer and self._answer and not self._answer.done():  # who asked may have given up
            self._received = b""
            self._answer.set_result(answer)

    def connection_lost(self, exc: Exception | None) -> None:
        """See `asyncio.Protocol`."""
        if self._answer and not self._answer.done():
            self._answer.set_exception(exc or ConnectionResetError("the server closed the connection"))


def parsed(received: bytes) -> Answer | None:
    """Return the answer that was received; none when it is not whole yet."""
    head = received.find(_HEAD_END)
    if head < 0:
        return None
    at = received.index(_LENGTH, 0, head) + len(_LENGTH)
    length = int(received[at : received.index(b"\r\n", at)])
    body = received[head + len(_HEAD_END) :]
    return Answer(int(received[9:12]), body) if len(body) >= length else None
