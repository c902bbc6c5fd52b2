"""The store as a whole: its health, and all its ports together for the composition root."""

from typing import Protocol

from service.application.ports.deadline_queue import DeadlineQueue
from service.application.ports.event_store import EventStore
from service.application.ports.hook_positions import HookPositions
from service.application.ports.listings import Listings
from service.application.ports.profiles import Profiles
from service.application.ports.reservations import Reservations


class StoreUnavailable(Exception):
    """The store cannot be reached or refuses work now; no acknowledged commit is lost. Callers answer 503 and may retry."""


class StoreHealth(Protocol):
    """Readiness and liveness of a store."""

    async def check(self) -> None:
        """Return if the store can serve now; raise `StoreUnavailable` otherwise."""
        ...

    def is_working(self) -> bool:
        """Tell whether the store's background tasks in this process still run. A closed store has none."""
        ...


class GameStore(EventStore, Listings, Reservations, Profiles, DeadlineQueue, HookPositions, StoreHealth, Protocol):
    """All ports of one store. Only the composition root depends on it; use cases take the single ports."""

    async def close(self) -> None:
        """Finish the queued work and close every connection. Further calls raise `StoreUnavailable`."""
        ...
