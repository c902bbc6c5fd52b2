"""Keeping deadlines: of turns that take too long, and of tables that nobody comes to any more.

Every process keeps the deadlines of all games, whichever process they were set by: each overdue game is claimed by one of them, and is
overdue again should that one die.
"""

import asyncio
import logging
from datetime import datetime, timedelta

from service.application.games import Games
from service.application.ports import Clock, DeadlineQueue, OverdueGame, StoreUnavailable
from service.observability.metrics_port import NO_METRICS, Count, Gauge, MetricsSink

POLL_SECONDS = 0.5
LEASE = timedelta(seconds=5)
"""How long a claim holds."""
_BATCH_SIZE = 64

_LOGGER = logging.getLogger(__name__)


class DeadlineWorker:
    """Keeps the deadlines of the games in one log."""

    def __init__(
        self,
        games: Games,
        queue: DeadlineQueue,
        clock: Clock,
        poll_seconds: float = POLL_SECONDS,
        metrics: MetricsSink = NO_METRICS,
    ) -> None:
        self._games = games
        self._queue = queue
        self._clock = clock
        self._poll_seconds = poll_seconds
        self._metrics = metrics
        self._last_run: datetime | None = None
        metrics.register_gauge(Gauge.DEADLINE_WORKER_LAST_RUN, lambda: self._last_run and self._last_run.timestamp())

    async def run(self) -> None:
        """Go round and round, until cancelled."""
        while True:
            if await self._run_once_safely() < _BATCH_SIZE:
                await asyncio.sleep(self._poll_seconds)

    async def run_once(self) -> int:
        """Do what is overdue; return how many games were looked at.

        Raises:
            StoreUnavailable: the overdue games cannot be had now.
        """
        now: datetime = self._clock.now()
        overdue = await self._queue.claim(now, now + LEASE, _BATCH_SIZE)
        await asyncio.gather(*map(self._enforce, overdue))
        self._last_run = now
        return len(overdue)

    async def _run_once_safely(self) -> int:
        try:
            return await self.run_once()
        except StoreUnavailable:
            pass  # the log's connections have told the operator
        except Exception:
            _LOGGER.exception("overdue games cannot be had")
        return 0

    async def _enforce(self, overdue: OverdueGame) -> None:
        try:
            due = await self._games.enforce_deadlines(overdue.game_id)
            await self._queue.reschedule(overdue, due)
        except StoreUnavailable:
            self._metrics.count(Count.DEADLINE_FAILURES)  # it is overdue again when the claim ends
        except Exception:
            self._metrics.count(Count.DEADLINE_FAILURES)
            _LOGGER.exception("the deadline of a game cannot be kept", extra={"game_id": overdue.game_id})
