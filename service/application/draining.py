"""Draining: streams and long polls end, while other requests are still served until the process exits."""

import asyncio


class Draining:
    """Whether the process is draining. Belongs to one event loop; once begun, it never ends."""

    def __init__(self) -> None:
        self._event = asyncio.Event()

    @property
    def begun(self) -> bool:
        """Tell whether no new stream or long poll may begin."""
        return self._event.is_set()

    def begin(self) -> None:
        """Begin to drain. Further calls change nothing."""
        self._event.set()

    async def wait(self) -> None:
        """Return once draining has begun."""
        await self._event.wait()
