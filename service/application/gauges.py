"""How the whole service stands, as far as its database knows: asked when somebody wants to know, and not too often."""

import asyncio
import time
from collections.abc import Callable, Mapping

from service.application.ports import Clock, DeadlineQueue, Listings, StoreUnavailable
from service.observability.metrics_port import Gauge, MetricsSink

CACHE_SECONDS = 30.0
"""How old an answer may be; while the database gives none, it is asked each time."""
TIMEOUT_SECONDS = 1.0
"""How long an answer is waited for."""


class DatabaseGauges:
    """What the log of all games says of them, the same in every process."""

    def __init__(self, listings: Listings, queue: DeadlineQueue, clock: Clock, metrics: MetricsSink) -> None:
        self._listings = listings
        self._queue = queue
        self._clock = clock
        self._fresh_until = 0.0
        self._is_up: bool | None = None
        self._tables: Mapping[str, int] | None = None
        self._lag: float | None = None
        metrics.register_gauge(Gauge.DATABASE_UP, lambda: self._is_up)
        metrics.register_gauge(Gauge.TABLES_WAITING, self._counted("waiting"))
        metrics.register_gauge(Gauge.TABLES_PLAYING, self._counted("playing"))
        metrics.register_gauge(Gauge.DEADLINE_LAG, lambda: self._lag)

    async def refresh(self) -> None:
        """Ask again, if it is time to."""
        if time.monotonic() < self._fresh_until:
            return
        try:
            async with asyncio.timeout(TIMEOUT_SECONDS):
                await self._ask()
        except (StoreUnavailable, TimeoutError):
            self._is_up, self._tables, self._lag = False, None, None

    async def _ask(self) -> None:
        tables, now = await self._listings.under_way(), self._clock.now()
        overdue = await self._queue.overdue(now, 1)
        self._is_up, self._tables = True, tables
        self._lag = (now - overdue[0]).total_seconds() if overdue else 0.0
        self._fresh_until = time.monotonic() + CACHE_SECONDS

    def _counted(self, status: str) -> Callable[[], float | None]:
        return lambda: None if self._tables is None else self._tables.get(status, 0)
