"""Notifier within one process, for tests and the store in memory."""

import asyncio
from collections.abc import Callable

from typing_extensions import override

from service.application.ports import Hint, Notifier


class MemoryBus:
    """Bus that connects several `MemoryNotifier`s, as a database connects processes."""

    def __init__(self) -> None:
        self._subscribers: list[tuple[object, Callable[[Hint], None]]] = []

    def subscribe(self, member: object, on_hint: Callable[[Hint], None]) -> None:
        """Call `on_hint` with the hints of all but `member`."""
        self._subscribers.append((member, on_hint))

    def leave(self, member: object) -> None:
        """Remove the subscriptions of `member`."""
        self._subscribers = [entry for entry in self._subscribers if entry[0] is not member]

    def tell(self, sender: object, hint: Hint) -> None:
        """Pass a hint on to all but its sender."""
        for member, on_hint in self._subscribers:
            if member is not sender:
                on_hint(hint)


class MemoryNotifier(Notifier):
    """Adapter of `service.application.ports.Notifier` to a bus in memory. It loses nothing, so it never reports a gap."""

    def __init__(self, bus: MemoryBus | None = None) -> None:
        self._bus = bus or MemoryBus()
        self._closed = False

    @override
    def publish(self, hint: Hint) -> None:
        if not self._closed:
            asyncio.get_running_loop().call_soon(self._bus.tell, self, hint)

    @override
    def subscribe(self, on_hint: Callable[[Hint], None], on_gap: Callable[[], None]) -> None:
        self._bus.subscribe(self, on_hint)

    @override
    async def close(self) -> None:
        self._closed = True
        self._bus.leave(self)
