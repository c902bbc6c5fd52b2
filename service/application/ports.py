"""What the use cases need from the world: Protocols, and the plain records that cross them.

Adapters live beside the ports they serve (`service.store` for `GameStore`); `service.app` joins them. One contract suite a port
(`tests/adapters/contract.py` for `GameStore`) runs against every adapter.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Protocol
from uuid import UUID

import msgspec

from domain.cards import Card
from domain.pocha.model.events import Event


class Listing(msgspec.Struct, frozen=True):
    """How a game looks from outside: the row that the lobby is read from, written with the commit that changes it.

    `seats` is an opaque JSON document (who sits where) that the caller encodes and decodes; the log only keeps it. `persons` are the ids
    of the players at its seats, for `GameStore.seated`. `deadline` is when somebody has to look at the game although nobody moves
    (`GameStore.claim_overdue`), at the earliest; none: never. `tenant` is whose game it is (`domain.table.table.Table.tenant`).
    """

    status: str
    visibility: str
    ruleset_id: str
    players: int
    free_seats: int
    seats: bytes
    deadline: datetime | None = None
    persons: tuple[str, ...] = ()
    tenant: str = ""


class NewCommit(msgspec.Struct, frozen=True):
    """One accepted command, to be written as version `expected + 1` of its game, all its events or none.

    `command_id` names the command for ever: the same id is never written twice in one game. `fingerprint` is the hash of what was asked,
    which tells a repeated request from another one under the same id. `listing` is present when the game's outside changes, and always
    in a game's first commit.
    """

    game_id: UUID
    expected: int
    command_id: UUID
    fingerprint: bytes
    recorded_at: datetime
    events: tuple[Event, ...]
    listing: Listing | None = None


class Commit(msgspec.Struct, frozen=True):
    """A commit as it stands in the log. `version` counts from 1 without holes; `recorded_at` is UTC."""

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
    """Nothing was written: the game stands at `current` (0: there is no such game), not at the version expected."""

    current: int


class AlreadyDone(msgspec.Struct, frozen=True):
    """Nothing was written: this very command (same id, same fingerprint) was committed before, as `version`."""

    version: int


class CommandReused(msgspec.Struct, frozen=True):
    """Nothing was written: the command id was used before in this game, for something else (other fingerprint)."""

    version: int


Outcome = Appended | VersionConflict | AlreadyDone | CommandReused


class ListedGame(msgspec.Struct, frozen=True):
    """A row of the lobby. `version` is that of the commit which last wrote the listing; the game may have gone on since."""

    game_id: UUID
    version: int
    created_at: datetime
    listing: Listing


class Overdue(msgspec.Struct, frozen=True):
    """A game whose deadline is over. `listed_version` is that of the commit which last wrote the listing."""

    game_id: UUID
    listed_version: int


class StoreUnavailable(Exception):
    """The log cannot be reached or refuses work now; nothing is known to be lost. Callers answer 503 and may try again."""


class GameStore(Protocol):
    """The append-only logs of all games, each an unbroken run of versions 1, 2, 3 and so on.

    An acknowledged append survives the death of this process and of the database's. Every method may raise `StoreUnavailable`.
    """

    async def append(self, commit: NewCommit) -> Outcome:
        """Write `commit` if its game stands at `commit.expected`; of concurrent callers at one version exactly one gets `Appended`.

        A repeated command id is recognised before the version is judged. A cancelled caller may find its commit written or not,
        and harms nobody else.
        """
        ...

    async def read(self, game_id: UUID, after: int = 0, limit: int | None = None) -> Sequence[Commit]:
        """Return the commits with versions above `after`, in order, at most `limit`; empty when there are none or no such game."""
        ...

    async def listed(
        self,
        *,
        visibility: str | None,
        status: str | None,
        ruleset_id: str | None,
        before: UUID | None,
        limit: int,
        tenant: str = "",
    ) -> Sequence[ListedGame]:
        """Return at most `limit` games of a tenant, newest first (descending id), that match every filter given, ids below `before`."""
        ...

    async def find(self, game_id: UUID, command_id: UUID) -> Commit | None:
        """Return the commit that carried out a command; none when there is none in that game."""
        ...

    async def heads(self, game_ids: Sequence[UUID]) -> Mapping[UUID, int]:
        """Return the newest version of each of the games; those that do not exist are left out."""
        ...

    async def seated(self, player_id: str, limit: int, tenant: str = "") -> Sequence[UUID]:
        """Return at most `limit` games of a tenant that wait or are played with the player at a seat, the newest game first."""
        ...

    async def reserve(self, key: UUID, game_id: UUID) -> UUID:
        """Keep `game_id` under `key`, unless one is kept there already; return the one that is kept.

        It is kept for ever, or as long as the operator wants old things to be kept.
        """
        ...

    async def claim_overdue(self, now: datetime, until: datetime, limit: int) -> Sequence[Overdue]:
        """Return at most `limit` games whose deadline is `now` or earlier, the earliest first, and put their deadlines off to `until`.

        Of concurrent callers each game goes to one. If that one dies, the game is overdue again at `until`.
        """
        ...

    async def overdue_since(self, now: datetime, limit: int) -> Sequence[datetime]:
        """Return the deadlines of at most `limit` games that could be claimed at `now`, the earliest first. Claims nothing."""
        ...

    async def put_off(self, overdue: Overdue, deadline: datetime | None) -> None:
        """Set the deadline of a claimed game; does nothing when a commit has written its listing since."""
        ...

    async def under_way(self) -> Mapping[str, int]:
        """Return how many games wait and are played, by status; of very many only some are counted."""
        ...

    async def check(self) -> None:
        """Return when the log can serve now; raise `StoreUnavailable` otherwise."""
        ...

    def is_at_work(self) -> bool:
        """Tell whether whatever the log does by itself, in this process, is still being done. Asks nobody."""
        ...

    async def close(self) -> None:
        """Finish what was queued and let go of every connection. Further calls raise `StoreUnavailable`."""
        ...


class ApiKey(msgspec.Struct, frozen=True):
    """What is kept of a key that an app calls with: never the key itself.

    `key_id` is the part of it that may be known, `digest` the SHA-256 of the whole. It is good until `expires_at` (none: until it is
    replaced or revoked). Times are UTC.
    """

    key_id: str
    app: str
    digest: bytes
    created_at: datetime
    expires_at: datetime | None = None


class App(msgspec.Struct, frozen=True):
    """An app that integrates the service, and its keys, the newest first, also those that are no longer good."""

    name: str
    created_at: datetime
    keys: tuple[ApiKey, ...]


class Apps(Protocol):
    """The apps and their keys. Every method may raise `StoreUnavailable`."""

    async def create(self, key: ApiKey) -> bool:
        """Make the app that `key` names, with that key; return false, and do nothing, when there is such an app already."""
        ...

    async def rotate(self, key: ApiKey, until: datetime) -> bool:
        """Give the app a further key; those it has are good until `until` at the latest. Return false when there is no such app."""
        ...

    async def revoke(self, app: str, now: datetime) -> bool:
        """Let none of the app's keys be good after `now`; return false when there is no such app."""
        ...

    async def keys(self, now: datetime) -> Sequence[ApiKey]:
        """Return the keys of all apps that are good after `now`."""
        ...

    async def listed(self) -> Sequence[App]:
        """Return all apps, by name."""
        ...

    async def close(self) -> None:
        """Let go of every connection. Further calls raise `StoreUnavailable`."""
        ...


class VersionHint(msgspec.Struct, frozen=True, tag_field="kind", tag="version"):
    """A game has reached a version, at least."""

    game_id: UUID
    version: int


class PresenceBeacon(msgspec.Struct, frozen=True, tag_field="kind", tag="sighting"):
    """A player was heard of at `seen_at`, and counts as connected until `connected_until`, if that is given."""

    player_id: str
    seen_at: datetime
    connected_until: datetime | None = None


Hint = VersionHint | PresenceBeacon


class Notifier(Protocol):
    """Word from process to process that something has happened. Notifier may be late, lost, or come twice: nobody may rely on them."""

    def publish(self, hint: Hint) -> None:
        """Tell all other processes, soon. Never waits; what is new replaces what is old of the same game or player."""
        ...

    def subscribe(self, on_hint: Callable[[Hint], None], on_gap: Callable[[], None]) -> None:
        """Call `on_hint` with the hints of other processes from now on, and `on_gap` whenever some may have been missed."""
        ...

    async def close(self) -> None:
        """Stop listening and telling."""
        ...


class Clock(Protocol):
    """The time, as data."""

    def now(self) -> datetime:
        """Return the present moment, UTC, with time zone."""
        ...


class Seeds(msgspec.Struct, frozen=True):
    """What a game's chance follows from: the server's 32 secret bytes, and the ASCII texts that players gave, by seat (none: nothing)."""

    server: bytes
    clients: tuple[str | None, ...] = ()


class Shuffler(Protocol):
    """Chance: everything that the rules leave to luck, each a function of a game's seeds (docs/fairness.md)."""

    def new_seed(self) -> bytes:
        """Return 32 fresh unpredictable bytes."""
        ...

    def first_dealer(self, seeds: Seeds, players: int) -> int:
        """Return the seat that deals the first hand."""
        ...

    def seating(self, seeds: Seeds, players: int) -> tuple[int, ...]:
        """Return all seats in random order."""
        ...

    def deck(self, seeds: Seeds, hand_number: int, cards: Sequence[Card]) -> tuple[Card, ...]:
        """Return `cards` in the order in which hand `hand_number` (from 1) is dealt."""
        ...

    def luck(self) -> int:
        """Return a random number, at least 0, for a robot to choose by."""
        ...
