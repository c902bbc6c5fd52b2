"""The caller: who it is, and the games that it sits or sat at."""

from functools import partial
from typing import Annotated

from litestar import delete, get, patch
from litestar.params import JSONBody, QueryParameter
from litestar.types import ASGIApp

from service.application.caller import Caller
from service.application.deleting import Deleting
from service.application.display_names import InvalidName
from service.application.games import Games
from service.application.players import Players
from service.rest.auth.authenticate import Authenticator
from service.rest.auth.tickets import TAKES_TICKET
from service.rest.errors import invalid_request
from service.rest.i18n import language_of
from service.rest.idempotency_key import idempotency_key
from service.rest.my_games import my_game
from service.rest.pagination import PageCursor, cursor_after, read_cursor
from service.rest.parameters import TicketParameter
from service.rest.presenter import GamePresenter
from service.rest.rate_limit.policies import Policy, RouteLimit, rate_limit
from service.rest.requests import ApiRequest
from service.rest.responses import PRIVATE, EncodedResponse, json_response
from service.rest.routes.games import StatusFilter
from service.rest.routing import Router
from service.rest.schemas.requests import NameChange
from service.rest.schemas.responses import Me, MyGameList
from service.rest.scope import header_lines
from service.rest.streaming.player_stream import PlayerStream, moment_of
from service.rest.streaming.waiters import WaiterRegistry

PageSize = Annotated[int, QueryParameter(ge=1, le=50)]

StreamedAfter = Annotated[str | None, QueryParameter(max_length=20, pattern=r"^[0-9]+\Z")]

_PAGE_LIMIT = RouteLimit(Policy.READS, cost=10)
"""Each game of a page may have to be read from its log."""


def router(
    games: Games,
    players: Players,
    deleting: Deleting,
    presenter: GamePresenter,
    authenticator: Authenticator,
    waiters: WaiterRegistry,
) -> Router:
    """Return the routes of `/v1/me` that tell who the caller is, of `/v1/me/games` and of `/v1/me/stream`."""

    @get("/", opt=rate_limit(Policy.READS))
    async def get_me(request: ApiRequest) -> EncodedResponse:
        return _me(await players.named(request.user))

    @patch("/", opt=rate_limit(Policy.COMMANDS))
    async def update_me(request: ApiRequest, data: JSONBody[NameChange]) -> EncodedResponse:
        try:
            return _me(await players.rename(request.user, data.display_name))
        except InvalidName as error:
            raise invalid_request("/display_name", f"The name {error}.") from None

    @delete("/", status_code=200, opt=rate_limit(Policy.COMMANDS))
    async def delete_me(request: ApiRequest) -> EncodedResponse:
        idempotency_key(request)  # checked only: the caller of a second request is unknown
        await deleting.delete(request.user)
        return EncodedResponse(b"", 204)

    @get("/games", opt=rate_limit(lambda _: _PAGE_LIMIT))
    async def list_my_games(
        request: ApiRequest, status: StatusFilter = None, cursor: PageCursor = None, limit: PageSize = 20
    ) -> EncodedResponse:
        caller = request.user
        # One more than the page holds tells whether there is a next page.
        ids = await games.list_ids_of_player(caller, status, read_cursor(cursor), limit + 1)
        found, language = await games.latest_of(ids[:limit]), language_of(request.scope)
        next_cursor = cursor_after(ids, limit)
        page = MyGameList(
            tuple(my_game(game, caller, presenter, language) for game in found), presenter.clock.now(), next_cursor
        )
        return json_response(page, headers=PRIVATE)

    @get("/stream", opt={**rate_limit(Policy.STREAMS), **TAKES_TICKET})
    async def stream_my_games(
        request: ApiRequest,
        after: StreamedAfter = None,
        ticket: TicketParameter = None,  # noqa: ARG001 - authentication reads it
    ) -> ASGIApp:
        request.user.require_player()
        seen = [*header_lines(request.scope, b"last-event-id"), *([] if after is None else [after])]
        is_still_valid = partial(authenticator.is_still_valid, request.scope)
        since = moment_of(seen[0]) if seen else None
        return PlayerStream(games, waiters, presenter, request.user, language_of(request.scope), since, is_still_valid)

    return Router("/v1/me", route_handlers=[get_me, update_me, delete_me, list_my_games, stream_my_games])


def _me(caller: Caller) -> EncodedResponse:
    return json_response(Me(caller.require_player().player_id, caller.display_name), headers=PRIVATE)
