"""Quick matches."""

from collections.abc import Mapping
from typing import Annotated
from uuid import UUID

from litestar import delete, get, post
from litestar.params import JSONBody, PathParameter
from msgspec import UNSET

from domain.pocha.rules.presets import DEFAULT
from domain.pocha.view import parts
from service.application.matching import Matching, is_pending
from service.application.new_table import resolve_ruleset
from service.application.ports import MatchRequest, MatchSpec
from service.rest.idempotency_key import idempotency_key
from service.rest.middleware.access_log import current_request
from service.rest.parameters import WaitSeconds
from service.rest.rate_limit.policies import Policy, rate_limit
from service.rest.requests import ApiRequest
from service.rest.responses import NO_HEADERS, PRIVATE, EncodedResponse, json_response, replay_header
from service.rest.routing import Router
from service.rest.schemas.matches import Match, MatchState, NewMatch
from service.rest.schemas.requests import value_or_none
from service.rest.streaming.waiters import WaiterRegistry

MatchId = Annotated[UUID, PathParameter()]
_DEFAULT_SECONDS = 60


def router(matching: Matching, waiters: WaiterRegistry) -> Router:
    """Return the routes of `/v1/matches`."""

    @post("/", opt=rate_limit(Policy.CREATION))
    async def request_match(request: ApiRequest, data: JSONBody[NewMatch]) -> EncodedResponse:
        robots = value_or_none(data.robots)
        found, is_replay = await matching.request(
            request.user,
            _spec(data),
            value_or_none(data.wait_seconds) or _DEFAULT_SECONDS,
            None if robots is None else robots.level,
            idempotency_key(request, data),
            similar_rating=value_or_none(data.similar_rating) or False,
        )
        location = {"Location": f"/v1/matches/{found.match_id}"}
        return _response(found, 201, {**location, **replay_header(is_replay=is_replay)})

    @get("/{match_id:str}", opt=rate_limit(Policy.READS))
    async def get_match(request: ApiRequest, match_id: MatchId, wait: WaitSeconds = None) -> EncodedResponse:
        found = await matching.get(match_id, request.user)
        if wait and is_pending(found):
            async with waiters.admit(request.user, request.scope) as waiter, waiter.ends_on_disconnect(request.receive):
                found = await matching.wait(match_id, request.user, wait)
        return _response(found)

    @delete("/{match_id:str}", status_code=200, opt=rate_limit(Policy.COMMANDS))
    async def cancel_match(request: ApiRequest, match_id: MatchId) -> EncodedResponse:
        return _response(await matching.cancel(match_id, request.user))

    return Router("/v1/matches", route_handlers=[request_match, get_match, cancel_match])


def _spec(body: NewMatch) -> MatchSpec:
    ruleset = resolve_ruleset(value_or_none(body.ruleset) or DEFAULT.id, value_or_none(body.house_rules))
    return MatchSpec(ruleset, body.players, value_or_none(body.turn_seconds))


def _response(found: MatchRequest, status: int = 200, headers: Mapping[str, str] = NO_HEADERS) -> EncodedResponse:
    """Return the response; a request whose game is still being made waits."""
    if found.game_id is not None and found.is_ready:
        current_request().game_id = str(found.game_id)
    return json_response(match_view(found), status, {**PRIVATE, **headers})


def match_view(found: MatchRequest) -> Match:
    """Return a request as its player sees it."""
    return Match(
        match_id=str(found.match_id),
        status=MatchState.WAITING if is_pending(found) else MatchState(found.status.value),
        ruleset=parts.ruleset_ref(found.spec.ruleset),
        players=found.spec.players,
        created_at=found.created_at,
        expires_at=found.expires_at,
        game_id=str(found.game_id) if found.game_id is not None and found.is_ready else UNSET,
    )
