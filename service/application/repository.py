"""Caching repository of games, so that the common move reads nothing from the store."""

import logging
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from types import MappingProxyType
from uuid import UUID

import msgspec
from cachetools import LRUCache

from domain.pocha.behaviour.evolve import fold
from domain.pocha.model.events import Event, SeatTaken
from domain.pocha.model.state import Abandoned, Finished, InHand, NotCreated, State, table_of
from service.application import deadlines
from service.application.caller import Caller
from service.application.deadlines import AbandonAfter, Times
from service.application.idempotency import RequestKey
from service.application.lobby import changed_listing
from service.application.names import Name, Names
from service.application.ports import (
    AlreadyDone,
    Appended,
    Clock,
    CommandReused,
    Commit,
    EventStore,
    NewCommit,
    StoreUnavailable,
    VersionConflict,
)

_LOGGER = logging.getLogger(__name__)
_MAX_ACTIVE = 10_000
_MAX_ENDED = 500
_MIN_RETENTION = timedelta(days=1)
"""No game is deleted sooner after its last commit."""
_NOBODY: Mapping[str, Name] = MappingProxyType({})


class Game(msgspec.Struct, frozen=True):
    """A game at one version, including its secrets; `created_at` is UTC. `names` are those of everybody who ever sat there."""

    game_id: UUID
    version: int
    created_at: datetime
    state: State
    times: Times
    names: Mapping[str, Name] = _NOBODY

    @property
    def turn_deadline(self) -> datetime | None:
        """Deadline of the current turn; None without a turn or a time limit."""
        return deadlines.turn_deadline(self.state, self.times)

    @property
    def is_over(self) -> bool:
        """Tell whether the game is finished or abandoned."""
        return isinstance(self.state, (Finished, Abandoned))

    def seat_of(self, caller: Caller) -> int | None:
        """Return the caller's seat, if any."""
        return None if caller.player is None else table_of(self.state).seat_of(caller.player.player_id)

    def is_on_turn(self, caller: Caller) -> bool:
        """Tell whether the game waits for the caller's move."""
        return isinstance(self.state, InHand) and self.state.turn == self.seat_of(caller)

    def is_of_tenant(self, caller: Caller) -> bool:
        """Tell whether the game exists in the caller's tenant; not even a public game exists for another tenant."""
        return self.version > 0 and table_of(self.state).tenant == caller.tenant

    def is_known_to(self, caller: Caller) -> bool:
        """Tell whether the caller may know of the game: an app knows all of its games, a player those that admit them."""
        if not self.is_of_tenant(caller):
            return False
        return caller.player is None or table_of(self.state).admits(caller.player.player_id)


class Committed(msgspec.Struct, frozen=True):
    """A commit and the game after it. `is_replay`: an earlier request with the same idempotency key made it."""

    game: Game
    commit: Commit
    is_replay: bool = False


class GameRepository:
    """Games folded from one event store, the most recently used ones cached. A cached game may be stale; `refresh` reads newer commits."""

    def __init__(self, events: EventStore, clock: Clock, abandon_after: AbandonAfter, names: Names) -> None:
        self._events = events
        self._names = names
        self._clock = clock
        self.abandon_after = abandon_after
        self._active: LRUCache[UUID, Game] = LRUCache(_MAX_ACTIVE)
        self._ended: LRUCache[UUID, Game] = LRUCache(_MAX_ENDED)

    def not_created(self, game_id: UUID) -> Game:
        """Return version 0 of a game, before its creation."""
        now = self._clock.now()
        return Game(game_id, 0, now, NotCreated(), Times(now, now))

    async def cached(self, game_id: UUID) -> Game:
        """Return the game, possibly stale; at version 0 when there is none."""
        return self._lookup(game_id) or await self.refresh(self.not_created(game_id))

    async def latest(self, game_id: UUID) -> Game:
        """Return the current game; at version 0 when there is none. Of a cached game only the version is looked up."""
        cached = self._lookup(game_id)
        if cached is None:
            return await self.refresh(self.not_created(game_id))
        head = (await self._events.heads((game_id,))).get(game_id, 0)
        game = self._lookup(game_id) or cached  # commits of this process may have arrived meanwhile
        return game if 0 < head <= game.version else await self.refresh(game)

    async def latest_of(self, game_ids: Sequence[UUID]) -> Sequence[Game]:
        """Return the current games, without missing and unreadable ones; reads only those that have changed."""
        heads = await self._events.heads(game_ids)
        found = [await self._at_least(game_id, heads.get(game_id, 0)) for game_id in game_ids]
        return [game for game in found if game is not None and game.version]

    async def _at_least(self, game_id: UUID, version: int) -> Game | None:
        cached = self._lookup(game_id)
        if cached is not None and cached.version >= version:
            return cached
        try:
            return await self.latest(game_id)
        except StoreUnavailable:
            raise
        except Exception:
            # A damaged game must not hide the others.
            _LOGGER.exception("failed to read a game", extra={"game_id": game_id})
            return None

    async def refresh(self, game: Game) -> Game:
        """Return the current game: `game` and the commits after it, or version 0 when it has been deleted."""
        commits = await self._events.read(game.game_id, game.version)
        if not commits and self._may_be_deleted(game) and await self._is_deleted(game.game_id):
            self._evict(game.game_id)
            return self.not_created(game.game_id)
        names = await self._names_after(game, commits)
        for commit in commits:
            game = _after(game, commit, fold(game.state, commit.events), names)
        return self._cache(game) if game.version else game

    async def read_commits(self, game_id: UUID, after: int, limit: int | None = None) -> Sequence[Committed]:
        """Return at most `limit` commits after version `after`, in order, each with the game after it."""
        game = self._lookup(game_id)
        if game is None or game.version > after:
            game = self.not_created(game_id)
        found: list[Committed] = []
        wanted = None if limit is None else after - game.version + limit
        commits = await self._events.read(game_id, game.version, wanted)
        names = await self._names_after(game, commits)
        for commit in commits:
            game = _after(game, commit, fold(game.state, commit.events), names)
            if commit.version > after:
                found.append(Committed(game, commit))
        if game.version:
            self._cache(game)
        return found

    async def at_version(self, game_id: UUID, version: int) -> Game | None:
        """Return a game as it was at a version; None if it has none such, or was deleted."""
        if version == 0:
            return self.not_created(game_id)
        found = await self.read_commits(game_id, version - 1, 1)
        return found[0].game if found else None

    async def commits_after(self, game: Game, limit: int) -> Sequence[Committed]:
        """Return at most `limit` commits after the version of `game`, in order, each with the game after it. Caches nothing."""
        found: list[Committed] = []
        commits = await self._events.read(game.game_id, game.version, limit)
        names = await self._names_after(game, commits)
        for commit in commits:
            game = _after(game, commit, fold(game.state, commit.events), names)
            found.append(Committed(game, commit))
        return found

    async def append(
        self, before: Game, key: RequestKey, events: tuple[Event, ...], state: State
    ) -> Committed | VersionConflict | AlreadyDone | CommandReused:
        """Append a commit with the `events` of one command, which lead to `state`; any other outcome means that nothing was written."""
        now = self._clock.now()
        times = before.times.after(before.state, events, now)
        commit = NewCommit(
            game_id=before.game_id,
            expected=before.version,
            command_id=key.command_id,
            fingerprint=key.fingerprint,
            recorded_at=now,
            events=events,
            listing=changed_listing(events, state, deadlines.next_due(state, times, self.abandon_after)),
        )
        names = await self._names_after(before, [commit])
        outcome = await self._events.append(commit)
        if not isinstance(outcome, Appended):
            return outcome
        written = _as_written(commit, outcome.version)
        return Committed(self._cache(_after(before, written, state, names)), written)

    async def _names_after(self, before: Game, commits: Iterable[Commit | NewCommit]) -> Mapping[str, Name]:
        taken = (event for commit in commits for event in commit.events if isinstance(event, SeatTaken))
        new = {event.player.player_id for event in taken} - before.names.keys()
        return {**before.names, **await self._names.of(new)} if new else before.names

    def _lookup(self, game_id: UUID) -> Game | None:
        return self._active.get(game_id) or self._ended.get(game_id)

    def _cache(self, game: Game) -> Game:
        cached = self._lookup(game.game_id)
        if cached is None or cached.version < game.version:
            self._evict(game.game_id)
            (self._ended if game.is_over else self._active)[game.game_id] = game
        return game

    def _evict(self, game_id: UUID) -> None:
        self._active.pop(game_id, None)
        self._ended.pop(game_id, None)

    def _may_be_deleted(self, game: Game) -> bool:
        """Tell whether the game may have been deleted: it is over, or may have ended unnoticed long ago."""
        if game.version == 0:
            return False
        return game.is_over or self._clock.now() - game.times.last_commit > _MIN_RETENTION

    async def _is_deleted(self, game_id: UUID) -> bool:
        # A head is also missing while its database is away; only a read raises then.
        return not await self._events.heads((game_id,)) and not await self._events.read(game_id, 0, 1)


def _after(before: Game, commit: Commit, state: State, names: Mapping[str, Name]) -> Game:
    times = before.times.after(before.state, commit.events, commit.recorded_at)
    created_at = before.created_at if before.version else commit.recorded_at
    return Game(before.game_id, commit.version, created_at, state, times, names)


def _as_written(commit: NewCommit, version: int) -> Commit:
    return Commit(
        game_id=commit.game_id,
        version=version,
        command_id=commit.command_id,
        fingerprint=commit.fingerprint,
        recorded_at=commit.recorded_at,
        events=commit.events,
    )
