"""The end of a process, announced: what waits or streams ends by itself, while everything else is still served for a while."""

import asyncio


class Draining:
    """Whether the process is about to end. It never changes its mind. For one event loop, and to be used within it."""

    def __init__(self) -> None:
        self._event = asyncio.Event()

    @property
    def begun(self) -> bool:
        """Tell whether the end is near: whoever would make somebody wait or stream to them must not begin to."""
        return self._event.is_set()

    def begin(self) -> None:
        """Announce the end. Further calls change nothing."""
        self._event.set()

    async def wait(self) -> None:
        """Return once the end is near."""
        await self._event.wait()
