"""Games as their viewers may see them, in responses."""

from collections.abc import Mapping
from uuid import UUID

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from domain.pocha.model.state import table_of
from domain.pocha.view import game_view
from domain.pocha.view.event_view import redact
from domain.pocha.view.parts import Shown, present, seats_at
from domain.pocha.view.schema import EventView, GameView, PlayerRef, PresenceView, SeatView, TurnView
from service.application.ports import Clock, Commit
from service.application.presence import Presence
from service.application.repository import Committed, Game
from service.rest.i18n import Language, language_of
from service.rest.middleware.access_log import current_request
from service.rest.requests import ApiRequest
from service.rest.responses import NO_HEADERS, PRIVATE, EncodedResponse, json_response, replay_header
from service.rest.schemas.responses import MoveResult
from service.rest.shown import shown_by

MAX_PUBLIC_VIEWS = 2000
"""How many games' views are kept for their next viewers, 3 KB each; those that changed last."""


class GamePresenter:
    """Makes views and responses of games, with the server's time and the presence of players.

    Responses set the seat of the access log.
    """

    def __init__(self, clock: Clock, presence: Presence) -> None:
        self.clock = clock
        self._presence = presence
        self._public: dict[UUID, GameView] = {}

    def view(self, game: Game, viewer: int | None, language: Language) -> GameView:
        """Return the view of the seat `viewer`, or of a spectator."""
        public = self._public_view(game)
        shown = public if viewer is None else game_view.seat_view(public, game.state, viewer, game.turn_deadline)
        return replace(shown, server_time=self.clock.now(), seats=self.seats(game, language))

    def _public_view(self, game: Game) -> GameView:
        """Return the spectator's view, made once for a version; without names; its time is that of then."""
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

    def seats(self, game: Game, language: Language) -> tuple[SeatView, ...]:
        """Return the seats, with the names and the presence of players."""
        shown = shown_by(game.names, language)
        return seats_at(table_of(game.state), self.clock.now(), shown, self._presence_by_player(game))

    def listed_seats(self, seats: tuple[SeatView, ...]) -> tuple[SeatView, ...]:
        """Return the seats of a listed game, with the presence of players."""
        return tuple(seat if seat.player is UNSET else self._listed_seat(seat, seat.player) for seat in seats)

    def _listed_seat(self, seat: SeatView, player: PlayerRef) -> SeatView:
        return replace(seat, presence=present(self._presence.get(player.player_id)))

    def turn(self, game: Game, viewer: int | None) -> TurnView | UnsetType:
        """Return the turn as `viewer` may see it; UNSET where there is none."""
        return game_view.turn_view(game.state, viewer, game.turn_deadline)

    def game_response(
        self, game: Game, request: ApiRequest, status: int = 200, headers: Mapping[str, str] = NO_HEADERS
    ) -> EncodedResponse:
        """Return the response with the caller's view."""
        viewer = current_request().seat = game.seat_of(request.user)
        return json_response(
            self.view(game, viewer, language_of(request.scope)), status, {**_headers(game, viewer), **headers}
        )

    def command_response(self, committed: Committed, request: ApiRequest) -> EncodedResponse:
        """Return the response to a command: the caller's view after it."""
        return self.game_response(committed.game, request, headers=replay_header(is_replay=committed.is_replay))

    def seat_response(self, committed: Committed, request: ApiRequest) -> EncodedResponse:
        """Return the response to a command that gave the caller a seat: 201, with the game's location."""
        game_id = current_request().game_id = str(committed.game.game_id)
        location = {"Location": f"/v1/games/{game_id}"}
        return self.game_response(
            committed.game, request, 201, {**location, **replay_header(is_replay=committed.is_replay)}
        )

    def move_response(self, committed: Committed, request: ApiRequest) -> EncodedResponse:
        """Return the response to a move: its events, and the caller's view after it."""
        game = committed.game
        viewer, language = game.seat_of(request.user), language_of(request.scope)
        current_request().seat = viewer
        events = redacted_events(committed.commit, viewer, shown_by(game.names, language))
        result = MoveResult(game.version, events, self.view(game, viewer, language))
        return json_response(result, headers={**_headers(game, viewer), **replay_header(is_replay=committed.is_replay)})

    def _presence_by_player(self, game: Game) -> dict[str, PresenceView]:
        players = table_of(game.state).seated_players
        found = ((player.player_id, self._presence.get(player.player_id)) for player in players)
        return {player_id: presence for player_id, presence in found if presence is not None}


def etag(game: Game, viewer: int | None) -> str:
    """Return the entity tag of a view. Weak: `server_time` and presence change without a new version."""
    return f'W/"{game.version}-{"spectator" if viewer is None else viewer}"'


def redacted_events(commit: Commit, viewer: int | None, shown: Shown) -> tuple[EventView, ...]:
    """Return the events of a commit as `viewer` may see them."""
    return tuple(redact(event, viewer, commit.version, commit.recorded_at, shown) for event in commit.events)


def not_modified(game: Game, viewer: int | None) -> EncodedResponse:
    """Return the 304 response."""
    return EncodedResponse(b"", 304, headers=_headers(game, viewer))


def _headers(game: Game, viewer: int | None) -> dict[str, str]:
    return PRIVATE | {"ETag": etag(game, viewer)}
