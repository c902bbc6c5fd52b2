"""Rulesets: the presets, their validation with house rules, and the ruleset of a game."""

from litestar import get, post
from litestar.params import FromPath, JSONBody

from domain.pocha.model.state import State, progress_of, ruleset_of, table_of
from domain.pocha.rules import presets, ruleset
from domain.pocha.rules.ruleset import Ruleset
from domain.pocha.view.parts import whole_ruleset
from service.application.games import Games
from service.application.new_table import resolve_ruleset
from service.rest.errors import ApiError, ErrorCode, ErrorDetail
from service.rest.parameters import GameId
from service.rest.rate_limit.policies import Policy, rate_limit
from service.rest.requests import ApiRequest
from service.rest.responses import PRIVATE, CachedJson, EncodedResponse, json_response
from service.rest.routing import Router
from service.rest.schemas.requests import RulesetRequest, value_or_none
from service.rest.schemas.responses import GameRuleset, RulesetList, RulesetView, ScheduleFor

_NO_BODY = RulesetRequest()


def router() -> Router:
    """Return the routes of `/v1/rulesets`."""
    views = {id_: _view(preset) for id_, preset in presets.PRESETS.items()}
    listed = CachedJson(RulesetList(tuple(views.values())))
    cached = {id_: CachedJson(view) for id_, view in views.items()}

    @get("/", opt=rate_limit(Policy.READS))
    async def list_rulesets(request: ApiRequest) -> EncodedResponse:
        return listed.response(request.scope)

    @get("/{ruleset_id:str}", opt=rate_limit(Policy.READS))
    async def get_ruleset(request: ApiRequest, ruleset_id: FromPath[str]) -> EncodedResponse:
        if ruleset_id not in cached:
            raise ApiError(ErrorCode.NOT_FOUND, ErrorDetail.NO_SUCH_RULESET)
        return cached[ruleset_id].response(request.scope)

    @post("/validate", status_code=200, opt=rate_limit(Policy.COMMANDS, cost=3))
    async def validate_ruleset(data: JSONBody[RulesetRequest] = _NO_BODY) -> EncodedResponse:
        return json_response(_view(resolve_ruleset(data.ruleset, value_or_none(data.house_rules))))

    return Router("/v1/rulesets", route_handlers=[list_rulesets, get_ruleset, validate_ruleset])


def game_router(games: Games) -> Router:
    """Return the route of `/v1/games/{game_id}/ruleset`."""

    @get("/", opt=rate_limit(Policy.READS))
    async def get_game_ruleset(request: ApiRequest, game_id: GameId) -> EncodedResponse:
        game = await games.get_game(game_id, request.user)
        return json_response(_game_ruleset(game.state), headers=PRIVATE)

    return Router("/v1/games/{game_id:str}/ruleset", route_handlers=[get_game_ruleset])


def _view(preset: Ruleset) -> RulesetView:
    schedules = (
        ScheduleFor(players, ruleset.removed(preset, players), ruleset.hand_schedule(preset, players))
        for players in preset.players.allowed
    )
    return RulesetView(whole_ruleset(preset), tuple(schedules))


def _game_ruleset(state: State) -> GameRuleset:
    """Return the ruleset with the schedule that the game started with, or would start with."""
    rules, progress = ruleset_of(state), progress_of(state)
    players = len(table_of(state).seats)
    hands = progress.schedule if progress else ruleset.hand_schedule(rules, players)
    return GameRuleset(whole_ruleset(rules), ScheduleFor(players, ruleset.removed(rules, players), hands))
