"""The event stream of a game: a snapshot or the missed commits, then each commit as it happens, until the game is over.

A stream first watches the hub, then reads, then drops what it has sent already: nothing is missed between reading and waiting.
"""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from functools import partial
from uuid import UUID

from litestar.types import Receive, Scope, Send

from service.application.caller import Caller
from service.application.games import Games
from service.application.hub import Watch
from service.application.permissions import NoSuchGame
from service.application.ports import ReactionHint
from service.application.reactions import Take
from service.application.repository import Committed, Game
from service.rest.i18n import Language
from service.rest.scope import HEAD_ONLY
from service.rest.streaming import sse_frames
from service.rest.streaming.sse_frames import FrameEncoder
from service.rest.streaming.waiters import WaiterRegistry

HEARTBEAT_SECONDS = 15.0
CREDENTIAL_SECONDS = 5.0
"""How long the credential of a stream counts as valid before it is verified again."""
MAX_RESUMED_VERSIONS = 500
"""A stream that missed more versions starts with a snapshot."""

# A proxy that compresses a stream may keep its frames back. Each looks at another header: `no-transform` is the standard one, nginx
# looks at `X-Accel-Buffering`, and Caddy (2.6) only at whether there is a `Content-Encoding`, so there is one that changes nothing.
STREAM_HEADERS = [
    (b"content-type", b"text/event-stream"),
    (b"cache-control", b"private, no-cache, no-transform"),
    (b"vary", b"Authorization"),
    (b"content-encoding", b"identity"),
    (b"x-accel-buffering", b"no"),
]


class StreamPosition:
    """The last version that a stream has sent, and the frames that follow from it."""

    def __init__(self, frames: FrameEncoder, caller: Caller, language: Language) -> None:
        self._frames = frames
        self._caller = caller
        self._language = language
        self._seat: int | None = None
        self.version = 0
        self.is_at_end = False

    def move_to(self, game: Game) -> None:
        """Continue after the version of `game`, without a frame."""
        self.version, self._seat = game.version, game.seat_of(self._caller)

    def snapshot(self, game: Game) -> Iterator[bytes]:
        """Yield a snapshot, and the end where the game is over.

        Raises:
            NoSuchGame: the caller may not know of the game, or no longer.
        """
        yield from self._snapshot(game, game)

    def commit(self, committed: Committed, present: Game | None = None) -> Iterator[bytes]:
        """Yield a commit; a snapshot instead after a gap, and where the caller's seat has changed.

        A past commit is shown as the caller may see it at `present`, which is the game now.
        """
        game = committed.game
        if game.version <= self.version:
            return
        if game.version > self.version + 1 or game.seat_of(self._caller) != self._seat:
            yield from self._snapshot(game, present or game)
            return
        self.version = game.version
        yield self._frames.commit(committed, (present or game).seat_of(self._caller), self._language)
        yield from self.end(game)

    def _snapshot(self, game: Game, present: Game) -> Iterator[bytes]:
        if not game.is_known_to(self._caller):
            raise NoSuchGame
        self.move_to(game)
        may_see_seat = self._seat == present.seat_of(self._caller)
        yield self._frames.snapshot(game, self._seat if may_see_seat else None, self._language)
        yield from self.end(game)

    def usual(self, commits: Sequence[Committed]) -> bytes | None:
        """Return the frame where there is one new commit, and neither a gap nor another seat nor an end; None otherwise."""
        game = commits[-1].game
        is_next = len(commits) == 1 and game.version == self.version + 1
        if not is_next or game.is_over or game.seat_of(self._caller) != self._seat:
            return None
        return self._frames.commit(commits[0], self._seat, self._language)

    def end(self, game: Game) -> Iterator[bytes]:
        """Yield the last frame, where the game is over."""
        if game.is_over:
            self.is_at_end = True
            yield sse_frames.game_over(game)


class EventStream:
    """The response that streams a game, as an ASGI app: from version `after`, or from a snapshot, while `is_still_valid` holds.

    `listen` gives it the reactions that its reader wants, which are shown between commits.
    """

    def __init__(
        self,
        games: Games,
        waiters: WaiterRegistry,
        position: StreamPosition,
        game_id: UUID,
        caller: Caller,
        after: int | None,
        is_still_valid: Callable[[], Awaitable[bool]],
        listen: Callable[[Take], AbstractContextManager[None]],
    ) -> None:
        self._games = games
        self._listen = listen
        self._waiters = waiters
        self._position = position
        self._game_id = game_id
        self._caller = caller
        self._after = after
        self._is_still_valid = is_still_valid
        self._valid_until = 0.0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Stream until the game is over, the client disconnects, or the process drains."""
        with self._games.hub.watch(self._game_id) as watch:
            game = await self._games.get_game(self._game_id, self._caller)
            async with self._waiters.admit(self._caller, scope, is_stream=True) as waiter:
                await send({"type": "http.response.start", "status": 200, "headers": STREAM_HEADERS})
                if not HEAD_ONLY.get(scope):
                    async with waiter.ends_on_disconnect(receive):
                        await self._stream(game, watch, send)
            if self._waiters.draining.begun:
                await send_frames(send, sse_frames.farewell())
            await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _stream(self, game: Game, watch: Watch, send: Send) -> None:
        position, deliver = self._position, partial(self._deliver, send)
        await send_frames(send, sse_frames.start() + b"".join(await self._first_frames(game)))
        # A caller who may no longer know of the game has had the last frame.
        with self._listen(partial(self._show, send)), contextlib.suppress(NoSuchGame):
            while not position.is_at_end:
                commits = await watch.commits_after(position.version, HEARTBEAT_SECONDS, deliver)
                if not await self._is_authenticated():
                    return
                frames = b"".join(frame for committed in commits for frame in position.commit(committed))
                await send_frames(send, frames or sse_frames.HEARTBEAT)

    def _deliver(self, send: Send, commits: Sequence[Committed]) -> bool:
        """Send the usual commit without waking the task of the stream, which does whatever else has to be done."""
        if asyncio.get_running_loop().time() >= self._valid_until:
            return False
        frame = self._position.usual(commits)
        if frame is None or not _send_at_once(send, frame):
            return False
        self._position.version += 1
        return True

    def _show(self, send: Send, reaction: ReactionHint) -> None:
        """Send a reaction; a client that reads too slowly misses it."""
        if not self._position.is_at_end:
            _send_at_once(send, sse_frames.reaction(self._position.version, reaction))

    async def _is_authenticated(self) -> bool:
        """Verify the credential from time to time; the client's next request gets the 401."""
        now = asyncio.get_running_loop().time()
        if now < self._valid_until:
            return True
        self._valid_until = now + CREDENTIAL_SECONDS
        return await self._is_still_valid()

    async def _first_frames(self, game: Game) -> list[bytes]:
        """Return the missed commits; a snapshot where they are unknown or too many."""
        after, position = self._after, self._position
        if after is None or not max(0, game.version - MAX_RESUMED_VERSIONS) <= after <= game.version:
            return list(position.snapshot(game))
        commits = await self._games.read_commits(self._game_id, max(after - 1, 0))
        if after and commits:
            position.move_to(commits[0].game)
        try:
            return [frame for committed in commits for frame in position.commit(committed, commits[-1].game)]
        except NoSuchGame:  # the caller was away from a private table for a while
            return list(position.snapshot(game))


async def send_frames(send: Send, data: bytes) -> None:
    """Send frames. The server ends the connection of a client that reads too slowly."""
    await send({"type": "http.response.body", "body": data, "more_body": True})


def _send_at_once(send: Send, data: bytes) -> bool:
    """Send frames where that does not have to wait; return whether it was done. A sending that waits has not begun yet."""
    sending = send_frames(send, data)
    try:
        sending.send(None)
    except StopIteration:
        return True
    except Exception:  # noqa: BLE001 - it will come again to the task of the stream
        return False
    sending.close()
    return False
