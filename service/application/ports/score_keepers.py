"""Score sheets of tables with real cards: who keeps them, and their logs of entries."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol
from uuid import UUID

import msgspec

from domain.pocha.keeping.entries import Entry
from domain.pocha.rules.ruleset import Ruleset
from service.application.ports.event_store import Outcome


class ScoreKeeper(msgspec.Struct, frozen=True, kw_only=True):
    """A score sheet without its entries. `names` are the players', by seat; `members` the ids of those who may read and write it.

    `command_id` and `fingerprint` are those of the request that created it. `changed_at` is the time of its last entry.
    """

    score_keeper_id: UUID
    tenant: str
    command_id: UUID
    fingerprint: bytes
    created_at: datetime
    changed_at: datetime
    ruleset: Ruleset
    names: tuple[str, ...]
    first_dealer: int
    members: tuple[str, ...]


class NewEntry(msgspec.Struct, frozen=True, kw_only=True):
    """An entry to be written as version `expected + 1` of its sheet, by the player `player_id`. A new sheet has version 1."""

    score_keeper_id: UUID
    expected: int
    command_id: UUID
    fingerprint: bytes
    player_id: str
    recorded_at: datetime
    entry: Entry


class WrittenEntry(msgspec.Struct, frozen=True):
    """An entry in the log."""

    version: int
    command_id: UUID
    fingerprint: bytes
    player_id: str
    recorded_at: datetime
    entry: Entry


class ScoreKeepers(Protocol):
    """The score sheets. Every method may raise `StoreUnavailable`."""

    async def create(self, keeper: ScoreKeeper) -> ScoreKeeper:
        """Store the sheet, unless one was created under its `command_id`; return the stored one."""
        ...

    async def read(self, score_keeper_id: UUID) -> tuple[ScoreKeeper, Sequence[WrittenEntry]] | None:
        """Return a sheet with all its entries in order; None if there is no such sheet."""
        ...

    async def append(self, entry: NewEntry) -> Outcome:
        """Write an entry if its sheet is at version `entry.expected`; of concurrent callers at one version exactly one gets `Appended`.

        A repeated command id is recognised before the version is checked. A sheet that does not exist is at version 0.
        """
        ...

    async def admit(self, score_keeper_id: UUID, player_id: str) -> None:
        """Let a player read and write a sheet."""
        ...

    async def listed(self, tenant: str, player_id: str, before: UUID | None, limit: int) -> Sequence[ScoreKeeper]:
        """Return at most `limit` sheets of a tenant that the player is a member of, newest first, with ids below `before`."""
        ...

    async def delete(self, score_keeper_id: UUID) -> None:
        """Delete a sheet and its entries."""
        ...

    async def forget(self, player_id: str) -> None:
        """Delete the sheets that a player made, with the names on them, and take the player out of the members of the others."""
        ...
