"""Requests for a quick match: who waits for a game of which kind."""

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum
from typing import Protocol
from uuid import UUID

import msgspec

from domain.pocha.rules.ruleset import Ruleset
from domain.table.table import Level, Player


class MatchStatus(StrEnum):
    """Where a request stands. A matched one has a game; an expired one found nobody in time."""

    WAITING = "waiting"
    MATCHED = "matched"
    EXPIRED = "expired"
    CANCELLED = "cancelled"


class MatchSpec(msgspec.Struct, frozen=True):
    """The game that is asked for. Only requests for the same one are matched."""

    ruleset: Ruleset
    players: int
    turn_seconds: int | None = None


class MatchRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A player's request. `pool` stands for its spec. At `expires_at`, robots of level `robots` fill up; None: it expires.

    `game_id` is that of a matched request; the game can be played once the request `is_ready`.
    """

    match_id: UUID
    tenant: str
    player: Player
    command_id: UUID
    fingerprint: bytes
    created_at: datetime
    expires_at: datetime
    pool: str
    spec: MatchSpec
    robots: Level | None = None
    status: MatchStatus = MatchStatus.WAITING
    game_id: UUID | None = None
    is_ready: bool = False


class Matches(Protocol):
    """The requests. Every method may raise `StoreUnavailable`.

    A request is due at `expires_at` while it waits, and, until its game is ready, some seconds after it was matched.
    """

    async def enter(self, request: MatchRequest) -> MatchRequest:
        """Store a waiting request, unless its `command_id` stored one already; return the stored one.

        Another request of the player that still waits is cancelled: a player waits once.
        """
        ...

    async def read(self, match_id: UUID) -> MatchRequest | None:
        """Return a request; None if there is none."""
        ...

    async def form(self, request: MatchRequest, game_id: UUID, due_at: datetime) -> bool:
        """Match the oldest waiting requests of the request's tenant and pool, as many as a game has players, or none.

        Return whether they were matched. No request is matched twice, and no two calls match for one game.
        """
        ...

    async def fill_up(self, request: MatchRequest, game_id: UUID, due_at: datetime) -> bool:
        """Match a waiting request, which takes robots, with those waiting requests of its pool that do so too, without any being needed.

        Return whether it was matched.
        """
        ...

    async def group(self, game_id: UUID) -> Sequence[MatchRequest]:
        """Return the requests that were matched for a game, oldest first."""
        ...

    async def settle(self, game_id: UUID) -> None:
        """Mark the requests of a game as ready: the game waits for nobody."""
        ...

    async def end(self, match_id: UUID, status: MatchStatus) -> None:
        """Expire or cancel a request, if it still waits."""
        ...

    async def claim_due(self, now: datetime, until: datetime, limit: int) -> Sequence[MatchRequest]:
        """Claim at most `limit` due requests; they are due again at `until`."""
        ...

    async def delete_old(self, before: datetime) -> None:
        """Delete requests that were made before a time and neither wait nor are due."""
        ...

    async def of_player(self, tenant: str, player_id: str) -> Sequence[MatchRequest]:
        """Return the requests of a player that are still kept, oldest first."""
        ...

    async def forget(self, tenant: str, player_id: str) -> None:
        """Delete the requests of a player, but for those whose game is being made."""
        ...
