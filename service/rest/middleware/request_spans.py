"""OpenTelemetry spans of requests. Imported only where tracing is configured."""

from collections.abc import Mapping
from contextlib import AbstractContextManager

from litestar.types import ASGIApp, HTTPScope, Receive, Scope, Send
from opentelemetry.semconv.attributes.error_attributes import ERROR_TYPE
from opentelemetry.semconv.attributes.http_attributes import (
    HTTP_REQUEST_METHOD,
    HTTP_RESPONSE_STATUS_CODE,
    HTTP_ROUTE,
)
from opentelemetry.semconv.attributes.url_attributes import URL_PATH, URL_SCHEME
from opentelemetry.trace import Span, SpanKind, Status, StatusCode, Tracer, format_trace_id
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from service.rest.middleware.access_log import PROBES, RequestLog, current_request
from service.rest.scope import route_template

_SERVER_ERROR = 500
_TRACE_HEADERS = (b"traceparent", b"tracestate")


class RequestSpanMiddleware:
    """Makes a span of each request, except probes, and continues the trace of the caller.

    A span has the fields of the access log, and nothing of bodies, queries or headers.
    """

    def __init__(self, app: ASGIApp, tracer: Tracer) -> None:
        self._app = app
        self._tracer = tracer
        self._propagator = TraceContextTextMapPropagator()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        if scope["type"] != "http" or scope["path"] in PROBES:
            await self._app(scope, receive, send)
            return
        request = current_request()
        with self._span(scope, request) as span:
            request.trace_id = format_trace_id(span.get_span_context().trace_id)
            try:
                await self._app(scope, receive, send)
            finally:
                _complete(span, scope, request)

    def _span(self, scope: HTTPScope, request: RequestLog) -> AbstractContextManager[Span]:
        return self._tracer.start_as_current_span(
            request.method,
            self._propagator.extract(_carrier(scope)),
            SpanKind.SERVER,
            {
                HTTP_REQUEST_METHOD: request.method,
                URL_SCHEME: scope["scheme"],
                URL_PATH: request.path,
                "pocha.request_id": request.request_id,
            },
            record_exception=False,  # its message may hold a secret
        )


def _carrier(scope: HTTPScope) -> Mapping[str, str]:
    return {name.decode(): value.decode("latin-1") for name, value in scope["headers"] if name in _TRACE_HEADERS}


def _complete(span: Span, scope: HTTPScope, request: RequestLog) -> None:
    route = route_template(scope)
    if route:
        span.update_name(f"{request.method} {route}")
        span.set_attribute(HTTP_ROUTE, route)
    if request.game_id:
        span.set_attribute("pocha.game_id", request.game_id)
    span.set_attribute(HTTP_RESPONSE_STATUS_CODE, request.status)
    if request.problem:
        span.set_attribute(ERROR_TYPE, request.problem)
    if request.status >= _SERVER_ERROR:
        span.set_status(Status(StatusCode.ERROR))
