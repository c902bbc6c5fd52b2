"""The append-only logs of all games."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Protocol
from uuid import UUID

import msgspec

from domain.pocha.model.events import Event
from service.application.ports.listings import Listing


class NewCommit(msgspec.Struct, frozen=True):
    """One accepted command, to be written as version `expected + 1` of its game: all its events, or none.

    `command_id` identifies the command; an id is never written twice in one game. `fingerprint` is the hash of the request, and tells a
    repeated request from another one under the same id. `listing` is the game's new listing, if the commit changes it; the first commit
    of a game always has one.
    """

    game_id: UUID
    expected: int
    command_id: UUID
    fingerprint: bytes
    recorded_at: datetime
    events: tuple[Event, ...]
    listing: Listing | None = None


class Commit(msgspec.Struct, frozen=True):
    """A commit in the log. Versions count from 1 without gaps; `recorded_at` is UTC."""

    game_id: UUID
    version: int
    command_id: UUID
    fingerprint: bytes
    recorded_at: datetime
    events: tuple[Event, ...]


class Appended(msgspec.Struct, frozen=True):
    """The commit is durable, as this version."""

    version: int


class VersionConflict(msgspec.Struct, frozen=True):
    """Nothing was written: the game is at version `current` (0: it does not exist), not at the expected one."""

    current: int


class AlreadyDone(msgspec.Struct, frozen=True):
    """Nothing was written: the same command (id and fingerprint) was committed before, as `version`."""

    version: int


class CommandReused(msgspec.Struct, frozen=True):
    """Nothing was written: the command id was used before in this game, with another fingerprint."""

    version: int


Outcome = Appended | VersionConflict | AlreadyDone | CommandReused


class EventStore(Protocol):
    """The logs of all games, each an unbroken sequence of versions from 1.

    An acknowledged commit survives the death of this process and of the database's. Every method may raise `StoreUnavailable`.
    """

    async def append(self, commit: NewCommit) -> Outcome:
        """Write `commit` if its game is at version `commit.expected`; of concurrent callers at one version exactly one gets `Appended`.

        A repeated command id is recognised before the version is checked. The commit of a cancelled caller is written or not, and
        affects no other caller.
        """
        ...

    async def read(self, game_id: UUID, after: int = 0, limit: int | None = None) -> Sequence[Commit]:
        """Return the commits with versions above `after`, in order, at most `limit`; empty if there are none or no such game."""
        ...

    async def find(self, game_id: UUID, command_id: UUID) -> Commit | None:
        """Return the commit of a command; None if that game has none."""
        ...

    async def heads(self, game_ids: Sequence[UUID]) -> Mapping[UUID, int]:
        """Return the newest version of each of the games, without those that do not exist."""
        ...
