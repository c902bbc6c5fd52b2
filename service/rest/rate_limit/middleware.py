"""Rate-limit middleware: counts requests by the policy of their route, and answers 429 to those beyond a quota.

Moves are served first. A legal move is never refused for its player's rate: only moves that the game refused, and replays, are counted,
and answered as 429 beyond the quota. All other requests are counted before they are served, also those that take and leave seats: no one
waits for them, and each makes a commit.
"""

import math
from collections.abc import Awaitable, Callable, Iterator, Sequence
from typing import Any

from litestar.types import ASGIApp, Message, Receive, Scope, Send

from service.application.caller import GUEST_TENANT, Caller
from service.rest.errors import ApiError, ErrorCode, ErrorDetail, error_response
from service.rest.jitter import retry_after_seconds
from service.rest.rate_limit.config import RateLimitConfig
from service.rest.rate_limit.policies import BY_ADDRESS, RouteLimit, limit_of
from service.rest.rate_limit.store import MAX_SECONDS, Charge, ChargeResult, Quota
from service.rest.responses import EncodedResponse
from service.rest.scope import header

Identify = Callable[[Scope], Awaitable[Caller | None]]
"""Returns the caller of a request; None where there is no valid credential."""

Counted = tuple[Charge, ChargeResult]
"""The charge that decides about a request, with its result."""

_REPLAYED = b"idempotency-replayed"
_REFUSED = range(400, 500)


class RateLimitMiddleware:
    """Counts requests of callers, and of addresses for guests and strangers."""

    def __init__(self, config: RateLimitConfig, identify: Identify) -> None:
        self._quotas = config.policies
        self._store = config.store
        self._addresses = config.addresses
        self._identify = identify

    def __call__(self, app: ASGIApp) -> ASGIApp:
        """Return `app` behind the limits."""

        async def limited(scope: Scope, receive: Receive, send: Send) -> None:
            limit = limit_of(scope)
            if limit is None:
                await app(scope, receive, send)
            elif limit.only_unsuccessful:
                await app(scope, receive, _CountUnsuccessful(self, limit, scope, receive, send).send)
            else:
                await self._count_first(limit, scope, receive, send, app)

        return limited

    async def _count_first(
        self, limit: RouteLimit, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp
    ) -> None:
        counted = await self.count(limit, scope)
        if counted is None:
            await next_app(scope, receive, send)
        elif counted[1].is_allowed:
            await next_app(scope, receive, _with_headers(send, counted))
        else:
            await rate_limited(scope, counted)(scope, receive, send)

    async def count(self, limit: RouteLimit, scope: Scope) -> Counted | None:
        """Count a request, and return the deciding charge with its result; None where no quota applies."""
        charges = self._charges(limit, scope, await self._identify(scope))
        return _deciding(charges, await self._store.charge(charges)) if charges else None

    def _charges(self, limit: RouteLimit, scope: Scope, caller: Caller | None) -> Sequence[Charge]:
        charges: list[Charge] = []
        if caller is not None:
            quotas = self._quotas.of_app if caller.is_app else self._quotas.of_player
            if limit.policy in quotas:
                charges.append(_charge(caller.id, quotas[limit.policy], limit.cost))
        # An app answers for its users, and sends all their requests from few addresses.
        if (caller is None or caller.tenant == GUEST_TENANT) and limit.policy in self._quotas.of_address:
            charges.append(_charge(self._address_of(scope), self._quotas.of_address[limit.policy], limit.cost))
        return charges

    def _address_of(self, scope: Scope) -> str:
        client = scope["client"]
        forwarded_for = header(scope, b"x-forwarded-for") if self._addresses.trusts_proxies else ""
        return self._addresses.key_of(client[0] if client else "", forwarded_for)


def _charge(key: str, quota: Quota, cost: int) -> Charge:
    # A cost above the limit could never be paid.
    return Charge(key, quota, min(cost, quota.limit))


def _deciding(charges: Sequence[Charge], results: Sequence[ChargeResult]) -> Counted:
    """Return the charge that was refused for longest, or else the one whose quota has least left."""
    return min(zip(charges, results, strict=True), key=lambda each: (-each[1].retry_after, each[1].remaining))


def rate_limited(scope: Scope, counted: Counted) -> EncodedResponse:
    """Return the 429 response. All who share an address are refused at once, and told different times."""
    charge, result = counted
    wait = max(1, _whole_seconds(result.retry_after, charge.quota))
    if charge.quota.policy.endswith(BY_ADDRESS):
        wait = min(wait + retry_after_seconds(), MAX_SECONDS)
    response = error_response(ApiError(ErrorCode.RATE_LIMITED, ErrorDetail.TOO_OFTEN, retry_after=wait), scope)
    response.headers.extend(rate_headers(counted))
    return response


def rate_headers(counted: Counted) -> Iterator[tuple[bytes, bytes]]:
    """Yield the headers of draft-ietf-httpapi-ratelimit-headers-11: the quota, and what is left of it."""
    charge, result = counted
    quota = charge.quota
    seconds = _whole_seconds(result.reset_after if result.is_allowed else result.retry_after, quota)
    yield (b"ratelimit-policy", b'"%s";q=%d;w=%d' % (quota.policy.encode(), quota.limit, quota.seconds))
    yield (b"ratelimit", b'"%s";r=%d;t=%d' % (quota.policy.encode(), result.remaining, seconds))


def _whole_seconds(seconds: float, quota: Quota) -> int:
    # Sums of fractions may exceed the whole.
    return min(math.ceil(seconds), quota.seconds)


def _with_headers(send: Send, counted: Counted) -> Send:
    """Return a `send` that adds the rate headers to a response."""

    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message["headers"], *rate_headers(counted)]
        await send(message)

    return send_with_headers


class _CountUnsuccessful:
    """Sends a response, unless it is a refusal or a replay beyond the quota: then a 429 in its place."""

    __slots__ = ("_is_replaced", "_limit", "_middleware", "_receive", "_scope", "_send")

    def __init__(
        self, middleware: RateLimitMiddleware, limit: RouteLimit, scope: Scope, receive: Receive, send: Send
    ) -> None:
        self._middleware = middleware
        self._limit = limit
        self._scope = scope
        self._receive = receive
        self._send = send
        self._is_replaced = False

    async def send(self, message: Message) -> None:
        """Send one message of the response or of its replacement."""
        if message["type"] == "http.response.start" and _is_unsuccessful(message):
            await self._start(message)
        elif not self._is_replaced:
            await self._send(message)

    async def _start(self, message: Any) -> None:
        counted = await self._middleware.count(self._limit, self._scope)
        if counted is not None and not counted[1].is_allowed:
            self._is_replaced = True
            await rate_limited(self._scope, counted)(self._scope, self._receive, self._send)
            return
        if counted is not None:
            message["headers"] = [*message["headers"], *rate_headers(counted)]
        await self._send(message)


def _is_unsuccessful(message: Any) -> bool:
    """Return whether a response tells of a refusal, or of a replay: nothing was done for this request."""
    return message["status"] in _REFUSED or any(name == _REPLAYED for name, _ in message["headers"])
