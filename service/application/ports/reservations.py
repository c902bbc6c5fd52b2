"""Game ids reserved before their games are created, so that a repeated request creates no second game."""

from typing import Protocol
from uuid import UUID


class Reservations(Protocol):
    """Reserved game ids by key."""

    async def reserve(self, key: UUID, game_id: UUID) -> UUID:
        """Reserve `game_id` under `key` unless the key has one already; return the reserved id.

        A reservation lasts forever, or as long as the operator's retention time.

        Raises:
            StoreUnavailable: the id may have been reserved.
        """
        ...

    async def reserved(self, key: UUID) -> UUID | None:
        """Return the id reserved under the key; None if there is none.

        Raises:
            StoreUnavailable: it cannot be read now.
        """
        ...
