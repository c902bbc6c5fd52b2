"""Waiting for an event with a timeout."""

import asyncio
from collections.abc import Generator
from contextlib import contextmanager, suppress
from uuid import UUID


async def wait_for(event: asyncio.Event, seconds: float) -> None:
    """Return when `event` is set, or after `seconds`."""
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await event.wait()


class Wakeups:
    """Wakes those who wait for a change of something, by its id. A wake-up may be lost: who waits looks again now and then."""

    def __init__(self) -> None:
        self._waiting: dict[UUID, set[Change]] = {}

    @contextmanager
    def of(self, id_: UUID) -> Generator["Change"]:
        """Yield the change of one thing: set by every `wake` from now on."""
        change = Change()
        self._waiting.setdefault(id_, set()).add(change)
        try:
            yield change
        finally:
            self._waiting[id_].discard(change)
            if not self._waiting[id_]:
                del self._waiting[id_]

    def wake(self, id_: UUID) -> None:
        """Wake all who wait for a change of this."""
        for change in self._waiting.get(id_, ()):
            change.set()

    def wake_all(self) -> None:
        """Wake everybody: changes may have been missed."""
        for id_ in self._waiting:
            self.wake(id_)

    def __len__(self) -> int:
        return len(self._waiting)


class Change:
    """Something that may happen."""

    def __init__(self) -> None:
        self._event = asyncio.Event()
        self.set = self._event.set
        self.clear = self._event.clear

    async def wait(self, seconds: float) -> None:
        """Return when it happens, or after `seconds`."""
        await wait_for(self._event, seconds)
