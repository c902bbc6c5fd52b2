"""A log in this process's memory: for tests, and for tables that need not outlive the process."""

import heapq
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

import msgspec

from service.application.ports import (
    AlreadyDone,
    Appended,
    CommandReused,
    Commit,
    ListedGame,
    NewCommit,
    Outcome,
    Overdue,
    StoreUnavailable,
    VersionConflict,
)

_UNDER_WAY = frozenset({"waiting", "playing"})


@dataclass(slots=True)
class _Game:
    commits: list[Commit] = field(default_factory=list[Commit])
    by_command: dict[UUID, Commit] = field(default_factory=dict[UUID, Commit])
    listed: ListedGame | None = None


class MemoryStore:
    """Adapter of `service.application.ports.GameStore` that forgets everything when the process ends."""

    def __init__(self) -> None:
        self._games: dict[UUID, _Game] = {}
        self._reserved: dict[UUID, UUID] = {}
        self._closed = False

    async def append(self, commit: NewCommit) -> Outcome:
        """See `GameStore.append`."""
        self._must_be_open()
        game = self._games.get(commit.game_id) or _Game()
        return _refusal(game, commit) or self._write(game, commit)

    async def read(self, game_id: UUID, after: int = 0, limit: int | None = None) -> Sequence[Commit]:
        """See `GameStore.read`."""
        self._must_be_open()
        game = self._games.get(game_id) or _Game()
        return tuple(game.commits[after : None if limit is None else after + limit])

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
        """See `GameStore.listed`."""
        self._must_be_open()
        fitting = (row for row in self._rows() if before is None or row.game_id < before)
        own = (row for row in fitting if row.listing.tenant == tenant)
        wanted = (row for row in own if _fits(row, visibility, status, ruleset_id))
        return heapq.nlargest(limit, wanted, key=lambda row: row.game_id)

    async def find(self, game_id: UUID, command_id: UUID) -> Commit | None:
        """See `GameStore.find`."""
        self._must_be_open()
        game = self._games.get(game_id)
        return game.by_command.get(command_id) if game else None

    async def heads(self, game_ids: Sequence[UUID]) -> Mapping[UUID, int]:
        """See `GameStore.heads`."""
        self._must_be_open()
        return {game_id: len(self._games[game_id].commits) for game_id in game_ids if game_id in self._games}

    async def seated(self, player_id: str, limit: int, tenant: str = "") -> Sequence[UUID]:
        """See `GameStore.seated`."""
        self._must_be_open()
        mine = (row.game_id for row in self._rows() if row.listing.tenant == tenant and _is_seated(row, player_id))
        return heapq.nlargest(limit, mine)

    async def reserve(self, key: UUID, game_id: UUID) -> UUID:
        """See `GameStore.reserve`."""
        self._must_be_open()
        return self._reserved.setdefault(key, game_id)

    async def claim_overdue(self, now: datetime, until: datetime, limit: int) -> Sequence[Overdue]:
        """See `GameStore.claim_overdue`."""
        self._must_be_open()
        claimed = [row for _, row in self._due(now, limit)]
        for row in claimed:
            self._set_deadline(row, until)
        return [Overdue(row.game_id, row.version) for row in claimed]

    async def overdue_since(self, now: datetime, limit: int) -> Sequence[datetime]:
        """See `GameStore.overdue_since`."""
        self._must_be_open()
        return [deadline for deadline, _ in self._due(now, limit)]

    async def put_off(self, overdue: Overdue, deadline: datetime | None) -> None:
        """See `GameStore.put_off`."""
        self._must_be_open()
        game = self._games.get(overdue.game_id)
        if game and game.listed and game.listed.version == overdue.listed_version:
            self._set_deadline(game.listed, deadline)

    async def under_way(self) -> Mapping[str, int]:
        """See `GameStore.under_way`."""
        self._must_be_open()
        return Counter(row.listing.status for row in self._rows() if row.listing.status in _UNDER_WAY)

    async def check(self) -> None:
        """See `GameStore.check`."""
        self._must_be_open()

    def is_at_work(self) -> bool:
        """See `GameStore.is_at_work`."""
        return True

    async def close(self) -> None:
        """See `GameStore.close`."""
        self._closed = True

    def _must_be_open(self) -> None:
        if self._closed:
            raise StoreUnavailable("the log is closed")

    def _rows(self) -> Iterator[ListedGame]:
        return (game.listed for game in self._games.values() if game.listed is not None)

    def _due(self, now: datetime, limit: int) -> Sequence[tuple[datetime, ListedGame]]:
        due = ((deadline, row) for row in self._rows() if (deadline := row.listing.deadline) and deadline <= now)
        return heapq.nsmallest(limit, due, key=lambda each: each[0])

    def _set_deadline(self, row: ListedGame, deadline: datetime | None) -> None:
        listing = msgspec.structs.replace(row.listing, deadline=deadline)
        self._games[row.game_id].listed = msgspec.structs.replace(row, listing=listing)

    def _write(self, game: _Game, commit: NewCommit) -> Appended:
        written = _as_version(commit, commit.expected + 1)
        self._games[commit.game_id] = game
        game.commits.append(written)
        game.by_command[commit.command_id] = written
        game.listed = _row(game, commit) or game.listed
        return Appended(written.version)


def _refusal(game: _Game, commit: NewCommit) -> AlreadyDone | CommandReused | VersionConflict | None:
    done = game.by_command.get(commit.command_id)
    if done is not None:
        return AlreadyDone(done.version) if done.fingerprint == commit.fingerprint else CommandReused(done.version)
    current = len(game.commits)
    return None if current == commit.expected else VersionConflict(current)


def _as_version(commit: NewCommit, version: int) -> Commit:
    return Commit(
        game_id=commit.game_id,
        version=version,
        command_id=commit.command_id,
        fingerprint=commit.fingerprint,
        recorded_at=commit.recorded_at,
        events=commit.events,
    )


def _row(game: _Game, commit: NewCommit) -> ListedGame | None:
    if commit.listing is None:
        return None
    created_at = game.listed.created_at if game.listed else commit.recorded_at
    return ListedGame(commit.game_id, commit.expected + 1, created_at, commit.listing)


def _fits(row: ListedGame, visibility: str | None, status: str | None, ruleset_id: str | None) -> bool:
    listing = row.listing
    return (
        visibility in {None, listing.visibility}
        and status in {None, listing.status}
        and ruleset_id in {None, listing.ruleset_id}
    )


def _is_seated(row: ListedGame, player_id: str) -> bool:
    return row.listing.status in _UNDER_WAY and player_id in row.listing.persons
