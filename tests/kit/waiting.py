"""Waiting for what must happen. A bound on the wait is only there to end a test that hangs; no result depends on it."""

import asyncio
from collections.abc import Callable

PATIENCE_SECONDS = 60.0
"""More than a loaded machine needs for anything a test waits for."""
_POLL_SECONDS = 0.005


async def until(holds: Callable[[], object]) -> None:
    """Return when a condition holds that announces itself by no event.

    Raises:
        TimeoutError: it still does not hold after `PATIENCE_SECONDS`.
    """
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not holds():  # noqa: ASYNC110 - there is no event to wait for
            await asyncio.sleep(_POLL_SECONDS)
