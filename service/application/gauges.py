"""Gauges of the whole service, read from the database at a scrape and cached."""

import asyncio
import math
import time

from service.application.ports import Clock, DeadlineQueue, Listings, StoreUnavailable
from service.observability.metrics import Metrics

CACHE_SECONDS = 30.0
"""How long a reading is served again. A failed one is not."""
TIMEOUT_SECONDS = 1.0


class DatabaseGauges:
    """Gauges with the same value in every process: active games, age of the oldest overdue deadline, database up."""

    def __init__(self, listings: Listings, queue: DeadlineQueue, clock: Clock, metrics: Metrics) -> None:
        self._listings = listings
        self._queue = queue
        self._clock = clock
        self._metrics = metrics
        self._fresh_until = 0.0

    async def refresh(self) -> None:
        """Read the gauges again, unless the last reading is fresh. Without a database, only `database_up` has a value."""
        if time.monotonic() < self._fresh_until:
            return
        try:
            async with asyncio.timeout(TIMEOUT_SECONDS):
                await self._read()
        except (StoreUnavailable, TimeoutError):
            self._metrics.database_up.set(0)
            self._metrics.active_games.clear()
            self._metrics.deadline_lag.set(math.nan)

    async def _read(self) -> None:
        games, now = await self._listings.under_way(), self._clock.now()
        overdue = await self._queue.overdue(now, 1)
        self._metrics.database_up.set(1)
        for status in ("waiting", "playing"):
            self._metrics.active_games.labels(status).set(games.get(status, 0))
        self._metrics.deadline_lag.set((now - overdue[0]).total_seconds() if overdue else 0)
        self._fresh_until = time.monotonic() + CACHE_SECONDS
