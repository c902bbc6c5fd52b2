"""Games as they stand: read from the log, and remembered, so that the common move reads nothing."""

import logging
from collections import OrderedDict
from collections.abc import Sequence
from datetime import datetime, timedelta
from uuid import UUID

import msgspec

from domain.pocha.behaviour.evolve import fold
from domain.pocha.model.events import Event, passes_turn
from domain.pocha.model.state import Abandoned, Finished, NotCreated, State, table_of
from service.application import deadlines
from service.application.caller import Caller
from service.application.deadlines import Times
from service.application.idempotency import RequestKey
from service.application.lobby import changed_listing
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
"""Hardly anybody looks at games that are over."""
_MIN_RETENTION = timedelta(days=1)
"""No game is deleted sooner after its end."""


class Game(msgspec.Struct, frozen=True):
    """A game at one version, secrets and all; `created_at` is UTC."""

    game_id: UUID
    version: int
    created_at: datetime
    state: State
    times: Times

    @property
    def turn_deadline(self) -> datetime | None:
        """When the time of the present turn is over; none when there is no turn, or no limit."""
        return deadlines.turn_deadline(self.state, self.times)

    @property
    def is_over(self) -> bool:
        """Tell whether nothing more will happen in the game."""
        return isinstance(self.state, (Finished, Abandoned))

    def seat_of(self, caller: Caller) -> int | None:
        """Return the seat where the caller sits, if any."""
        return None if caller.player is None else table_of(self.state).seat_of(caller.player.player_id)

    def is_of_tenant(self, caller: Caller) -> bool:
        """Tell whether there is such a game in the caller's tenant. Games of other tenants do not exist, whatever their visibility."""
        return self.version > 0 and table_of(self.state).tenant == caller.tenant

    def is_known_to(self, caller: Caller) -> bool:
        """Tell whether the caller may know of the game: an app knows all of its own, a player those that admit them."""
        if not self.is_of_tenant(caller):
            return False
        return caller.player is None or table_of(self.state).admits(caller.player.player_id)


class Committed(msgspec.Struct, frozen=True):
    """A command carried out: the game after it, and what happened. `is_replay`: it was carried out before, under the same key."""

    game: Game
    commit: Commit
    is_replay: bool = False


class GameRepository:
    """The games of one log, the ones asked for last remembered. What is remembered may be old; `refreshed` is not."""

    def __init__(self, events: EventStore, clock: Clock, abandon_after: timedelta) -> None:
        self._events = events
        self._clock = clock
        self._abandon_after = abandon_after
        self._active: OrderedDict[UUID, Game] = OrderedDict()
        self._ended: OrderedDict[UUID, Game] = OrderedDict()

    def not_created(self, game_id: UUID) -> Game:
        """Return a game that is not there yet, at version 0."""
        now = self._clock.now()
        return Game(game_id, 0, now, NotCreated(), Times(now, now))

    async def cached(self, game_id: UUID) -> Game:
        """Return the game as it stood not long ago; at version 0 when there is none."""
        return self._get_cached(game_id) or await self.refresh(self.not_created(game_id))

    async def latest(self, game_id: UUID) -> Game:
        """Return the game as it stands; at version 0 when there is none."""
        return await self.refresh(self._peek(game_id) or self.not_created(game_id))

    async def latest_of(self, game_ids: Sequence[UUID]) -> Sequence[Game]:
        """Return the games as they stand, those that there are and that can be read; reads only those that have changed."""
        heads = await self._events.heads(game_ids)
        found = [await self._at_least(game_id, heads.get(game_id, 0)) for game_id in game_ids]
        return [game for game in found if game is not None and game.version]

    async def _at_least(self, game_id: UUID, version: int) -> Game | None:
        remembered = self._peek(game_id)
        if remembered is not None and remembered.version >= version:
            return remembered
        try:
            return await self.latest(game_id)
        except StoreUnavailable:
            raise
        except Exception:
            # A damaged game must not hide the others.
            _LOGGER.exception("game %s cannot be read", game_id)
            return None

    async def refresh(self, game: Game) -> Game:
        """Return the game as it stands, with what was committed since `game`; at version 0 when it has been deleted."""
        commits = await self._events.read(game.game_id, game.version)
        if not commits and self._may_be_deleted(game) and await self._is_deleted(game.game_id):
            self._evict(game.game_id)
            return self.not_created(game.game_id)
        for commit in commits:
            game = _after(game, commit, fold(game.state, commit.events))
        return self._cache(game) if game.version else game

    async def read_commits(self, game_id: UUID, after: int, limit: int | None = None) -> Sequence[Committed]:
        """Return at most `limit` commits after version `after`, in order, each with the game after it."""
        game = self._peek(game_id)
        if game is None or game.version > after:
            game = self.not_created(game_id)
        found: list[Committed] = []
        wanted = None if limit is None else after - game.version + limit
        for commit in await self._events.read(game_id, game.version, wanted):
            game = _after(game, commit, fold(game.state, commit.events))
            if commit.version > after:
                found.append(Committed(game, commit))
        if game.version:
            self._cache(game)
        return found

    async def append(
        self, before: Game, key: RequestKey, events: tuple[Event, ...], state: State
    ) -> Committed | VersionConflict | AlreadyDone | CommandReused:
        """Commit the `events` that the request named `key` led to, and that lead to `state`; or tell why they were not."""
        now = self._clock.now()
        times = Times(now if passes_turn(events) else before.times.turn_began, now)
        commit = NewCommit(
            game_id=before.game_id,
            expected=before.version,
            command_id=key.command_id,
            fingerprint=key.fingerprint,
            recorded_at=now,
            events=events,
            listing=changed_listing(events, state, deadlines.next_due(state, times, self._abandon_after)),
        )
        outcome = await self._events.append(commit)
        if not isinstance(outcome, Appended):
            return outcome
        written = _as_written(commit, outcome.version)
        return Committed(self._cache(_after(before, written, state)), written)

    def _peek(self, game_id: UUID) -> Game | None:
        return self._active.get(game_id) or self._ended.get(game_id)

    def _get_cached(self, game_id: UUID) -> Game | None:
        """Return what is remembered of a game, which will then be remembered for longer."""
        for kept in (self._active, self._ended):
            if game_id in kept:
                kept.move_to_end(game_id)
                return kept[game_id]
        return None

    def _cache(self, game: Game) -> Game:
        known = self._peek(game.game_id)
        if known is None or known.version < game.version:
            self._evict(game.game_id)
            kept, most = (self._ended, _MAX_ENDED) if game.is_over else (self._active, _MAX_ACTIVE)
            kept[game.game_id] = game
            if len(kept) > most:
                kept.popitem(last=False)
        return game

    def _evict(self, game_id: UUID) -> None:
        self._active.pop(game_id, None)
        self._ended.pop(game_id, None)

    def _may_be_deleted(self, game: Game) -> bool:
        """Tell whether the game may have been deleted: it is over, or may be, since nothing was heard of it for long."""
        if game.version == 0:
            return False
        return game.is_over or self._clock.now() - game.times.last_commit > _MIN_RETENTION

    async def _is_deleted(self, game_id: UUID) -> bool:
        # Heads are also missing while a shard is out; only who reads is told so.
        return not await self._events.heads((game_id,)) and not await self._events.read(game_id, 0, 1)


def _after(before: Game, commit: Commit, state: State) -> Game:
    began = commit.recorded_at if passes_turn(commit.events) else before.times.turn_began
    created_at = before.created_at if before.version else commit.recorded_at
    return Game(before.game_id, commit.version, created_at, state, Times(began, commit.recorded_at))


def _as_written(commit: NewCommit, version: int) -> Commit:
    return Commit(
        game_id=commit.game_id,
        version=version,
        command_id=commit.command_id,
        fingerprint=commit.fingerprint,
        recorded_at=commit.recorded_at,
        events=commit.events,
    )
