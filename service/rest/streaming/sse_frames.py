"""The frames of a stream: server-sent events (WHATWG HTML, section 9.2) whose ids are versions of the game."""

from typing import Any
from uuid import UUID

import msgspec
from msgspec import UNSET

from domain.pocha.model.state import Finished
from domain.pocha.view import game_view, schema
from service.application.repository import Committed, Game
from service.rest.lru_cache import LruCache
from service.rest.presenter import GamePresenter, seen_events
from service.rest.schemas import StreamedCommit, StreamEnd

START = b"retry: 2000\n\n"
HEARTBEAT = b": heartbeat\n\n"
FAREWELL = b"retry: 1000\n: draining\n\n"
MOST_KEPT_BYTES = 8_000_000
LONGEST_KEPT = 16_000
"""Longer frames are rare, as where robots play a game to its end, and are made again for whoever wants them."""

_encode = msgspec.json.Encoder().encode


class FrameEncoder:
    """Makes frames. Those of a commit are kept for a while, since all spectators of a game get the same."""

    def __init__(self, showing: GamePresenter) -> None:
        self._showing = showing
        self._commits: LruCache[tuple[UUID, int, int | None]] = LruCache(MOST_KEPT_BYTES, LONGEST_KEPT)

    def snapshot(self, snapshot: Game, viewer: int | None) -> bytes:
        """Return the whole game as `viewer` may see it."""
        return _frame("snapshot", snapshot.version, self._showing.game(snapshot, viewer))

    def commit(self, done: Committed, viewer: int | None) -> bytes:
        """Return what a commit brought, as `viewer` may see it."""
        key = (done.game.game_id, done.game.version, viewer)
        frame = self._commits.get(key)
        if frame is None:
            frame = _frame("commit", done.game.version, self._streamed(done, viewer))
            self._commits.put(key, frame)
        return frame

    def _streamed(self, done: Committed, viewer: int | None) -> StreamedCommit:
        snapshot = done.game
        return StreamedCommit(
            version=snapshot.version,
            events=seen_events(done.commit, viewer),
            server_time=self._showing.clock.now(),
            status=game_view.status(snapshot.state),
            turn=self._showing.turn(snapshot, viewer),
        )


def game_over(snapshot: Game) -> bytes:
    """Return the last frame of a game that is over."""
    state = snapshot.state
    result = schema.Result(state.winners) if isinstance(state, Finished) else UNSET
    return _frame("game_over", snapshot.version, StreamEnd(snapshot.version, game_view.status(state), result))


def _frame(event: str, version: int, data: Any) -> bytes:
    # JSON as msgspec writes it has no line breaks.
    return b"id: %d\nevent: %s\ndata: %s\n\n" % (version, event.encode(), _encode(data))
