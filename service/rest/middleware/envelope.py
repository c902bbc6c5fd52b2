"""The outermost layer, around the framework: what every answer has, whatever came of the request.

Request ids, the access log, figures and security headers; HEAD wherever GET is, OPTIONS and `Allow` with all methods of a path, and 404 for
doubled and trailing slashes, which the framework's router would pass. Here too a request finds its place, or hears that there is none.
"""

import asyncio
import re
import time
from collections.abc import Iterable, Mapping, Sequence

from litestar.types import ASGIApp, HTTPScope, Message, Receive, Scope, Send

from service.application.draining import Draining
from service.observability import log_format
from service.observability.metrics import Metrics
from service.rest.errors import ApiError, ErrorCode, problem_response
from service.rest.i18n import preferred_language
from service.rest.middleware import access_log
from service.rest.middleware.access_log import RequestLog
from service.rest.middleware.admission import Admission, Slot
from service.rest.middleware.raw_path import is_ambiguous
from service.rest.negotiation import header_of
from service.rest.responses import EncodedResponse
from service.rest.scope import note_head

SENT_AWAY_SECONDS = 0.1
"""How long after it came a request is sent away: whoever comes again at once must not cost more than whoever is served."""
_PARAMETER = re.compile(r"\{[^}]*\}")
_HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
)
_STRICT_POLICY = (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'")
_NO_STORE = (b"cache-control", b"no-store")
_CLOSE = (b"connection", b"close")


class AllowedMethods:
    """Which methods each path has; `routes` maps path templates such as `/v1/games/{game_id}` to methods."""

    def __init__(self, routes: Mapping[str, Iterable[str]]) -> None:
        # `/v1/rulesets/validate` is no `/v1/rulesets/{ruleset_id}`: the template with fewer parameters goes first, as in the router.
        closest_first = sorted(routes.items(), key=lambda route: route[0].count("{"))
        self._routes: Sequence[tuple[re.Pattern[str], str]] = [
            (re.compile(_PARAMETER.sub("[^/]+", template)), _allow(methods)) for template, methods in closest_first
        ]

    def at(self, path: str) -> str | None:
        """Return the value of `Allow` for `path`; none when there is nothing there."""
        return next((allow for pattern, allow in self._routes if pattern.fullmatch(path)), None)


def _allow(methods: Iterable[str]) -> str:
    all_methods = {*methods, "OPTIONS"}
    return ", ".join(sorted(all_methods | {"HEAD"} if "GET" in all_methods else all_methods))


class EnvelopeMiddleware:
    """ASGI middleware around the framework's app. While the process drains, every answer ends its connection, so that clients move on."""

    def __init__(
        self,
        app: ASGIApp,
        allowed: AllowedMethods,
        draining: Draining,
        places: Admission,
        metrics: Metrics | None = None,
    ) -> None:
        self._metrics = metrics or Metrics()
        self._app = app
        self._allowed = allowed
        self._draining = draining
        self._places = places

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request = access_log.begun(scope)
        answer = _Answer(send, self._draining, request, is_head=scope["method"] == "HEAD")
        started = time.perf_counter()
        with log_format.bind_context(request):
            try:
                await self._serve(scope, receive, answer)
            finally:
                access_log.ended(request, time.perf_counter() - started, self._metrics)

    async def _serve(self, scope: HTTPScope, receive: Receive, answer: "_Answer") -> None:
        path = scope["path"]
        if "//" in path or (path.endswith("/") and path != "/") or is_ambiguous(scope):
            await _problem(scope, ErrorCode.NOT_FOUND)(scope, receive, answer.send)
        elif scope["method"] == "OPTIONS":
            await self._options(scope)(scope, receive, answer.send)
        else:
            await self._serve_in_place(scope, receive, answer)

    async def _serve_in_place(self, scope: HTTPScope, receive: Receive, answer: "_Answer") -> None:
        place = self._places.take(scope)
        if place is None:
            await asyncio.sleep(SENT_AWAY_SECONDS)
            await _problem(scope, ErrorCode.OVERLOADED)(scope, receive, answer.send)
            return
        served = _as_get(scope) if answer.is_head else scope
        answer.place = place
        try:
            await place.turn()
            await self._app(served, receive, answer.send)
        finally:
            place.give_back()
            answer.request.route = access_log.route_of(served)

    def _options(self, scope: HTTPScope) -> EncodedResponse:
        allow = self._allowed.at(scope["path"])
        return EncodedResponse(b"", 204, headers={"Allow": allow}) if allow else _problem(scope, ErrorCode.NOT_FOUND)


class _Answer:
    """Completes the headers of an answer on its way out, drops the body where HEAD was asked, and notes status and length."""

    def __init__(self, send: Send, draining: Draining, request: RequestLog, *, is_head: bool) -> None:
        self._send = send
        self._draining = draining
        self.request = request
        self.is_head = is_head
        self.place: Slot | None = None

    async def send(self, message: Message) -> None:
        """Pass one message of the answer on."""
        if message["type"] == "http.response.start":
            self.request.status = message["status"]
            if self.place is not None:
                self.place.end_turn()
            message["headers"] = [*message["headers"], *self._more_headers({name for name, _ in message["headers"]})]
        elif message["type"] == "http.response.body":
            if self.is_head:
                message["body"] = b""
            self.request.bytes += len(message["body"])
        await self._send(message)

    def _more_headers(self, present: set[bytes]) -> Iterable[tuple[bytes, bytes]]:
        yield from _HEADERS
        yield (b"x-request-id", self.request.request_id.encode())
        for header in (_STRICT_POLICY, _NO_STORE):
            if header[0] not in present:
                yield header
        if self._draining.begun:
            yield _CLOSE


def _as_get(scope: HTTPScope) -> HTTPScope:
    as_get = scope.copy()
    as_get["method"] = "GET"
    note_head(as_get)
    return as_get


def _problem(scope: HTTPScope, code: ErrorCode) -> EncodedResponse:
    return problem_response(ApiError(code), preferred_language(header_of(scope, b"accept-language")))
