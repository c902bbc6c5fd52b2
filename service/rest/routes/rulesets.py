"""The rulesets that games can be made with."""

from litestar import get, post

from domain.pocha.rules import presets, ruleset
from domain.pocha.rules.ruleset import Ruleset
from service.application.new_table import resolve_ruleset
from service.rest.errors import ApiError, ErrorCode, ErrorDetail
from service.rest.requests import AnyRequest, BodyOf, given, query_of
from service.rest.responses import EncodedResponse, json_response
from service.rest.routing import Handlers
from service.rest.schemas import RulesetList, RulesetRequest, RulesetView, ScheduleFor

_RULESET = BodyOf(RulesetRequest)


def handlers() -> Handlers:
    """Return the handlers of `/v1/rulesets`."""
    views = {id_: _view(preset) for id_, preset in presets.PRESETS.items()}

    @get("/v1/rulesets")
    async def list_rulesets(request: AnyRequest) -> EncodedResponse:
        query_of(request, {})
        return json_response(RulesetList(tuple(views.values())))

    @get("/v1/rulesets/{ruleset_id:str}")
    async def get_ruleset(request: AnyRequest) -> EncodedResponse:
        query_of(request, {})
        view = views.get(request.path_params["ruleset_id"])
        if view is None:
            raise ApiError(ErrorCode.NOT_FOUND, ErrorDetail.NO_SUCH_RULESET)
        return json_response(view)

    @post("/v1/rulesets/validate", status_code=200)
    async def validate_ruleset(request: AnyRequest) -> EncodedResponse:
        body = await _RULESET.read(request)
        return json_response(_view(resolve_ruleset(body.ruleset, given(body.house_rules))))

    return [list_rulesets, get_ruleset, validate_ruleset]


def _view(preset: Ruleset) -> RulesetView:
    schedules = (
        ScheduleFor(players, ruleset.removed(preset, players), ruleset.hand_schedule(preset, players))
        for players in preset.players.allowed
    )
    return RulesetView(preset, tuple(schedules))
