"""A lean HTTP/1.1 client whose connections can be cut at any byte of an answer. It speaks no more of the protocol than our server does."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Generator, Mapping
from typing import Any, NamedTuple

import msgspec

_LONGEST_BODY = 1 << 22
_CONNECT_SECONDS = 5.0
_SILENCE_SECONDS = 30.0
_HEAD_END = b"\r\n\r\n"


class Broken(Exception):
    """The connection could not be made, or ended before the answer did: what was asked may be done or not."""


class Place(NamedTuple):
    """Where a process of the service listens."""

    host: str
    port: int


class Answer(msgspec.Struct, frozen=True):
    """An answer. The names of headers are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    def json(self) -> dict[str, Any]:
        """Return the body, decoded."""
        return msgspec.json.decode(self.body, type=dict[str, Any])


class Line:
    """One connection; one request at a time."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    @classmethod
    async def open(cls, place: Place) -> "Line":
        """Connect.

        Raises:
            Broken: nobody listens there.
        """
        try:
            async with asyncio.timeout(_CONNECT_SECONDS):
                return cls(*await asyncio.open_connection(*place, limit=_LONGEST_BODY))
        except OSError as error:
            raise Broken(f"no connection: {error}") from None

    @property
    def is_usable(self) -> bool:
        """Tell whether another request can be sent, as far as this side knows."""
        return not self._reader.at_eof() and not self._writer.is_closing()

    async def ask(self, request: bytes, cut_after: int | None = None) -> Answer:
        """Send a request and return the answer; with `cut_after`, cut the connection once so many bytes of it have come.

        The body of an answer that does not say how long it is comes from `chunks`.

        Raises:
            Broken: it was cut, here or elsewhere.
        """
        with _breaking():
            self._writer.write(request)
            if cut_after is not None:
                await self._cut(cut_after)
            head = await self._head()
            return Answer(head.status, head.headers, await self._reader.readexactly(_length(head)))

    async def chunks(self) -> AsyncGenerator[bytes]:
        """Yield the body of an answer of unknown length, as it comes.

        Raises:
            Broken: the connection ended before the answer did.
            AssertionError: nothing came for so long that heartbeats must be missing.
        """
        while chunk := await self._chunk():
            yield chunk

    def cut(self) -> None:
        """End the connection at once, whatever is under way."""
        self._writer.transport.abort()

    async def _cut(self, after: int) -> None:
        await self._writer.drain()
        if after:
            await self._reader.read(after)
        self.cut()
        raise Broken("cut on purpose")

    async def _chunk(self) -> bytes:
        try:
            async with asyncio.timeout(_SILENCE_SECONDS):
                with _breaking():
                    size = int(await self._reader.readuntil(b"\r\n"), 16)
                    return (await self._reader.readexactly(size + 2))[:-2]
        except TimeoutError:
            raise AssertionError(f"a stream said nothing for {_SILENCE_SECONDS:g} s") from None

    async def _head(self) -> Answer:
        status, *lines = (await self._reader.readuntil(_HEAD_END)).decode("latin-1").split("\r\n")
        pairs = (line.partition(":") for line in lines if line)
        return Answer(int(status[9:12]), {name.lower(): value.strip() for name, _, value in pairs}, b"")


def request(method: str, path: str, body: object = None, headers: Mapping[str, str] | None = None) -> bytes:
    """Return a request, ready to be sent; `body` as JSON, if there is one."""
    content = b"" if body is None else msgspec.json.encode(body)
    head = [f"{method} {path} HTTP/1.1", "Host: pocha"]
    if body is not None:
        head += ["Content-Type: application/json", f"Content-Length: {len(content)}"]
    head += [f"{name}: {value}" for name, value in (headers or {}).items()]
    return "\r\n".join(head).encode() + _HEAD_END + content


def _length(head: Answer) -> int:
    return int(head.headers.get("content-length", 0))


@contextlib.contextmanager
def _breaking() -> Generator[None]:
    try:
        yield
    except TimeoutError:
        raise
    except (OSError, EOFError) as error:
        raise Broken(f"the connection ended: {error or type(error).__name__}") from None
