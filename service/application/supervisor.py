"""Runs the background tasks; reports liveness and event-loop lag."""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import Protocol

from service.observability.metrics import Metrics

_LOGGER = logging.getLogger(__name__)
_LAG_INTERVAL_SECONDS = 0.5


class BackgroundTask(Protocol):
    """A task that runs until cancelled."""

    def run(self) -> Coroutine[None, None, None]:
        """Run until cancelled."""
        ...


class Supervisor:
    """Runs the background tasks of a process. `is_log_healthy` reports on those of the store, which it runs itself."""

    def __init__(self, is_log_healthy: Callable[[], bool], metrics: Metrics) -> None:
        self._is_log_healthy = is_log_healthy
        self._has_failed = False
        self._lag = metrics.event_loop_lag

    def is_healthy(self) -> bool:
        """Tell whether every background task is running; tasks not yet started count as running."""
        return not self._has_failed and self._is_log_healthy()

    async def run(self, *tasks: BackgroundTask) -> None:
        """Run the tasks until cancelled. When one fails, all end: liveness fails, and the process is restarted."""
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self._measure_lag())
                for task in tasks:
                    group.create_task(task.run())
        except* Exception:
            self._has_failed = True
            _LOGGER.exception("a background task failed")
            raise

    async def _measure_lag(self) -> None:
        """Measure, in seconds, how late the event loop wakes this task."""
        loop = asyncio.get_running_loop()
        while True:
            due = loop.time() + _LAG_INTERVAL_SECONDS
            await asyncio.sleep(_LAG_INTERVAL_SECONDS)
            self._lag.set(max(0.0, loop.time() - due))
