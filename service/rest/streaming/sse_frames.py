"""Frames of a game's event stream: server-sent events (WHATWG HTML, section 9.2) whose ids are versions of the game."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import msgspec
from msgspec import UNSET

from domain.pocha.model.state import Finished, InHand
from domain.pocha.view import game_view, schema
from domain.pocha.view.event_view import differs_by_viewer, names_players
from service.application.ports import ReactionHint
from service.application.repository import Committed, Game
from service.rest.i18n import Language
from service.rest.jitter import reconnect_ms
from service.rest.lru_cache import LruCache
from service.rest.presenter import GamePresenter, redacted_events
from service.rest.schemas.responses import MyGame, MyGameList, StreamedCommit, StreamEnd, seat_reaction
from service.rest.shown import shown_by

HEARTBEAT = b": heartbeat\n\n"
CACHED_BYTES = 8_000_000
MAX_CACHED_FRAME_BYTES = 16_000
"""Longer frames are rare, as where robots play a game to its end, and are not cached."""

LONGEST_MOMENT = 17
"""The length of microseconds since 1970 until the year 5138."""

_EPOCH = datetime.fromtimestamp(0, UTC)
_encode = msgspec.json.Encoder().encode


def start() -> bytes:
    """Return what comes first: when to connect again after the stream has broken."""
    return b"retry: %d\n\n" % reconnect_ms()


def farewell() -> bytes:
    """Return what comes last where the process drains."""
    return b"retry: %d\n: draining\n\n" % reconnect_ms()


class FrameEncoder:
    """Encodes frames. Those of commits are cached: all who may see no more of one than a spectator get the same.

    Those that show names are not: a name may change.
    """

    def __init__(self, presenter: GamePresenter) -> None:
        self._presenter = presenter
        self._commits: LruCache[tuple[UUID, int, int | None]] = LruCache(CACHED_BYTES, MAX_CACHED_FRAME_BYTES)

    def snapshot(self, game: Game, viewer: int | None, language: Language) -> bytes:
        """Return the frame of the whole view."""
        return _frame("snapshot", game.version, self._presenter.view(game, viewer, language))

    def commit(self, committed: Committed, viewer: int | None, language: Language) -> bytes:
        """Return the frame of a commit."""
        game = committed.game
        if not _sees_more(committed, viewer):
            viewer = None
        if any(map(names_players, committed.commit.events)):
            return self.alone(committed, viewer, language)
        key = (game.game_id, game.version, viewer)
        frame = self._commits.get(key)
        if frame is None:
            frame = self.alone(committed, viewer, language)
            self._commits.put(key, frame)
        return frame

    def alone(self, committed: Committed, viewer: int | None, language: Language) -> bytes:
        """Return the frame of a commit, made for one viewer."""
        return _frame("commit", committed.game.version, self._streamed(committed, viewer, language))

    def _streamed(self, committed: Committed, viewer: int | None, language: Language) -> StreamedCommit:
        game = committed.game
        return StreamedCommit(
            version=game.version,
            events=redacted_events(committed.commit, viewer, shown_by(game.names, language)),
            server_time=self._presenter.clock.now(),
            status=game_view.status(game.state),
            turn=self._presenter.turn(game, viewer),
        )


def _sees_more(committed: Committed, viewer: int | None) -> bool:
    """Tell whether a viewer may see more of a commit and its turn than a spectator."""
    state = committed.game.state
    is_on_turn = isinstance(state, InHand) and state.turn == viewer
    return is_on_turn or any(map(differs_by_viewer, committed.commit.events))


def game_over(game: Game) -> bytes:
    """Return the last frame, of a game that is over."""
    state = game.state
    result = schema.Result(state.winners) if isinstance(state, Finished) else UNSET
    return _frame("game_over", game.version, StreamEnd(game.version, game_view.status(state), result))


def reaction(version: int, sent: ReactionHint) -> bytes:
    """Return the frame of a reaction. Its id is the version that the client has already: there is nothing to resume."""
    return _frame("reaction", version, seat_reaction(sent))


def of_player(event: str, at: datetime, data: MyGame | MyGameList) -> bytes:
    """Return a frame of the stream of all games of a player."""
    return _frame(event, (at - _EPOCH) // timedelta(microseconds=1), data)


def _frame(event: str, version: int, data: Any) -> bytes:
    # msgspec writes JSON without line breaks.
    return b"id: %d\nevent: %s\ndata: %s\n\n" % (version, event.encode(), _encode(data))
