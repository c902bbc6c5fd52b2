"""Score sheets of tables with real cards."""

from litestar import delete, get, post
from litestar.params import JSONBody

from domain.pocha.rules.presets import DEFAULT
from service.application.display_names import InvalidName, clean_name
from service.application.joining import Joining
from service.application.new_table import resolve_ruleset
from service.application.ports import Joined
from service.application.score_keeping import ScoreKeeping
from service.rest import score_keeper_presenter as presenter
from service.rest.errors import invalid_request
from service.rest.idempotency_key import idempotency_key
from service.rest.pagination import PageCursor, PageSize, cursor_after, read_cursor
from service.rest.parameters import AfterVersion, ScoreKeeperId, WaitSeconds
from service.rest.rate_limit.policies import Policy, rate_limit
from service.rest.requests import ApiRequest
from service.rest.responses import PRIVATE, EncodedResponse, json_response
from service.rest.routing import Router
from service.rest.schemas.requests import value_or_none
from service.rest.schemas.score_keepers import (
    JoinCode,
    NewScoreKeeper,
    ScoreKeeperList,
)
from service.rest.streaming.waiters import WaiterRegistry


def router(keeping: ScoreKeeping, joining: Joining, waiters: WaiterRegistry) -> Router:
    """Return the routes of `/v1/score-keepers`."""

    @post("/", opt=rate_limit(Policy.CREATION))
    async def create_score_keeper(request: ApiRequest, data: JSONBody[NewScoreKeeper]) -> EncodedResponse:
        names = [_clean_name(name, seat) for seat, name in enumerate(data.players)]
        ruleset = resolve_ruleset(value_or_none(data.ruleset) or DEFAULT.id, value_or_none(data.house_rules))
        key = idempotency_key(request, data)
        kept = await keeping.create(request.user, ruleset, names, value_or_none(data.first_dealer) or 0, key)
        return presenter.response(kept, 201)

    @get("/", opt=rate_limit(Policy.READS))
    async def list_score_keepers(
        request: ApiRequest, cursor: PageCursor = None, limit: PageSize = 20
    ) -> EncodedResponse:
        found = await keeping.list(request.user, read_cursor(cursor), limit + 1)
        next_cursor = cursor_after([keeper.score_keeper_id for keeper in found], limit)
        page = ScoreKeeperList(tuple(presenter.summary(keeper) for keeper in found[:limit]), next_cursor)
        return json_response(page, headers=PRIVATE)

    @get("/{score_keeper_id:str}", opt=rate_limit(Policy.READS))
    async def get_score_keeper(
        request: ApiRequest,
        score_keeper_id: ScoreKeeperId,
        after_version: AfterVersion = None,
        wait: WaitSeconds = None,
    ) -> EncodedResponse:
        kept = await keeping.get(score_keeper_id, request.user)
        if wait and after_version is not None and kept.version <= after_version:
            async with waiters.admit(request.user, request.scope) as waiter, waiter.ends_on_disconnect(request.receive):
                kept = await keeping.wait(score_keeper_id, request.user, after_version, wait)
        return presenter.response(kept)

    @delete("/{score_keeper_id:str}", status_code=200, opt=rate_limit(Policy.COMMANDS))
    async def delete_score_keeper(request: ApiRequest, score_keeper_id: ScoreKeeperId) -> EncodedResponse:
        await keeping.delete(score_keeper_id, request.user)
        return EncodedResponse(b"", 204)

    @post("/{score_keeper_id:str}/join-code", status_code=200, opt=rate_limit(Policy.COMMANDS))
    async def get_score_keeper_code(request: ApiRequest, score_keeper_id: ScoreKeeperId) -> EncodedResponse:
        kept = await keeping.get(score_keeper_id, request.user)
        code = await joining.code_of(Joined.SCORE_KEEPER, score_keeper_id, kept.keeper.tenant)
        return json_response(JoinCode(code.code, code.expires_at), headers=PRIVATE)

    return Router(
        "/v1/score-keepers",
        route_handlers=[
            create_score_keeper,
            list_score_keepers,
            get_score_keeper,
            delete_score_keeper,
            get_score_keeper_code,
        ],
    )


def _clean_name(text: str, seat: int) -> str:
    try:
        return clean_name(text)
    except InvalidName as error:
        raise invalid_request(f"/players/{seat}", f"The name {error}.") from None
