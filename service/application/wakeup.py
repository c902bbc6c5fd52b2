"""Waiting with an end: the cheapest way to wait for a future for some time, without a task."""

import asyncio

Bell = asyncio.Future[None]
"""What somebody who waits hangs up, and what `ring` rings."""


def new_bell() -> Bell:
    """Return a bell of the running loop."""
    return asyncio.get_running_loop().create_future()


def ring(bell: Bell) -> None:
    """Wake who waits for `bell`, if it still does."""
    if not bell.done():
        bell.set_result(None)


async def rung(bell: Bell, seconds: float) -> None:
    """Return when `bell` rings, or after `seconds`."""
    alarm = asyncio.get_running_loop().call_later(seconds, ring, bell)
    try:
        await bell
    finally:
        alarm.cancel()
