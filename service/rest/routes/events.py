"""Events of a game: as pages, and as a stream."""

import re
from functools import partial
from typing import Annotated

from litestar import get
from litestar.params import QueryParameter
from litestar.types import ASGIApp, Scope

from domain.pocha.view.schema import MAX_VERSION
from service.application.games import Games
from service.application.reactions import Muted, Reactions
from service.rest.auth.authenticate import Authenticator
from service.rest.auth.tickets import TAKES_TICKET
from service.rest.errors import ApiError, ErrorCode, ErrorDetail
from service.rest.i18n import language_of
from service.rest.negotiation import prefers_event_stream
from service.rest.parameters import GameId, TicketParameter
from service.rest.presenter import GamePresenter, redacted_events
from service.rest.rate_limit.policies import Policy, rate_limit
from service.rest.requests import ApiRequest
from service.rest.responses import PRIVATE, EncodedResponse, json_response
from service.rest.routing import Router
from service.rest.schemas.responses import EventPage
from service.rest.scope import header_lines
from service.rest.shown import shown_by
from service.rest.streaming.sse import EventStream, StreamPosition
from service.rest.streaming.sse_frames import FrameEncoder
from service.rest.streaming.waiters import WaiterRegistry

After = Annotated[int, QueryParameter(ge=0, le=MAX_VERSION)]
StreamedAfter = Annotated[int | None, QueryParameter(ge=0, le=MAX_VERSION)]
PageSize = Annotated[int, QueryParameter(ge=1, le=1000)]

_EVERYBODY = "all"
_PLAYER = "[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
Mute = Annotated[str | None, QueryParameter(max_length=369, pattern=rf"^({_EVERYBODY}|{_PLAYER}(,{_PLAYER}){{0,9}})\Z")]

_VARY = "Accept, Authorization"
_VARY_OF_PROBLEM = "Accept, Accept-Language, Authorization"
_HEADERS = PRIVATE | {"Vary": _VARY}
_VERSION = re.compile(r"[0-9]{1,10}")
_UNKNOWN_VERSION = -1
"""A `Last-Event-ID` that is no version: the stream begins with a snapshot."""


def router(
    games: Games,
    authenticator: Authenticator,
    presenter: GamePresenter,
    waiters: WaiterRegistry,
    reactions: Reactions,
) -> Router:
    """Return the routes of `/v1/games/{game_id}/events` and `/v1/games/{game_id}/stream`."""
    frames = FrameEncoder(presenter)

    @get("/events", opt=rate_limit(Policy.READS, cost=5))
    async def list_events(
        request: ApiRequest, game_id: GameId, after: After = 0, limit: PageSize = 100
    ) -> EncodedResponse:
        if prefers_event_stream(request.scope):
            raise ApiError(ErrorCode.NOT_ACCEPTABLE, ErrorDetail.NOT_A_STREAM, headers={"Vary": _VARY_OF_PROBLEM})
        caller = request.user
        game, commits = await games.read_history(game_id, caller, after, limit)
        viewer, shown = game.seat_of(caller), shown_by(game.names, language_of(request.scope))
        items = tuple(event for commit in commits for event in redacted_events(commit, viewer, shown))
        # Commits may be newer than the game that was read before them.
        version = max(game.version, commits[-1].version) if commits else game.version
        next_after = commits[-1].version if commits else min(after, version)
        return json_response(EventPage(items, next_after, version), headers=_HEADERS)

    @get("/stream", opt={**rate_limit(Policy.STREAMS), **TAKES_TICKET})
    async def stream_game(
        request: ApiRequest,
        game_id: GameId,
        after: StreamedAfter = None,
        mute: Mute = None,
        ticket: TicketParameter = None,  # noqa: ARG001 - authentication reads it
    ) -> ASGIApp:
        caller, after = request.user, _last_event_id(request.scope, after)
        game = await games.get_game(game_id, caller)
        if game.is_over and after == game.version:
            return EncodedResponse(b"", 204, headers=PRIVATE)  # tells an EventSource not to reconnect
        is_still_valid = partial(authenticator.is_still_valid, request.scope)
        listen = partial(reactions.listen, game_id, _muted(mute))
        position = StreamPosition(frames, caller, language_of(request.scope))
        return EventStream(games, waiters, position, game_id, caller, after, is_still_valid, listen)

    return Router("/v1/games/{game_id:str}", route_handlers=[list_events, stream_game])


def _muted(mute: str | None) -> Muted:
    if mute is None or mute == _EVERYBODY:
        return Muted(everybody=mute is not None)
    return Muted(player_ids=frozenset(mute.lower().split(",")))


def _last_event_id(scope: Scope, after: int | None) -> int | None:
    """Return the version that the client has seen: `Last-Event-ID` of a reconnecting EventSource, else `after`."""
    ids = header_lines(scope, b"last-event-id")
    if not ids:
        return after
    return int(ids[-1]) if _VERSION.fullmatch(ids[-1]) else _UNKNOWN_VERSION
