"""In-memory store, for tests and temporary tables."""

import heapq
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from uuid import UUID

from msgspec.structs import replace
from typing_extensions import override

from service.adapters.memory.hook_positions import FollowedGame, MemoryHookPositions
from service.application.ports import (
    AlreadyDone,
    Appended,
    BehindHook,
    CommandReused,
    Commit,
    Follower,
    GameStore,
    HookPosition,
    ListedGame,
    Listing,
    ListingQuery,
    NewCommit,
    Outcome,
    OverdueGame,
    PlayerQuery,
    Profile,
    StoreUnavailable,
    VersionConflict,
)

_UNDER_WAY = frozenset({"waiting", "playing"})


@dataclass(slots=True)
class _Game:
    commits: list[Commit] = field(default_factory=list[Commit])
    by_command: dict[UUID, Commit] = field(default_factory=dict[UUID, Commit])
    listed: ListedGame | None = None


class MemoryStore(GameStore):
    """Store that loses everything when the process ends."""

    def __init__(self) -> None:
        self._games: dict[UUID, _Game] = {}
        self._reserved: dict[UUID, UUID] = {}
        self._profiles: dict[str, Profile] = {}
        self._changed: dict[str, datetime] = {}
        self._hooks = MemoryHookPositions()
        self._erasures: dict[str, datetime] = {}
        self._closed = False

    @override
    async def append(self, commit: NewCommit) -> Outcome:
        self._must_be_open()
        game = self._games.get(commit.game_id) or _Game()
        return _refusal(game, commit) or self._write(game, commit)

    @override
    async def read(self, game_id: UUID, after: int = 0, limit: int | None = None) -> Sequence[Commit]:
        self._must_be_open()
        game = self._games.get(game_id) or _Game()
        return tuple(game.commits[after : None if limit is None else after + limit])

    @override
    async def find(self, game_id: UUID, command_id: UUID) -> Commit | None:
        self._must_be_open()
        game = self._games.get(game_id)
        return game.by_command.get(command_id) if game else None

    @override
    async def heads(self, game_ids: Sequence[UUID]) -> Mapping[UUID, int]:
        self._must_be_open()
        return {game_id: len(self._games[game_id].commits) for game_id in game_ids if game_id in self._games}

    @override
    async def listed(self, query: ListingQuery) -> Sequence[ListedGame]:
        self._must_be_open()
        older = (row for row in self._rows() if query.before is None or row.game_id < query.before)
        matching = (row for row in older if _matches(row.listing, query))
        return heapq.nlargest(query.limit, matching, key=lambda row: row.game_id)

    @override
    async def seated(self, player_id: str, limit: int, tenant: str = "") -> Sequence[UUID]:
        self._must_be_open()
        games = (row.game_id for row in self._rows() if _is_seated(row.listing, player_id, tenant))
        return heapq.nlargest(limit, games)

    @override
    async def of_player(self, query: PlayerQuery) -> Sequence[UUID]:
        self._must_be_open()
        older = (row for row in self._rows() if query.before is None or row.game_id < query.before)
        games = (row.game_id for row in older if _is_of_player(row.listing, query))
        return heapq.nlargest(query.limit, games)

    @override
    async def finished(self, after: UUID | None, limit: int) -> Sequence[UUID]:
        self._must_be_open()
        rows = (row.game_id for row in self._rows() if row.listing.status == "finished")
        return heapq.nsmallest(limit, (game_id for game_id in rows if after is None or game_id > after))

    @override
    async def under_way(self) -> Mapping[str, int]:
        self._must_be_open()
        return Counter(row.listing.status for row in self._rows() if row.listing.status in _UNDER_WAY)

    @override
    async def reserve(self, key: UUID, game_id: UUID) -> UUID:
        self._must_be_open()
        return self._reserved.setdefault(key, game_id)

    @override
    async def reserved(self, key: UUID) -> UUID | None:
        self._must_be_open()
        return self._reserved.get(key)

    @override
    async def profiles(self, player_ids: Sequence[str]) -> Sequence[Profile]:
        self._must_be_open()
        return [self._profiles[player_id] for player_id in player_ids if player_id in self._profiles]

    @override
    async def keep_profile(self, profile: Profile) -> Profile:
        self._must_be_open()
        known = self._profiles.setdefault(profile.player_id, profile)
        if known.deleted_at is None and known != profile and (profile.is_chosen or not known.is_chosen):
            self._profiles[profile.player_id] = profile
            self._changed[profile.player_id] = datetime.now(UTC)
        return self._profiles[profile.player_id]

    @override
    async def changed_profiles(self, after: datetime | None) -> tuple[Sequence[Profile], datetime]:
        self._must_be_open()
        now = datetime.now(UTC)
        found = [self._profiles[player_id] for player_id, at in self._changed.items() if after and at >= after]
        return found, now

    @override
    async def delete_profile(self, player_id: str, tenant: str, now: datetime, erase_at: datetime) -> Profile:
        self._must_be_open()
        known = self._profiles.get(player_id)
        if known is None or known.deleted_at is None:
            known = Profile(player_id=player_id, tenant=tenant, display_name="", named_at=now, deleted_at=now)
            self._profiles[player_id] = known
            self._changed[player_id] = datetime.now(UTC)
        self._erasures[player_id] = erase_at
        return known

    @override
    async def deleted_players(self) -> Mapping[str, datetime]:
        self._must_be_open()
        return {each.player_id: each.deleted_at for each in self._profiles.values() if each.deleted_at}

    @override
    async def claim_erasures(self, now: datetime, until: datetime, limit: int) -> Sequence[Profile]:
        self._must_be_open()
        due = [player_id for player_id, at in self._erasures.items() if at <= now][:limit]
        self._erasures.update(dict.fromkeys(due, until))
        return [self._profiles[player_id] for player_id in due]

    @override
    async def put_erasure_off(self, player_id: str, erase_at: datetime | None) -> None:
        self._must_be_open()
        self._erasures.pop(player_id, None)
        if erase_at is not None:
            self._erasures[player_id] = erase_at

    @override
    async def claim(self, now: datetime, until: datetime, limit: int) -> Sequence[OverdueGame]:
        self._must_be_open()
        claimed = [row for _, row in self._overdue(now, limit)]
        for row in claimed:
            self._set_deadline(row, until)
        return [OverdueGame(row.game_id, row.version) for row in claimed]

    @override
    async def overdue(self, now: datetime, limit: int) -> Sequence[datetime]:
        self._must_be_open()
        return [deadline for deadline, _ in self._overdue(now, limit)]

    @override
    async def reschedule(self, game: OverdueGame, deadline: datetime | None) -> None:
        self._must_be_open()
        known = self._games.get(game.game_id)
        if known and known.listed and known.listed.version == game.listed_version:
            self._set_deadline(known.listed, deadline)

    @override
    async def hooks_behind(self, followers: Sequence[Follower], now: datetime, limit: int) -> Sequence[BehindHook]:
        self._must_be_open()
        return self._hooks.behind(self._apps_games(), followers, now, limit)

    @override
    async def hooks_due(self, now: datetime, limit: int) -> Sequence[tuple[UUID, UUID]]:
        self._must_be_open()
        return self._hooks.due(now, limit)

    @override
    async def take_hook(
        self, game_id: UUID, webhook_id: UUID, owner: UUID, now: datetime, until: datetime
    ) -> HookPosition | None:
        self._must_be_open()
        followed = next((game for game in self._apps_games() if game.game_id == game_id), None)
        return self._hooks.take(followed, webhook_id, owner, now, until)

    @override
    async def move_hook(self, position: HookPosition, until: datetime | None) -> bool:
        self._must_be_open()
        return self._hooks.move(position, until)

    @override
    async def forget_hook(self, webhook_id: UUID) -> None:
        self._must_be_open()
        self._hooks.forget(webhook_id)

    @override
    async def settle_hooks(self, followers: Sequence[Follower], before: datetime, limit: int) -> None:
        self._must_be_open()
        self._hooks.settle(self._apps_games(), followers, before, limit)

    @override
    async def check(self) -> None:
        self._must_be_open()

    @override
    def is_working(self) -> bool:
        return True

    @override
    async def close(self) -> None:
        self._closed = True

    def _must_be_open(self) -> None:
        if self._closed:
            raise StoreUnavailable("the store is closed")

    def _rows(self) -> Iterator[ListedGame]:
        return (game.listed for game in self._games.values() if game.listed is not None)

    def _apps_games(self) -> Iterator[FollowedGame]:
        for game_id, game in self._games.items():
            if game.listed is not None:
                listing = game.listed.listing
                yield FollowedGame(game_id, listing.tenant, listing.status, game.commits)

    def _overdue(self, now: datetime, limit: int) -> Sequence[tuple[datetime, ListedGame]]:
        overdue = ((deadline, row) for row in self._rows() if (deadline := row.listing.deadline) and deadline <= now)
        return heapq.nsmallest(limit, overdue, key=lambda each: each[0])

    def _set_deadline(self, row: ListedGame, deadline: datetime | None) -> None:
        self._games[row.game_id].listed = replace(row, listing=replace(row.listing, deadline=deadline))

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


def _matches(listing: Listing, query: ListingQuery) -> bool:
    return (
        listing.tenant == query.tenant
        and query.visibility in {None, listing.visibility}
        and query.status in {None, listing.status}
        and query.ruleset_id in {None, listing.ruleset_id}
    )


def _is_seated(listing: Listing, player_id: str, tenant: str) -> bool:
    return listing.status in _UNDER_WAY and listing.tenant == tenant and player_id in listing.player_ids


def _is_of_player(listing: Listing, query: PlayerQuery) -> bool:
    return (
        listing.tenant == query.tenant
        and query.status in {None, listing.status}
        and query.player_id in listing.player_ids
    )
