"""The receiver of web hooks: an HTTP server on a real socket that verifies as the Standard Webhooks library does."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime
from typing import Any, NamedTuple

import msgspec
from standardwebhooks import Webhook


class Message(NamedTuple):
    """A request that came in."""

    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        """The body, decoded."""
        return msgspec.json.decode(self.body)

    def verified(self, secret: str) -> Any:
        """Return the decoded body of a message that the secret signed; the time of a stopped clock is long ago or to come."""
        signer = Webhook(secret)
        expected = signer.sign(
            self.headers["webhook-id"],
            datetime.fromtimestamp(int(self.headers["webhook-timestamp"]), UTC),
            self.body.decode(),
        )
        assert expected in self.headers["webhook-signature"].split(" ")
        return self.json


class Receiver:
    """What came in, in order. `answer` says with which status a message is answered; it may take its time, or raise to answer nothing."""

    def __init__(self) -> None:
        self.messages: list[Message] = []
        self.url = ""
        self.answer: Callable[[Message], int] = lambda _: 204
        self.hold = asyncio.Event()
        self.hold.set()
        self.body = b""

    def of(self, game_id: str) -> list[tuple[str, int]]:
        """Return the types and versions of what came of a game."""
        data = [message.json for message in self.messages]
        return [(each["type"], each["data"]["version"]) for each in data if each["data"].get("game_id") == game_id]

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Take one request, and answer it."""
        with suppress(ConnectionError, asyncio.IncompleteReadError):
            head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
            headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in head[1:])}
            message = Message(headers, await reader.readexactly(int(headers.get("content-length", "0"))))
            self.messages.append(message)
            status = self.answer(message)
            await self.hold.wait()
            location = f"location: {self.url}/elsewhere\r\n" if status // 100 == 3 else ""
            writer.write(
                f"HTTP/1.1 {status} x\r\n{location}content-length: {len(self.body)}\r\n\r\n".encode() + self.body
            )
            await writer.drain()
        writer.close()


@asynccontextmanager
async def receiving() -> AsyncGenerator[Receiver]:
    """Yield a receiver on a free port of this machine."""
    receiver = Receiver()
    server = await asyncio.start_server(receiver.serve, "127.0.0.1", 0)
    receiver.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        yield receiver
    finally:
        receiver.hold.set()
        server.close()
