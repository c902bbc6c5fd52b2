"""Waiting with an end: the cheapest way to wait for a future for some time, without a task."""

import asyncio

Signal = asyncio.Future[None]
"""What somebody who waits hangs up, and what `ring` rings."""


def new_signal() -> Signal:
    """Return a signal of the running loop."""
    return asyncio.get_running_loop().create_future()


def notify(signal: Signal) -> None:
    """Wake who waits for `signal`, if it still does."""
    if not signal.done():
        signal.set_result(None)


async def wait_for(signal: Signal, seconds: float) -> None:
    """Return when `signal` rings, or after `seconds`."""
    alarm = asyncio.get_running_loop().call_later(seconds, notify, signal)
    try:
        await signal
    finally:
        alarm.cancel()
