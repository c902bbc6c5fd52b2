"""How far each web hook has come in the log of each game.

A hook follows every game of its tenant by the versions of the game itself. So it misses no commit, in whatever order the commits of
different games become visible, and after a restored backup or the move of a bucket to another server.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol
from uuid import UUID

import msgspec


class Follower(msgspec.Struct, frozen=True):
    """A web hook as it follows games: those of its `tenant` with commits from `since` on."""

    webhook_id: UUID
    tenant: str
    since: datetime


class HookPosition(msgspec.Struct, frozen=True):
    """The position of a web hook in a game, taken by `owner`.

    All events of the commits up to `version` are done, and the first `place` events of the next one. After `attempts` failed attempts, the
    next event is due at `due_at`. With none, that is when the hook is to be looked at although no commit came (None: not).
    """

    game_id: UUID
    webhook_id: UUID
    owner: UUID
    version: int = 0
    place: int = 0
    attempts: int = 0
    due_at: datetime | None = None


class BehindHook(msgspec.Struct, frozen=True):
    """A web hook that is behind the log of a game, with the time of the first commit that it lacks.

    Not `is_free`: a process has it, or it waits for its next attempt.
    """

    game_id: UUID
    webhook_id: UUID
    lacks_since: datetime
    is_free: bool


class HookPositions(Protocol):
    """The positions of web hooks. Every method may raise `StoreUnavailable`."""

    async def hooks_behind(self, followers: Sequence[Follower], now: datetime, limit: int) -> Sequence[BehindHook]:
        """Return at most `limit` positions behind the newest version of their game, free ones first, then by age.

        Games whose newest commit is older than the follower, or which are settled, are left out.
        """
        ...

    async def hooks_due(self, now: datetime, limit: int) -> Sequence[tuple[UUID, UUID]]:
        """Return the game and the web hook of at most `limit` positions that are due, the earliest first."""
        ...

    async def take_hook(
        self, game_id: UUID, webhook_id: UUID, owner: UUID, now: datetime, until: datetime
    ) -> HookPosition | None:
        """Give a position to `owner` until a time; None if another owner has it, it is not due, or the game is settled or deleted.

        A hook that has no position in the game yet gets one before the first commit. Of concurrent callers one gets it.
        """
        ...

    async def move_hook(self, position: HookPosition, until: datetime | None) -> bool:
        """Write a position that its owner has moved, which keeps it until a time, or (None) gives it back.

        Return false, and write nothing, if another owner has taken it since.
        """
        ...

    async def forget_hook(self, webhook_id: UUID) -> None:
        """Delete all positions of a web hook."""
        ...

    async def settle_hooks(self, followers: Sequence[Follower], before: datetime, limit: int) -> None:
        """Settle at most `limit` games of apps: no hook can be behind them again, and their positions are deleted.

        Those are games that ended before a time, which all `followers` of their tenant, if any, have followed to the end, or are younger
        than. `followers` are all that there are.
        """
        ...
