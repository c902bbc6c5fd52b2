"""Background worker that enforces deadlines: it expires turns, moves robots that take their time, abandons tables, counts finished games.

Every process runs one, for the games of all processes. A worker claims each overdue game for a short lease; if its process dies, the game
is overdue again.
"""

import asyncio
import logging
from datetime import datetime, timedelta

from service.application.games import Games
from service.application.outlasting import outlasting
from service.application.ports import Clock, DeadlineQueue, OverdueGame, StoreUnavailable
from service.application.statistics import StatisticsKeeper
from service.observability.metrics import Metrics

POLL_SECONDS = 0.5
LEASE = timedelta(seconds=5)
"""Duration of a claim."""
_BATCH_SIZE = 64

_LOGGER = logging.getLogger(__name__)


class DeadlineWorker:
    """Enforces the deadlines of all games in one store, and gives the finished ones to `statistics`."""

    def __init__(
        self,
        games: Games,
        queue: DeadlineQueue,
        clock: Clock,
        metrics: Metrics,
        statistics: StatisticsKeeper | None = None,
        poll_seconds: float = POLL_SECONDS,
    ) -> None:
        self._games = games
        self._queue = queue
        self._clock = clock
        self._poll_seconds = poll_seconds
        self._metrics = metrics
        self._statistics = statistics

    async def run(self) -> None:
        """Call `run_once` every `poll_seconds`, or at once after a full batch, until cancelled."""
        while True:
            if await self._run_once_safely() < _BATCH_SIZE:
                await asyncio.sleep(self._poll_seconds)

    async def run_once(self) -> int:
        """Enforce the deadlines of a batch of overdue games; return how many there were.

        Raises:
            StoreUnavailable: the overdue games cannot be claimed now.
        """
        now: datetime = self._clock.now()
        overdue = await self._queue.claim(now, now + LEASE, _BATCH_SIZE)
        await asyncio.gather(*map(self._enforce, overdue))
        self._metrics.deadline_worker_last_run.set(now.timestamp())
        return len(overdue)

    async def _run_once_safely(self) -> int:
        with outlasting(_LOGGER, "failed to claim overdue games"):
            return await self.run_once()
        return 0

    async def _enforce(self, overdue: OverdueGame) -> None:
        try:
            due = await self._games.enforce_deadlines(overdue.game_id)
            if due is None and self._statistics is not None:
                for game in await self._games.latest_of([overdue.game_id]):
                    await self._statistics.count(game)
            await self._queue.reschedule(overdue, due)
        except StoreUnavailable:
            self._metrics.deadline_failures.inc()  # overdue again when the claim ends
        except Exception:
            self._metrics.deadline_failures.inc()
            _LOGGER.exception("failed to enforce the deadline of a game", extra={"game_id": overdue.game_id})
