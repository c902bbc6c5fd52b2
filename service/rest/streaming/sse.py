"""A game as a stream: first the game as it stands, or what the caller has missed, then every commit as it comes, to the end.

A stream attaches to the hub first, then reads, then leaves out what it has sent: so nothing is missed between reading and waiting.
"""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Iterator
from uuid import UUID

from litestar.types import Receive, Scope, Send

from service.application.caller import Caller
from service.application.command_handler import NoSuchGame
from service.application.games import Games
from service.application.hub import Watch
from service.application.repository import Committed, Game
from service.rest.scope import is_head
from service.rest.streaming import sse_frames
from service.rest.streaming.sse_frames import FrameEncoder
from service.rest.streaming.waiters import WaiterRegistry, noticing

HEARTBEAT_SECONDS = 15.0
CREDENTIAL_SECONDS = 5.0
"""How long the credential of a stream is taken to be good, once it was."""
MOST_RESUMED = 500
"""How many versions back a stream is resumed; who has missed more gets a snapshot."""

_HEADERS = [
    (b"content-type", b"text/event-stream"),
    (b"cache-control", b"private, no-cache"),
    (b"vary", b"Accept, Authorization"),
    (b"x-accel-buffering", b"no"),
]


class StreamPosition:
    """How far a stream is: what it sends next follows from what it has sent."""

    def __init__(self, maker: FrameEncoder, caller: Caller) -> None:
        self._maker = maker
        self._caller = caller
        self._seat: int | None = None
        self.version = 0
        self.is_at_end = False

    def at(self, snapshot: Game) -> None:
        """Take it that the client has the game as it stands here."""
        self.version, self._seat = snapshot.version, snapshot.seat_of(self._caller)

    def whole(self, snapshot: Game) -> Iterator[bytes]:
        """Yield the game as it stands, and the end if this is it.

        Raises:
            NoSuchGame: the caller may not know of it, or no longer.
        """
        if not snapshot.is_known_to(self._caller):
            raise NoSuchGame
        self.at(snapshot)
        yield self._maker.snapshot(snapshot, self._seat)
        yield from self.end(snapshot)

    def next(self, done: Committed) -> Iterator[bytes]:
        """Yield what a commit brought; the whole game where that would not be enough: after a gap, or at another seat."""
        snapshot = done.game
        if snapshot.version <= self.version:
            return
        if snapshot.version > self.version + 1 or snapshot.seat_of(self._caller) != self._seat:
            yield from self.whole(snapshot)
            return
        self.version = snapshot.version
        yield self._maker.commit(done, self._seat)
        yield from self.end(snapshot)

    def end(self, snapshot: Game) -> Iterator[bytes]:
        """Yield the last frame, if the game is over."""
        if snapshot.is_over:
            self.is_at_end = True
            yield sse_frames.game_over(snapshot)


class EventStream:
    """The answer that streams a game to a caller, as long as `is_still_good` says so: from version `after` on, or from a snapshot."""

    def __init__(
        self,
        games: Games,
        room: WaiterRegistry,
        maker: FrameEncoder,
        game_id: UUID,
        caller: Caller,
        after: int | None,
        is_still_good: Callable[[], Awaitable[bool]],
    ) -> None:
        self._games = games
        self._room = room
        self._position = StreamPosition(maker, caller)
        self._game_id = game_id
        self._caller = caller
        self._after = after
        self._is_still_good = is_still_good
        self._welcome_until = 0.0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send it, until the game is over, the client goes away, or the process is about to end."""
        with self._games.hub.watch(self._game_id) as watch:
            snapshot = await self._games.get_game(self._game_id, self._caller)
            async with self._room.place(self._caller, scope, is_stream=True) as stay:
                await send({"type": "http.response.start", "status": 200, "headers": _HEADERS})
                if not is_head(scope):
                    async with noticing(receive, stay):
                        await self._frames(snapshot, watch, send)
            if self._room.draining.begun:
                await _send(send, sse_frames.FAREWELL)
            await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _frames(self, snapshot: Game, watch: Watch, send: Send) -> None:
        position = self._position
        await _send(send, sse_frames.START + b"".join(await self._beginning(snapshot)))
        with contextlib.suppress(NoSuchGame):  # who may no longer know of the game has seen the last of it
            while not position.is_at_end:
                steps = await watch.commits_after(position.version, HEARTBEAT_SECONDS)
                if not await self._is_welcome():
                    return
                news = b"".join(frame for done in steps for frame in position.next(done))
                await _send(send, news or sse_frames.HEARTBEAT)

    async def _is_welcome(self) -> bool:
        """Look from time to time whether the credential is good still; whoever comes again with one that is not hears of it."""
        now = asyncio.get_running_loop().time()
        if now < self._welcome_until:
            return True
        self._welcome_until = now + CREDENTIAL_SECONDS
        return await self._is_still_good()

    async def _beginning(self, snapshot: Game) -> list[bytes]:
        """Return what the caller has missed, or the whole game where that is unknown or too long."""
        after, position = self._after, self._position
        if after is None or not max(0, snapshot.version - MOST_RESUMED) <= after <= snapshot.version:
            return list(position.whole(snapshot))
        steps = await self._games.read_commits(self._game_id, max(after - 1, 0))
        if after and steps:
            position.at(steps[0].game)
        try:
            return [frame for done in steps for frame in position.next(done)]
        except NoSuchGame:  # the caller was away from a private table meanwhile
            return list(position.whole(snapshot))


async def _send(send: Send, data: bytes) -> None:
    """Send some frames. The server limits how long a client may take none of them, and ends its connection."""
    await send({"type": "http.response.body", "body": data, "more_body": True})
