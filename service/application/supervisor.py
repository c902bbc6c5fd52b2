"""Whether the process does by itself what it is there for, and how prompt its event loop is."""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import Protocol

from service.observability.metrics_port import Gauge, MetricsSink

_LOGGER = logging.getLogger(__name__)
_LAG_INTERVAL_SECONDS = 0.5


class BackgroundTask(Protocol):
    """What goes on by itself until cancelled."""

    def run(self) -> Coroutine[None, None, None]:
        """Go on."""
        ...


class Supervisor:
    """Runs the parts of the service that nobody asks for, and knows whether they still run. `is_at_work` speaks for all others."""

    def __init__(self, is_log_healthy: Callable[[], bool], metrics: MetricsSink) -> None:
        self._is_log_healthy = is_log_healthy
        self._has_failed = False
        self._lag = 0.0
        metrics.register_gauge(Gauge.LOOP_LAG, lambda: self._lag)

    def is_healthy(self) -> bool:
        """Tell whether nothing has ended that should go on. What did not begin yet is no matter."""
        return not self._has_failed and self._is_log_healthy()

    async def run(self, *parts: BackgroundTask) -> None:
        """Run the parts until cancelled; when one fails all end, for a process that does half of its work helps nobody."""
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self._measure_lag())
                for part in parts:
                    group.create_task(part.run())
        except* Exception:
            self._has_failed = True
            _LOGGER.exception("what the service does by itself has failed")
            raise

    async def _measure_lag(self) -> None:
        """Look again and again how late this process is when it wants to do something at a time."""
        loop = asyncio.get_running_loop()
        while True:
            due = loop.time() + _LAG_INTERVAL_SECONDS
            await asyncio.sleep(_LAG_INTERVAL_SECONDS)
            self._lag = max(0.0, loop.time() - due)
