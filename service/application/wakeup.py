"""Waiting for an event with a timeout."""

import asyncio
from contextlib import suppress


async def wait_for(event: asyncio.Event, seconds: float) -> None:
    """Return when `event` is set, or after `seconds`."""
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await event.wait()
