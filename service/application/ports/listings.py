"""Games as seen from outside, for the lobby and for the list of a player's games."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Protocol
from uuid import UUID

import msgspec


class Listing(msgspec.Struct, frozen=True):
    """A game as seen from outside, written with the commit that changes it.

    `seats` is an opaque JSON document that the application encodes and decodes. `player_ids` are the players of the seats, for
    `Listings.seated` and `Listings.of_player`. `deadline` is the earliest time when the game needs attention although nothing was asked
    of it (`DeadlineQueue.claim`); None: never. `tenant` owns the game (`domain.table.table.Table.tenant`).
    """

    status: str
    visibility: str
    ruleset_id: str
    players: int
    free_seats: int
    seats: bytes
    deadline: datetime | None = None
    player_ids: tuple[str, ...] = ()
    tenant: str = ""


class ListedGame(msgspec.Struct, frozen=True):
    """A game's current listing. `version` is that of the commit which wrote it; the game may have gone on since."""

    game_id: UUID
    version: int
    created_at: datetime
    listing: Listing


class ListingQuery(msgspec.Struct, frozen=True, kw_only=True):
    """At most `limit` games of one tenant that match every filter given, with ids below `before`; None: no filter."""

    tenant: str = ""
    visibility: str | None = None
    status: str | None = None
    ruleset_id: str | None = None
    before: UUID | None = None
    limit: int


class PlayerQuery(msgspec.Struct, frozen=True, kw_only=True):
    """At most `limit` games of one tenant with the player, of one status (None: any), with ids below `before` (None: any)."""

    player_id: str
    tenant: str = ""
    status: str | None = None
    before: UUID | None = None
    limit: int


class Listings(Protocol):
    """The listings of all games. Every method may raise `StoreUnavailable`."""

    async def listed(self, query: ListingQuery) -> Sequence[ListedGame]:
        """Return the games that match `query`, newest first (by descending id)."""
        ...

    async def seated(self, player_id: str, limit: int, tenant: str = "") -> Sequence[UUID]:
        """Return at most `limit` waiting or playing games of a tenant with the player, newest first."""
        ...

    async def of_player(self, query: PlayerQuery) -> Sequence[UUID]:
        """Return the games that match `query`, newest first (by descending id)."""
        ...

    async def finished(self, after: UUID | None, limit: int) -> Sequence[UUID]:
        """Return at most `limit` finished games of all tenants with ids above `after`, by ascending id."""
        ...

    async def under_way(self) -> Mapping[str, int]:
        """Return the number of waiting and of playing games, by status; very large numbers may be cut off."""
        ...
