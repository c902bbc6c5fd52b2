"""What happened at a table: its events, a page at a time or as a stream."""

import re
from functools import partial

from litestar import get
from litestar.types import ASGIApp

from domain.pocha.view.schema import MAX_VERSION
from service.application.caller import Caller
from service.application.games import Games
from service.rest.auth.authenticate import Authenticator
from service.rest.negotiation import wants_a_stream
from service.rest.presenter import GamePresenter, seen_events
from service.rest.requests import AnyRequest, game_id_of, headers_of, invalid, number_between, query_of
from service.rest.responses import PRIVATE, EncodedResponse, json_response
from service.rest.routing import Handlers
from service.rest.schemas import EventPage
from service.rest.streaming.sse import EventStream
from service.rest.streaming.sse_frames import FrameEncoder
from service.rest.streaming.waiters import WaiterRegistry

_DEFAULT_LIMIT = 100
_PAGING = {"after": number_between(0, MAX_VERSION), "limit": number_between(1, 1000)}
_HEADERS = PRIVATE | {"Vary": "Accept, Authorization"}
_VERSION = re.compile(r"[0-9]{1,10}")
_UNKNOWN = -1
"""An id that is no version of any game: what comes after it is unknown."""


def handlers(games: Games, auth: Authenticator, showing: GamePresenter, room: WaiterRegistry) -> Handlers:
    """Return the handler of `events`."""
    maker = FrameEncoder(showing)

    @get("/v1/games/{game_id:str}/events")
    async def list_events(request: AnyRequest) -> ASGIApp:
        caller = await auth.caller_of(request)
        query = query_of(request, _PAGING)
        if wants_a_stream(request.scope):
            return await stream(request, caller, query)
        return await page(request, caller, query.get("after", 0), query.get("limit", _DEFAULT_LIMIT))

    async def page(request: AnyRequest, caller: Caller, after: int, limit: int) -> EncodedResponse:
        snapshot, commits = await games.read_history(game_id_of(request), caller, after, limit)
        viewer = snapshot.seat_of(caller)
        items = tuple(event for commit in commits for event in seen_events(commit, viewer))
        next_after = commits[-1].version if commits else after
        return json_response(EventPage(items, next_after, max(snapshot.version, next_after)), headers=_HEADERS)

    async def stream(request: AnyRequest, caller: Caller, query: dict[str, int]) -> ASGIApp:
        if "limit" in query:
            raise invalid("query/limit", "A stream has no limit.")
        game_id = game_id_of(request)
        after = _last_event_id(request, query.get("after"))
        snapshot = await games.get_game(game_id, caller)
        if snapshot.is_over and after == snapshot.version:
            return EncodedResponse(b"", 204, headers=_HEADERS)  # what tells a browser not to come back
        return EventStream(games, room, maker, game_id, caller, after, partial(auth.is_still_good, request.scope))

    return [list_events]


def _last_event_id(request: AnyRequest, after: int | None) -> int | None:
    """Return the version that the caller has: a browser that reconnects says so in a header, with the query of the first time."""
    ids = headers_of(request, b"last-event-id")
    if not ids:
        return after
    return int(ids[-1]) if _VERSION.fullmatch(ids[-1]) else _UNKNOWN
