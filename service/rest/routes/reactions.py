"""Reactions at a table."""

from litestar import post
from litestar.params import JSONBody

from service.application.reactions import Reactions
from service.rest.idempotency_key import idempotency_key
from service.rest.middleware.access_log import current_request
from service.rest.parameters import GameId
from service.rest.rate_limit.policies import Policy, rate_limit
from service.rest.requests import ApiRequest
from service.rest.responses import PRIVATE, EncodedResponse, json_response, replay_header
from service.rest.routing import Router
from service.rest.schemas.requests import ReactionRequest
from service.rest.schemas.responses import seat_reaction


def router(reactions: Reactions) -> Router:
    """Return the route of `/v1/games/{game_id}/reactions`."""

    @post("/reactions", status_code=200, opt=rate_limit(Policy.REACTIONS))
    async def react(request: ApiRequest, game_id: GameId, data: JSONBody[ReactionRequest]) -> EncodedResponse:
        key = idempotency_key(request, data)
        sent, is_replay = await reactions.send(game_id, request.user, data.reaction, key)
        current_request().seat = sent.seat
        return json_response(seat_reaction(sent), headers={**PRIVATE, **replay_header(is_replay=is_replay)})

    return Router("/v1/games/{game_id:str}", route_handlers=[react])
