"""Tracing of requests, with OpenTelemetry.

Without an endpoint nothing of OpenTelemetry is imported, and nothing is wrapped.
"""

import asyncio
import threading
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, suppress
from importlib import metadata
from typing import Protocol

from typing_extensions import override

from service.application.ports import GameStore
from service.bootstrap.settings import InvalidSetting
from service.rest.asgi import ASGIApp

EXPORT_SECONDS = 2.0
"""Time limit for an answer of the collector, and for the last export at the end of the process."""


class Tracing(Protocol):
    """Wraps what is to be traced."""

    def app(self, app: ASGIApp) -> ASGIApp:
        """Return `app` with a span for each request."""
        ...

    def store(self, store: GameStore) -> GameStore:
        """Return `store` with a child span for each call within a span."""
        ...


class NoTracing(Tracing):
    """No-op implementation."""

    @override
    def app(self, app: ASGIApp) -> ASGIApp:
        return app

    @override
    def store(self, store: GameStore) -> GameStore:
        return store


@asynccontextmanager
async def open_tracing(endpoint: str | None) -> AsyncGenerator[Tracing]:
    """Yield tracing that exports to `endpoint` (OTLP over HTTP, without `/v1/traces`); a no-op without one.

    Raises:
        InvalidSetting: the packages that this takes are not installed.
    """
    if endpoint is None:
        yield NoTracing()
        return
    traces, end = _opened(endpoint)
    try:
        yield traces
    finally:
        await _ended(end)


def _opened(endpoint: str) -> tuple[Tracing, Callable[[], None]]:
    try:
        from service.bootstrap.opentelemetry_setup import start_exporter  # noqa: PLC0415 - it imports what only the extra `otel` installs
    except ImportError as error:
        raise InvalidSetting(
            f"POCHA_OTLP_ENDPOINT: install pocha-service[otel] to send traces ({error.name} is missing)"
        ) from None
    return start_exporter(endpoint, metadata.version("pocha-service"), EXPORT_SECONDS)


async def _ended(end: Callable[[], None]) -> None:
    """Send what is left, in a daemon thread: a collector may hang."""
    loop, ended = asyncio.get_running_loop(), asyncio.Event()

    def work() -> None:
        end()
        with suppress(RuntimeError):  # the loop has ended before the export did
            loop.call_soon_threadsafe(ended.set)

    threading.Thread(target=work, daemon=True, name="last traces").start()
    with suppress(TimeoutError):
        async with asyncio.timeout(EXPORT_SECONDS):
            await ended.wait()
