"""The stream of all games of a player: turns, starts, ends, and rematches to join.

Frames say how a game stands, not what happened in it: one that comes twice does no harm. The id of a frame is the time (microseconds since
1970) before the round that made it; what changed from then on, or little before, is told again after a reconnection.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from datetime import UTC, datetime, timedelta
from uuid import UUID

from litestar.types import Receive, Scope, Send

from domain.pocha.model.state import InHand, Waiting
from service.application.caller import Caller
from service.application.games import Games
from service.application.hub import Watch
from service.application.repository import Game
from service.rest.i18n import Language
from service.rest.my_games import my_game
from service.rest.presenter import GamePresenter
from service.rest.schemas.responses import MyGameList
from service.rest.scope import HEAD_ONLY
from service.rest.streaming import sse_frames
from service.rest.streaming.sse import CREDENTIAL_SECONDS, HEARTBEAT_SECONDS, STREAM_HEADERS, send_frames
from service.rest.streaming.waiters import WaiterRegistry

RELIST_SECONDS = 3.0
"""How often the player's games are listed again: another device may have joined one."""
RESUMED_ENDS = 20
"""How many games that are over are looked at after a reconnection, and for a rematch."""
CLOCK_MARGIN = timedelta(seconds=5)
"""By how much the clocks of two processes may differ."""
REMATCH_TIME = timedelta(minutes=10)
"""How long after the end of a game its rematch is waited for."""


class PlayerStream:
    """The response that streams a player's games, as an ASGI app: those that changed after `after`, or from a list of all."""

    def __init__(
        self,
        games: Games,
        waiters: WaiterRegistry,
        presenter: GamePresenter,
        caller: Caller,
        language: Language,
        after: datetime | None,
        is_still_valid: Callable[[], Awaitable[bool]],
    ) -> None:
        self._games = games
        self._waiters = waiters
        self._presenter = presenter
        self._caller = caller
        self._language = language
        self._after = after
        self._is_still_valid = is_still_valid
        self._known: dict[UUID, Game] = {}
        self._ended: dict[UUID, datetime] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Stream until the client disconnects, its credential ends, or the process drains."""
        async with self._waiters.admit(self._caller, scope, is_stream=True) as waiter:
            await send({"type": "http.response.start", "status": 200, "headers": STREAM_HEADERS})
            if not HEAD_ONLY.get(scope):
                async with waiter.ends_on_disconnect(receive):
                    await self._stream(send)
        if self._waiters.draining.begun:
            await send_frames(send, sse_frames.farewell())
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _stream(self, send: Send) -> None:
        loop = asyncio.get_running_loop()
        await send_frames(send, sse_frames.start())
        sent = verified = loop.time()
        async for frames in self._rounds():
            now = loop.time()
            if now - verified >= CREDENTIAL_SECONDS:
                if not await self._is_still_valid():
                    return
                verified = now
            if frames or now - sent >= HEARTBEAT_SECONDS:
                await send_frames(send, frames or sse_frames.HEARTBEAT)
                sent = now

    async def _rounds(self) -> AsyncIterator[bytes]:
        """Yield the frames of each look at the games, which is taken when one changes and every few seconds."""
        is_first = True
        while True:
            under_way = await self._games.list_ids_under_way(self._caller)
            with self._games.hub.watch(*under_way) as watch:
                while True:
                    began = self._presenter.clock.now()
                    games = await self._games.latest_of([*under_way, *(self._known.keys() - set(under_way))])
                    yield b"".join(await self._first(games, began) if is_first else await self._changed(games, began))
                    is_first = False
                    if await self._has_other_games(watch, under_way):
                        break

    async def _has_other_games(self, watch: Watch, under_way: list[UUID]) -> bool:
        """Wait for a change; tell whether the games under way are others now."""
        if await watch.wait_for_change(RELIST_SECONDS):
            return False
        return await self._games.list_ids_under_way(self._caller) != under_way

    async def _first(self, games: list[Game], began: datetime) -> list[bytes]:
        if self._after is None or self._after > began + CLOCK_MARGIN:  # nothing can have been told from there on
            self._known = {game.game_id: game for game in games}
            items = tuple(my_game(game, self._caller, self._presenter, self._language) for game in games)
            return [sse_frames.of_player("games", began, MyGameList(items, began))]
        over = await self._games.list_ids_of_player(self._caller, "finished", None, RESUMED_ENDS)
        games = [*games, *await self._games.latest_of(over)]
        since = self._after - CLOCK_MARGIN
        self._known = {game.game_id: game for game in games if game.times.last_commit < since and not game.is_over}
        return await self._changed([game for game in games if game.times.last_commit >= since], began)

    async def _changed(self, games: list[Game], began: datetime) -> list[bytes]:
        frames: list[bytes] = []
        for game in games:
            before = self._known.get(game.game_id)
            if before is None or before.version < game.version:
                frames.extend(self._frame(reason, game, began) for reason in self._reasons(before, game))
                self._known[game.game_id] = game
            if game.is_over:
                self._known.pop(game.game_id, None)
                self._ended[game.game_id] = began
        for game_id in list(self._ended)[:-RESUMED_ENDS]:
            del self._ended[game_id]
        return [*frames, *[frame async for frame in self._rematches(began)]]

    def _reasons(self, before: Game | None, game: Game) -> Iterator[str]:
        if isinstance(game.state, InHand) and (before is None or isinstance(before.state, Waiting)):
            yield "started"
        if game.is_on_turn(self._caller):
            yield "turn"
        if game.is_over:
            yield "ended"

    async def _rematches(self, began: datetime) -> AsyncIterator[bytes]:
        for game_id, ended in list(self._ended.items()):
            following = await self._games.find_rematch(game_id)
            if following is not None and following.seat_of(self._caller) is None:
                game = await self._games.get_game(game_id, self._caller)
                yield self._frame("rematch", game, began, following.game_id)
            if following is not None or began - ended > REMATCH_TIME:
                del self._ended[game_id]

    def _frame(self, reason: str, game: Game, began: datetime, rematch: UUID | None = None) -> bytes:
        return sse_frames.of_player(
            reason, began, my_game(game, self._caller, self._presenter, self._language, rematch)
        )


def moment_of(text: str) -> datetime | None:
    """Return the time that the id of a frame stands for; None if it is no such id."""
    if not text.isascii() or not text.isdigit() or len(text) > sse_frames.LONGEST_MOMENT:
        return None
    return datetime.fromtimestamp(0, UTC) + timedelta(microseconds=int(text))
