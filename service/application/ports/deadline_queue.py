"""The queue of games whose deadlines are over."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol
from uuid import UUID

import msgspec


class OverdueGame(msgspec.Struct, frozen=True):
    """A claimed game. `listed_version` is the version of the commit that wrote its listing."""

    game_id: UUID
    listed_version: int


class DeadlineQueue(Protocol):
    """Games by the deadline of their listing. Every method may raise `StoreUnavailable`."""

    async def claim(self, now: datetime, until: datetime, limit: int) -> Sequence[OverdueGame]:
        """Claim at most `limit` games whose deadline is `now` or earlier, earliest first, and set their deadlines to `until`.

        Of concurrent callers one gets each game. If that caller dies, the game is overdue again at `until`.
        """
        ...

    async def overdue(self, now: datetime, limit: int) -> Sequence[datetime]:
        """Return the deadlines of at most `limit` games that could be claimed at `now`, earliest first. Claims nothing."""
        ...

    async def reschedule(self, game: OverdueGame, deadline: datetime | None) -> None:
        """Set the deadline of a claimed game; does nothing if a commit has written its listing since."""
        ...
