"""Joining by a short code."""

from uuid import UUID

from litestar import post
from litestar.params import JSONBody

from service.application.caller import Caller
from service.application.games import Games
from service.application.joining import Joining
from service.application.ports import Joined as Kind
from service.application.score_keeping import ScoreKeeping
from service.rest import score_keeper_presenter
from service.rest.i18n import language_of
from service.rest.middleware.access_log import current_request
from service.rest.parameters import GameId
from service.rest.presenter import GamePresenter
from service.rest.rate_limit.policies import Policy, rate_limit
from service.rest.requests import ApiRequest
from service.rest.responses import PRIVATE, EncodedResponse, json_response
from service.rest.routing import Router
from service.rest.schemas.requests import value_or_none
from service.rest.schemas.score_keepers import JoinByCodeRequest, JoinCode, Joined, JoinedGame, JoinedScoreKeeper


def router(joining: Joining, games: Games, keeping: ScoreKeeping, presenter: GamePresenter) -> Router:
    """Return the routes of `/v1/joins`, and of the codes of games. Every request to join counts as a guess, before it is served."""

    @post("/v1/joins", status_code=200, opt=rate_limit(Policy.JOINS))
    async def join_by_code(request: ApiRequest, data: JSONBody[JoinByCodeRequest]) -> EncodedResponse:
        caller = request.user
        caller.require_player()
        found = await joining.find(data.code, caller)
        if found.kind is Kind.GAME:
            joined: Joined = await sit_down(request, found.target, caller, value_or_none(data.client_seed))
        else:
            joined = JoinedScoreKeeper(score_keeper_presenter.view(await keeping.admit(found.target, caller)))
        return json_response(joined, headers=PRIVATE)

    async def sit_down(request: ApiRequest, game_id: UUID, caller: Caller, client_seed: str | None) -> JoinedGame:
        current_request().game_id = str(game_id)
        game = await games.join_by_code(game_id, caller, client_seed)
        current_request().seat = game.seat_of(caller)
        return JoinedGame(presenter.view(game, game.seat_of(caller), language_of(request.scope)))

    @post("/v1/games/{game_id:str}/join-code", status_code=200, opt=rate_limit(Policy.COMMANDS))
    async def get_game_code(request: ApiRequest, game_id: GameId) -> EncodedResponse:
        await games.get_game(game_id, request.user)  # who may not know of it gets no code
        code = await joining.code_of(Kind.GAME, game_id, request.user.tenant)
        return json_response(JoinCode(code.code, code.expires_at), headers=PRIVATE)

    return Router("/", route_handlers=[join_by_code, get_game_code])
