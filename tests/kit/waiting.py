"""Waiting for what must happen. A bound on the wait is only there to end a test that hangs; no result depends on it."""

import asyncio
import inspect
import time
from collections.abc import Awaitable, Callable

from service.rest import jitter

PATIENCE_SECONDS = 60.0
"""More than a loaded machine needs for anything a test waits for."""
_POLL_SECONDS = 0.005
WAITS = frozenset(str(seconds) for seconds in range(1, jitter.MAX_RETRY_AFTER_SECONDS + 1))
"""What `Retry-After` says where no quota is counted."""


async def until(holds: Callable[[], object | Awaitable[object]]) -> None:
    """Return when a condition holds that announces itself by no event.

    Raises:
        TimeoutError: it still does not hold after `PATIENCE_SECONDS`.
    """
    async with asyncio.timeout(PATIENCE_SECONDS):
        while True:
            answer = holds()
            if await answer if inspect.isawaitable(answer) else answer:
                return
            await asyncio.sleep(_POLL_SECONDS)


def wait_until(holds: Callable[[], object]) -> None:
    """Block until a condition holds, as `until` does without blocking.

    Raises:
        TimeoutError: it still does not hold after `PATIENCE_SECONDS`.
    """
    end = time.monotonic() + PATIENCE_SECONDS
    while not holds():
        if time.monotonic() > end:
            raise TimeoutError
        time.sleep(_POLL_SECONDS)
