"""Rate limits, between the outermost layer and the framework: who has asked too often is told to wait.

A move is tried first: a legal one is never refused for how often its player has asked. Only what the game has refused, or has done
already, is counted, and then told as 429 where its caller has used up what there is. All else is counted beforehand, sitting down and
getting up too: nobody waits for it, and each makes a commit.
"""

import math
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from litestar.types import ASGIApp, HTTPScope, Message, Receive, Scope, Send

from service.application.caller import GUEST_TENANT, Caller
from service.rest.errors import ApiError, ErrorCode, ErrorDetail, problem_response
from service.rest.i18n import preferred_language
from service.rest.middleware.access_log import PROBES
from service.rest.middleware.admission import READS
from service.rest.negotiation import header_of, wants_a_stream
from service.rest.rate_limit.config import RateLimitConfig
from service.rest.rate_limit.policies import Policy
from service.rest.rate_limit.store import Charge, ChargeResult, Quota
from service.rest.responses import EncodedResponse

Known = Callable[[HTTPScope], Awaitable[Caller | None]]
"""Tells who sent a request; none when that is a stranger, or cannot be told."""
Counted = tuple[Charge, ChargeResult]

_CREATIONS = frozenset({"/v1/players", "/v1/games"})
_AT_A_TABLE = "/v1/games/"
_REMATCH = "/rematch"
_SEATS = "/seats"
_EVENTS = "/events"
_READ_COSTS: Mapping[str, int] = MappingProxyType({"record": 20, "events": 5, "score-sheet": 3})
"""What is dear to make, by the end of its path; as many small reads take about as long."""
_REPLAYED = b"idempotency-replayed"
_REFUSED = range(400, 500)


class RateLimitMiddleware:
    """ASGI middleware around what serves requests; `known` tells who calls."""

    def __init__(self, app: ASGIApp, limits: RateLimitConfig, known: Known) -> None:
        self._app = app
        self._policies = limits.policies
        self._store = limits.store
        self._addresses = limits.addresses
        self._known = known

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        if scope["type"] != "http" or scope["path"] in PROBES:
            await self._app(scope, receive, send)
        elif is_tried_first(scope):
            await self._app(scope, receive, _Afterwards(self, scope, receive, send).send)
        else:
            await self._serve_counted(scope, receive, send)

    async def _serve_counted(self, scope: HTTPScope, receive: Receive, send: Send) -> None:
        counted = await self.count(scope, policy_of(scope))
        if counted is None:
            await self._app(scope, receive, send)
        elif counted[1].is_allowed:
            await self._app(scope, receive, _Telling(send, counted).send)
        else:
            await too_often(scope, counted)(scope, receive, send)

    async def count(self, scope: HTTPScope, policy: Policy) -> Counted | None:
        """Count a request, and return the demand that decides, with what came of it; none when nothing limits the caller."""
        demands = self._demands(scope, policy, await self._known(scope))
        return _decisive(demands, await self._store.take(demands)) if demands else None

    def _demands(self, scope: HTTPScope, policy: Policy, caller: Caller | None) -> Sequence[Charge]:
        demands: list[Charge] = []
        cost = cost_of(scope, policy)
        if caller is not None:
            quotas = self._policies.of_app if caller.is_app else self._policies.of_player
            if policy in quotas:
                demands.append(_demand(caller.id, quotas[policy], cost))
        # An app answers for its users, and asks for all of them from few addresses.
        if (caller is None or caller.tenant == GUEST_TENANT) and policy in self._policies.of_address:
            demands.append(_demand(self._address_of(scope), self._policies.of_address[policy], cost))
        return demands

    def _address_of(self, scope: HTTPScope) -> str:
        client = scope["client"]
        forwarded_for = header_of(scope, b"x-forwarded-for") if self._addresses.trusts_anybody else ""
        return self._addresses.key_of(client[0] if client else "", forwarded_for)


def is_tried_first(scope: HTTPScope) -> bool:
    """Tell whether a request is a move. A rematch makes a table, and is counted like one."""
    path = scope["path"]
    is_move = path.startswith(_AT_A_TABLE) and _SEATS not in path and not path.endswith(_REMATCH)
    return scope["method"] == "POST" and is_move


def policy_of(scope: HTTPScope) -> Policy:
    """Return what a request that is counted before it is served counts as."""
    path = scope["path"]
    if scope["method"] in READS:
        return Policy.STREAMS if path.endswith(_EVENTS) and wants_a_stream(scope) else Policy.READS
    return Policy.CREATION if path in _CREATIONS or path.endswith(_REMATCH) else Policy.COMMANDS


def cost_of(scope: HTTPScope, policy: Policy) -> int:
    """Return how much of the quota of its policy a request takes."""
    path = scope["path"]
    if policy is not Policy.READS or not path.startswith(_AT_A_TABLE):
        return 1
    return _READ_COSTS.get(path.rpartition("/")[2], 1)


def _demand(key: str, quota: Quota, cost: int) -> Charge:
    # What costs more than there ever is could never be had.
    return Charge(key, quota, min(cost, quota.limit))


def _decisive(demands: Sequence[Charge], taken: Sequence[ChargeResult]) -> Counted:
    """Return the demand that was refused for longest, or else the one of which least is left."""
    found = 0
    for other in range(1, len(taken)):
        if _is_nearer_its_end(taken[other], taken[found]):
            found = other
    return demands[found], taken[found]


def _is_nearer_its_end(one: ChargeResult, other: ChargeResult) -> bool:
    if one.retry_after == other.retry_after:
        return one.remaining < other.remaining
    return one.retry_after > other.retry_after


def too_often(scope: HTTPScope, counted: Counted) -> EncodedResponse:
    """Return the answer to a request that is one too many."""
    demand, taken = counted
    wait = max(1, _whole_seconds(taken.retry_after, demand.quota))
    error = ApiError(ErrorCode.RATE_LIMITED, ErrorDetail.TOO_OFTEN, retry_after=wait)
    reply = problem_response(error, preferred_language(header_of(scope, b"accept-language")))
    reply.headers.extend(rate_headers(counted))
    return reply


def rate_headers(counted: Counted) -> Iterator[tuple[bytes, bytes]]:
    """Yield the headers that tell of a quota (draft-ietf-httpapi-ratelimit-headers-11): what it is, and what is left of it."""
    demand, taken = counted
    quota = demand.quota
    seconds = _whole_seconds(taken.reset_after if taken.is_allowed else taken.retry_after, quota)
    yield (b"ratelimit-policy", b'"%s";q=%d;w=%d' % (quota.policy.encode(), quota.limit, quota.seconds))
    yield (b"ratelimit", b'"%s";r=%d;t=%d' % (quota.policy.encode(), taken.remaining, seconds))


def _whole_seconds(seconds: float, quota: Quota) -> int:
    # Sums of fractions may come out above the whole.
    return min(math.ceil(seconds), quota.seconds)


class _Telling:
    """Adds to an answer what is left of the quota that it was counted in."""

    __slots__ = ("_counted", "_send")

    def __init__(self, send: Send, counted: Counted) -> None:
        self._send = send
        self._counted = counted

    async def send(self, message: Message) -> None:
        """Pass one message on."""
        if message["type"] == "http.response.start":
            message["headers"] = [*message["headers"], *rate_headers(self._counted)]
        await self._send(message)


class _Afterwards:
    """Lets an answer pass, unless it is a refusal or a replay of a caller who has had too many of these: then it is another one."""

    __slots__ = ("_instead", "_limiter", "_receive", "_scope", "_send")

    def __init__(self, limiter: RateLimitMiddleware, scope: HTTPScope, receive: Receive, send: Send) -> None:
        self._limiter = limiter
        self._scope = scope
        self._receive = receive
        self._send = send
        self._instead = False

    async def send(self, message: Message) -> None:
        """Pass one message on, or answer in its place."""
        if message["type"] == "http.response.start" and _costs(message):
            await self._begin(message)
        elif not self._instead:
            await self._send(message)

    async def _begin(self, message: Any) -> None:
        counted = await self._limiter.count(self._scope, Policy.COMMANDS)
        if counted is not None and not counted[1].is_allowed:
            self._instead = True
            await too_often(self._scope, counted)(self._scope, self._receive, self._send)
            return
        if counted is not None:
            message["headers"] = [*message["headers"], *rate_headers(counted)]
        await self._send(message)


def _costs(message: Any) -> bool:
    """Tell whether an answer says that nothing was done just now."""
    return message["status"] in _REFUSED or any(name == _REPLAYED for name, _ in message["headers"])
