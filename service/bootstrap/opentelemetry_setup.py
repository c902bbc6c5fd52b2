"""OpenTelemetry, set up for this service. Imported only where traces are wanted."""

from collections.abc import Callable

from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import SERVICE_NAME, SERVICE_VERSION, Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import Tracer
from typing_extensions import override

from service.adapters.spans import TracedStore
from service.application.ports import GameStore
from service.bootstrap.tracing import Tracing
from service.rest.asgi import ASGIApp
from service.rest.middleware.request_spans import RequestSpanMiddleware

_TRACES = "/v1/traces"


class OpenTelemetryTracing(Tracing):
    """Adapter of `service.bootstrap.tracing.Traces` to a tracer."""

    def __init__(self, tracer: Tracer) -> None:
        self._tracer = tracer

    @override
    def app(self, app: ASGIApp) -> ASGIApp:
        return RequestSpanMiddleware(app, self._tracer)

    @override
    def store(self, store: GameStore) -> GameStore:
        return TracedStore(store, self._tracer)


def start_exporter(endpoint: str, version: str, seconds: float) -> tuple[OpenTelemetryTracing, Callable[[], None]]:
    """Return traces that are sent to `endpoint`, whose answers may take `seconds`; and what sends the last of them.

    Sampling and the resource's attributes follow OpenTelemetry's own variables, such as `OTEL_TRACES_SAMPLER`.
    """
    provider = TracerProvider(
        resource=Resource.create({SERVICE_NAME: "pocha", SERVICE_VERSION: version}), shutdown_on_exit=False
    )
    exporter = OTLPSpanExporter(endpoint.rstrip("/") + _TRACES, timeout=seconds)
    provider.add_span_processor(BatchSpanProcessor(exporter))
    return OpenTelemetryTracing(provider.get_tracer("pocha", version)), provider.shutdown
