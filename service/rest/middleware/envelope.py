"""The outermost middleware: what every response has, also where Litestar's own middleware does not run (404, 405).

It sets request ids and security headers, writes the access log and metrics, serves HEAD as GET and OPTIONS with all methods of a path,
answers 404 to doubled and trailing slashes, which Litestar's router would accept, and applies admission control.
"""

import asyncio
import time
from collections.abc import Iterable

from litestar.types import ASGIApp, HTTPScope, Message, Receive, Scope, Send

from service.application.draining import Draining
from service.observability import log_format
from service.observability.metrics import Metrics
from service.rest.errors import ApiError, ErrorCode, error_response
from service.rest.middleware.access_log import RequestLog, finish_request, start_request
from service.rest.middleware.admission import Admission, Slot
from service.rest.middleware.allowed_methods import AllowedMethods
from service.rest.middleware.raw_path import is_ambiguous
from service.rest.responses import EncodedResponse
from service.rest.scope import HEAD_ONLY, route_template

OVERLOAD_DELAY_SECONDS = 0.1
"""Delay before a 503, so that immediate retries are not cheaper than real work."""

_HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
)
_DEFAULT_HEADERS = (
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
    (b"cache-control", b"no-store"),
)
_CLOSE = (b"connection", b"close")
_TYPED_WITH_A_SLASH = ("/docs/", "/play/")


class EnvelopeMiddleware:
    """Wraps the Litestar app. While the process drains, every response closes its connection, so that clients reconnect elsewhere."""

    def __init__(
        self,
        app: ASGIApp,
        allowed: AllowedMethods,
        draining: Draining,
        admission: Admission,
        metrics: Metrics | None = None,
    ) -> None:
        self._app = app
        self._allowed = allowed
        self._draining = draining
        self._admission = admission
        self._metrics = metrics or Metrics()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request = start_request(scope)
        response = _Response(send, self._draining, request, is_head=scope["method"] == "HEAD")
        started = time.perf_counter()
        with log_format.bind_context(request):
            try:
                await self._serve(scope, receive, response)
            finally:
                finish_request(request, time.perf_counter() - started, self._metrics)

    async def _serve(self, scope: HTTPScope, receive: Receive, response: "_Response") -> None:
        path = scope["path"]
        if path in _TYPED_WITH_A_SLASH:
            await EncodedResponse(b"", 302, headers={"Location": path[:-1]})(scope, receive, response.send)
        elif "//" in path or (path.endswith("/") and path != "/") or is_ambiguous(scope):
            await _error(ErrorCode.NOT_FOUND, scope)(scope, receive, response.send)
        elif scope["method"] == "OPTIONS":
            await self._options(scope)(scope, receive, response.send)
        else:
            await self._admit(scope, receive, response)

    async def _admit(self, scope: HTTPScope, receive: Receive, response: "_Response") -> None:
        slot = self._admission.admit(scope)
        if slot is None:
            await asyncio.sleep(OVERLOAD_DELAY_SECONDS)
            await _error(ErrorCode.OVERLOADED, scope)(scope, receive, response.send)
            return
        served = _as_get(scope) if response.is_head else scope
        response.slot = slot
        try:
            await slot.start()
            await self._app(served, receive, response.send)
        finally:
            slot.release()
            response.request.route = route_template(served)

    def _options(self, scope: HTTPScope) -> EncodedResponse:
        allow = self._allowed.allow(scope["path"])
        return EncodedResponse(b"", 204, headers={"Allow": allow}) if allow else _error(ErrorCode.NOT_FOUND, scope)


class _Response:
    """Adds the common headers to a response, drops its body for HEAD, and logs its status and length."""

    def __init__(self, send: Send, draining: Draining, request: RequestLog, *, is_head: bool) -> None:
        self._send = send
        self._draining = draining
        self.request = request
        self.is_head = is_head
        self.slot: Slot | None = None

    async def send(self, message: Message) -> None:
        """Send one message."""
        if message["type"] == "http.response.start":
            self.request.status = message["status"]
            if self.slot is not None:
                self.slot.stop()
            message["headers"] = [*message["headers"], *self._headers({name for name, _ in message["headers"]})]
        elif message["type"] == "http.response.body":
            if self.is_head:
                message["body"] = b""
            await self._send(message)  # which may be given up before it begins
            self.request.bytes += len(message["body"])
            return
        await self._send(message)

    def _headers(self, present: set[bytes]) -> Iterable[tuple[bytes, bytes]]:
        yield from _HEADERS
        yield (b"x-request-id", self.request.request_id.encode())
        for default in _DEFAULT_HEADERS:
            if default[0] not in present:
                yield default
        if self._draining.begun:
            yield _CLOSE


def _as_get(scope: HTTPScope) -> HTTPScope:
    as_get = scope.copy()
    as_get["method"] = "GET"
    HEAD_ONLY.set(as_get, True)  # noqa: FBT003 - the entry's value
    return as_get


def _error(code: ErrorCode, scope: HTTPScope) -> EncodedResponse:
    return error_response(ApiError(code), scope)
