"""Clients that listen: streams of games, as many as there are file descriptors for, and when each of them heard of a move."""

import asyncio
import time
from collections.abc import Sequence
from typing import cast

from tests.bench.serving import Running
from tests.kit.wire import address_of, request

_COMMIT = b"event: commit\n"
_SNAPSHOT = b"event: snapshot\n"
_AT_ONCE = 100


class Listener(asyncio.Protocol):
    """One stream. `heard` are the times of the commits that it brought."""

    def __init__(self, audience: "Audience") -> None:
        self.heard: list[float] = []
        self.attached: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._audience = audience
        self._tail = b""
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """See `asyncio.Protocol`."""
        self._transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        """See `asyncio.Protocol`."""
        text = self._tail + data
        self._tail = text[1 - len(_COMMIT) :]
        if commits := text.count(_COMMIT):
            self.heard += [time.perf_counter()] * commits
            self._audience.note(commits)
        if not self.attached.done() and _SNAPSHOT in text:
            self.attached.set_result(None)

    def connection_lost(self, exc: Exception | None) -> None:
        """See `asyncio.Protocol`."""
        if not self.attached.done():
            self.attached.set_exception(exc or ConnectionResetError("the stream was closed before it began"))

    def send(self, asked: bytes) -> None:
        """Ask for the stream."""
        assert self._transport
        self._transport.write(asked)

    def close(self) -> None:
        """Go away."""
        if self._transport:
            self._transport.close()


class Audience:
    """Streams of one server; those of one game after the other's, in turn."""

    def __init__(self, server: Running) -> None:
        self._address = address_of(server.url)
        self._listeners: list[Listener] = []
        self._count = 0
        self._awaited = 0
        self._all = asyncio.Event()

    async def attach(self, games: Sequence[str], tokens: Sequence[str]) -> None:
        """Open a stream for each of `tokens`, of `games` in turn; return when each has the game as it stands."""
        wanted = [(games[place % len(games)], token) for place, token in enumerate(tokens)]
        for begin in range(0, len(wanted), _AT_ONCE):
            await asyncio.gather(*(self._listen(*one) for one in wanted[begin : begin + _AT_ONCE]))

    async def hear(self, commits: int) -> None:
        """Return when so many more commits have come, on all streams together."""
        self._awaited += commits
        self._all.clear()
        self.note(0)
        await self._all.wait()

    def note(self, commits: int) -> None:
        """Count commits that have come."""
        self._count += commits
        if self._count >= self._awaited:
            self._all.set()

    def last_heard(self) -> list[float]:
        """Return for each stream the time of its last commit."""
        return [listener.heard[-1] for listener in self._listeners]

    def close(self) -> None:
        """Close all streams."""
        for listener in self._listeners:
            listener.close()

    async def _listen(self, game_id: str, token: str) -> None:
        loop = asyncio.get_running_loop()
        _, listener = await loop.create_connection(lambda: Listener(self), *self._address)
        self._listeners.append(listener)
        listener.send(request("GET", f"/v1/games/{game_id}/stream", token=token))
        await listener.attached
