"""A game as its viewer may see it, on its way out."""

from collections.abc import Mapping
from types import MappingProxyType

from msgspec import UnsetType

from domain.pocha.model.state import table_of
from domain.pocha.view import game_view
from domain.pocha.view.event_view import redact
from domain.pocha.view.schema import GameView, PresenceView, SeenEvent, TurnView
from domain.table.table import Player
from service.application.caller import Caller
from service.application.ports import Clock, Commit
from service.application.presence import Presence
from service.application.repository import Committed, Game
from service.rest.middleware.access_log import current_request
from service.rest.responses import PRIVATE, EncodedResponse, json_response
from service.rest.schemas import MoveResult

_REPLAYED: Mapping[str, str] = MappingProxyType({"Idempotency-Replayed": "true"})
_FIRST_TIME: Mapping[str, str] = MappingProxyType({})


class GamePresenter:
    """Shows games, with what is not of the game itself: the time, and who is there."""

    def __init__(self, clock: Clock, presence: Presence) -> None:
        self.clock = clock
        self._presence = presence

    def game(self, snapshot: Game, viewer: int | None) -> GameView:
        """Return the game as `viewer` may see it."""
        frame = game_view.ViewContext(
            str(snapshot.game_id),
            snapshot.version,
            snapshot.created_at,
            self.clock.now(),
            snapshot.turn_deadline,
            self._present(snapshot),
        )
        return game_view.see(snapshot.state, viewer, frame)

    def turn(self, snapshot: Game, viewer: int | None) -> TurnView | UnsetType:
        """Return whom the game waits for, as `viewer` may see it; absent when for nobody."""
        return game_view.turn_view(snapshot.state, viewer, snapshot.turn_deadline)

    def game_response(
        self, snapshot: Game, caller: Caller, status: int = 200, headers: Mapping[str, str] = _FIRST_TIME
    ) -> EncodedResponse:
        """Answer with the view of `caller`."""
        viewer = current_request().seat = snapshot.seat_of(caller)
        return json_response(self.game(snapshot, viewer), status, {**_headers(snapshot, viewer), **headers})

    def command_response(self, done: Committed, caller: Caller, status: int = 200) -> EncodedResponse:
        """Answer with the game after a command, as `caller` may see it."""
        return self.game_response(done.game, caller, status, _how(done))

    def seated_response(self, done: Committed, caller: Caller) -> EncodedResponse:
        """Answer that the caller has got a seat, and where the game is."""
        game_id = current_request().game_id = str(done.game.game_id)
        location = {"Location": f"/v1/games/{game_id}"}
        return self.game_response(done.game, caller, 201, {**location, **_how(done)})

    def move_response(self, done: Committed, caller: Caller) -> EncodedResponse:
        """Answer with what a move led to, as `caller` may see it."""
        snapshot = done.game
        viewer = current_request().seat = snapshot.seat_of(caller)
        result = MoveResult(snapshot.version, seen_events(done.commit, viewer), self.game(snapshot, viewer))
        return json_response(result, headers={**_headers(snapshot, viewer), **_how(done)})

    def _present(self, snapshot: Game) -> dict[str, PresenceView]:
        seated = (occupant for occupant in table_of(snapshot.state).seats if isinstance(occupant, Player))
        found = ((player.player_id, self._presence.get(player.player_id)) for player in seated)
        return {player_id: presence for player_id, presence in found if presence is not None}


def etag(snapshot: Game, viewer: int | None) -> str:
    """Return the entity tag of a view: its version and whose it is. Weak, since `server_time` goes on, and players come and go."""
    return f'W/"{snapshot.version}-{"spectator" if viewer is None else viewer}"'


def seen_events(commit: Commit, viewer: int | None) -> tuple[SeenEvent, ...]:
    """Return the events of a commit as `viewer` may see them."""
    return tuple(redact(event, viewer, commit.version, commit.recorded_at) for event in commit.events)


def not_modified(snapshot: Game, viewer: int | None) -> EncodedResponse:
    """Answer that the view is the one that the caller has."""
    return EncodedResponse(b"", 304, headers=_headers(snapshot, viewer))


def _headers(snapshot: Game, viewer: int | None) -> dict[str, str]:
    return PRIVATE | {"ETag": etag(snapshot, viewer)}


def _how(done: Committed) -> Mapping[str, str]:
    return _REPLAYED if done.is_replay else _FIRST_TIME
