"""Tickets that open one stream, for `EventSource`."""

from uuid import UUID

from litestar import post
from litestar.params import JSONBody

from service.application.games import Games
from service.rest.auth.authenticate import Authenticator
from service.rest.middleware.path_prefix import path_prefix
from service.rest.rate_limit.policies import Policy, rate_limit
from service.rest.requests import ApiRequest
from service.rest.responses import PRIVATE, EncodedResponse, json_response
from service.rest.routing import Router
from service.rest.schemas.requests import TicketRequest, value_or_none
from service.rest.schemas.responses import StreamTicket

_NO_BODY = TicketRequest()


def router(games: Games, authenticator: Authenticator) -> Router:
    """Return the routes of `/v1/stream-tickets`."""

    @post("/", opt=rate_limit(Policy.COMMANDS))
    async def create_stream_ticket(request: ApiRequest, data: JSONBody[TicketRequest] = _NO_BODY) -> EncodedResponse:
        path = await path_of(request, value_or_none(data.game_id))
        issued = await authenticator.issue_ticket(request.scope, path)
        return json_response(StreamTicket(issued.token, path_prefix() + path, issued.expires_at), 201, PRIVATE)

    async def path_of(request: ApiRequest, game_id: UUID | None) -> str:
        if game_id is None:
            request.user.require_player()
            return "/v1/me/stream"
        await games.get_game(game_id, request.user)
        return f"/v1/games/{game_id}/stream"

    return Router("/v1/stream-tickets", route_handlers=[create_stream_ticket])
