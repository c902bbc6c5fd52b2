"""Notifier among the parts of one process: for tests, and for a log in memory, which no other process shares."""

import asyncio
from collections.abc import Callable

from service.application.ports import Hint


class MemoryBus:
    """What joins several `MemoryNotifier`, as a database joins several processes."""

    def __init__(self) -> None:
        self._subscribers: list[tuple[object, Callable[[Hint], None]]] = []

    def subscribe(self, member: object, on_hint: Callable[[Hint], None]) -> None:
        """Call `on_hint` with the hints of all but `member`."""
        self._subscribers.append((member, on_hint))

    def leave(self, member: object) -> None:
        """Call nobody any more whom `member` subscribed."""
        self._subscribers = [entry for entry in self._subscribers if entry[0] is not member]

    def tell(self, sender: object, hint: Hint) -> None:
        """Pass a hint on to all but its sender."""
        for member, on_hint in self._subscribers:
            if member is not sender:
                on_hint(hint)


class MemoryNotifier:
    """Adapter of `service.application.ports.Notifier` to a bus in memory, which loses nothing: there is never a gap to be told of."""

    def __init__(self, bus: MemoryBus | None = None) -> None:
        self._bus = bus or MemoryBus()
        self._closed = False

    def publish(self, hint: Hint) -> None:
        """See `Notifier.publish`."""
        if not self._closed:
            asyncio.get_running_loop().call_soon(self._bus.tell, self, hint)

    def subscribe(self, on_hint: Callable[[Hint], None], on_gap: Callable[[], None]) -> None:  # noqa: ARG002 - there is none
        """See `Notifier.subscribe`."""
        self._bus.subscribe(self, on_hint)

    async def close(self) -> None:
        """See `Notifier.close`."""
        self._closed = True
        self._bus.leave(self)
