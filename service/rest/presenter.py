"""Games as their viewers may see them, in responses."""

from collections.abc import Mapping
from types import MappingProxyType
from uuid import UUID

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from domain.pocha.model.state import table_of
from domain.pocha.view import game_view
from domain.pocha.view.event_view import redact
from domain.pocha.view.parts import present, seats_at
from domain.pocha.view.schema import EventView, GameView, PlayerRef, PresenceView, SeatView, TurnView
from service.application.caller import Caller
from service.application.ports import Clock, Commit
from service.application.presence import Presence
from service.application.repository import Committed, Game
from service.rest.middleware.access_log import current_request
from service.rest.responses import PRIVATE, EncodedResponse, json_response
from service.rest.schemas.responses import MoveResult

MAX_PUBLIC_VIEWS = 2000
"""How many games' views are kept for their next viewers, 3 KB each; those that changed last."""

_NO_HEADERS: Mapping[str, str] = MappingProxyType({})
_REPLAYED: Mapping[str, str] = MappingProxyType({"Idempotency-Replayed": "true"})


class GamePresenter:
    """Makes views and responses of games, with the server's time and the presence of players.

    Responses set the seat of the access log.
    """

    def __init__(self, clock: Clock, presence: Presence) -> None:
        self.clock = clock
        self._presence = presence
        self._public: dict[UUID, GameView] = {}

    def view(self, game: Game, viewer: int | None) -> GameView:
        """Return the view of the seat `viewer`, or of a spectator."""
        public = self._public_view(game)
        shown = public if viewer is None else game_view.seat_view(public, game.state, viewer, game.turn_deadline)
        return replace(shown, server_time=self.clock.now(), seats=self.seats(game))

    def _public_view(self, game: Game) -> GameView:
        """Return the spectator's view, made once for a version; its time and presence are those of then."""
        known = self._public.get(game.game_id)
        if known is not None and known.version >= game.version:
            return known if known.version == game.version else self._make_public_view(game)
        made = self._make_public_view(game)
        self._public.pop(game.game_id, None)
        self._public[game.game_id] = made
        if len(self._public) > MAX_PUBLIC_VIEWS:
            del self._public[next(iter(self._public))]
        return made

    def _make_public_view(self, game: Game) -> GameView:
        context = game_view.ViewContext(
            str(game.game_id), game.version, game.created_at, self.clock.now(), game.turn_deadline
        )
        return game_view.spectator_view(game.state, context)

    def seats(self, game: Game) -> tuple[SeatView, ...]:
        """Return the seats, with the presence of players."""
        return seats_at(table_of(game.state), self.clock.now(), self._presence_by_player(game))

    def listed_seats(self, seats: tuple[SeatView, ...]) -> tuple[SeatView, ...]:
        """Return the seats of a listed game, with the presence of players."""
        return tuple(seat if seat.player is UNSET else self._listed_seat(seat, seat.player) for seat in seats)

    def _listed_seat(self, seat: SeatView, player: PlayerRef) -> SeatView:
        return replace(seat, presence=present(self._presence.get(player.player_id)))

    def turn(self, game: Game, viewer: int | None) -> TurnView | UnsetType:
        """Return the turn as `viewer` may see it; UNSET where there is none."""
        return game_view.turn_view(game.state, viewer, game.turn_deadline)

    def game_response(
        self, game: Game, caller: Caller, status: int = 200, headers: Mapping[str, str] = _NO_HEADERS
    ) -> EncodedResponse:
        """Return the response with the caller's view."""
        viewer = current_request().seat = game.seat_of(caller)
        return json_response(self.view(game, viewer), status, {**_headers(game, viewer), **headers})

    def command_response(self, committed: Committed, caller: Caller) -> EncodedResponse:
        """Return the response to a command: the caller's view after it."""
        return self.game_response(committed.game, caller, headers=_replay_header(committed))

    def seat_response(self, committed: Committed, caller: Caller) -> EncodedResponse:
        """Return the response to a command that gave the caller a seat: 201, with the game's location."""
        game_id = current_request().game_id = str(committed.game.game_id)
        location = {"Location": f"/v1/games/{game_id}"}
        return self.game_response(committed.game, caller, 201, {**location, **_replay_header(committed)})

    def move_response(self, committed: Committed, caller: Caller) -> EncodedResponse:
        """Return the response to a move: its events, and the caller's view after it."""
        game = committed.game
        viewer = current_request().seat = game.seat_of(caller)
        result = MoveResult(game.version, redacted_events(committed.commit, viewer), self.view(game, viewer))
        return json_response(result, headers={**_headers(game, viewer), **_replay_header(committed)})

    def _presence_by_player(self, game: Game) -> dict[str, PresenceView]:
        players = table_of(game.state).seated_players
        found = ((player.player_id, self._presence.get(player.player_id)) for player in players)
        return {player_id: presence for player_id, presence in found if presence is not None}


def etag(game: Game, viewer: int | None) -> str:
    """Return the entity tag of a view. Weak: `server_time` and presence change without a new version."""
    return f'W/"{game.version}-{"spectator" if viewer is None else viewer}"'


def redacted_events(commit: Commit, viewer: int | None) -> tuple[EventView, ...]:
    """Return the events of a commit as `viewer` may see them."""
    return tuple(redact(event, viewer, commit.version, commit.recorded_at) for event in commit.events)


def not_modified(game: Game, viewer: int | None) -> EncodedResponse:
    """Return the 304 response."""
    return EncodedResponse(b"", 304, headers=_headers(game, viewer))


def _headers(game: Game, viewer: int | None) -> dict[str, str]:
    return PRIVATE | {"ETag": etag(game, viewer)}


def _replay_header(committed: Committed) -> Mapping[str, str]:
    return _REPLAYED if committed.is_replay else _NO_HEADERS
