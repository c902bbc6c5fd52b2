"""Seats of a game: join, leave, seat a robot, let the service make moves."""

from litestar import delete, post, put
from litestar.params import JSONBody

from service.application.games import Games
from service.rest.idempotency_key import idempotency_key
from service.rest.parameters import GameId, PathSeat
from service.rest.presenter import GamePresenter
from service.rest.rate_limit.policies import Policy, rate_limit
from service.rest.requests import ApiRequest
from service.rest.responses import EncodedResponse
from service.rest.routing import Router
from service.rest.schemas.requests import AutoPlayRequest, JoinRequest, RobotSpec, value_or_none

_LIMIT = rate_limit(Policy.COMMANDS)
_NO_BODY = JoinRequest()


def router(games: Games, presenter: GamePresenter) -> Router:
    """Return the routes of `/v1/games/{game_id}/seats`."""

    @post("/", opt=_LIMIT)
    async def join_game(
        request: ApiRequest, game_id: GameId, data: JSONBody[JoinRequest] = _NO_BODY
    ) -> EncodedResponse:
        seat, invite_code, seed = (
            value_or_none(data.seat),
            value_or_none(data.invite_code),
            value_or_none(data.client_seed),
        )
        key = idempotency_key(request, data)
        committed = await games.join(game_id, request.user, seat, invite_code, seed, key)
        return presenter.seat_response(committed, request)

    @delete("/{seat:str}", status_code=200, opt=_LIMIT)
    async def leave_game(request: ApiRequest, game_id: GameId, seat: PathSeat) -> EncodedResponse:
        committed = await games.leave(game_id, request.user, seat, idempotency_key(request))
        return presenter.command_response(committed, request)

    @put("/{seat:str}/robot", opt=_LIMIT)
    async def seat_robot(
        request: ApiRequest, game_id: GameId, seat: PathSeat, data: JSONBody[RobotSpec]
    ) -> EncodedResponse:
        key = idempotency_key(request, data)
        committed = await games.seat_robot(game_id, request.user, seat, data.level, key)
        return presenter.command_response(committed, request)

    @put("/{seat:str}/auto-play", opt=_LIMIT)
    async def choose_auto_play(
        request: ApiRequest, game_id: GameId, seat: PathSeat, data: JSONBody[AutoPlayRequest]
    ) -> EncodedResponse:
        key = idempotency_key(request, data)
        committed = await games.choose_auto_play(game_id, request.user, seat, data.auto_play, key)
        return presenter.command_response(committed, request)

    return Router("/v1/games/{game_id:str}/seats", route_handlers=[join_game, leave_game, seat_robot, choose_auto_play])
