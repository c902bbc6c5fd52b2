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
from service.application.lobby import listing_after
from service.application.ports import (
    AlreadyDone,
    Appended,
    Clock,
    CommandReused,
    Commit,
    GameStore,
    NewCommit,
    StoreUnavailable,
    VersionConflict,
)

_LOGGER = logging.getLogger(__name__)
_REMEMBERED_GAMES = 10_000
_REMEMBERED_OVER = 500
"""Hardly anybody looks at games that are over."""
_QUIET = timedelta(days=1)
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

    snapshot: Game
    commit: Commit
    is_replay: bool = False


class GameRepository:
    """The games of one log, the ones asked for last remembered. What is remembered may be old; `refreshed` is not."""

    def __init__(self, log: GameStore, clock: Clock, abandon_after: timedelta) -> None:
        self._log = log
        self._clock = clock
        self._abandon_after = abandon_after
        self._living: OrderedDict[UUID, Game] = OrderedDict()
        self._over: OrderedDict[UUID, Game] = OrderedDict()

    def unborn(self, game_id: UUID) -> Game:
        """Return a game that is not there yet, at version 0."""
        now = self._clock.now()
        return Game(game_id, 0, now, NotCreated(), Times(now, now))

    async def recent(self, game_id: UUID) -> Game:
        """Return the game as it stood not long ago; at version 0 when there is none."""
        return self._recalled(game_id) or await self.refreshed(self.unborn(game_id))

    async def latest(self, game_id: UUID) -> Game:
        """Return the game as it stands; at version 0 when there is none."""
        return await self.refreshed(self._known(game_id) or self.unborn(game_id))

    async def all_latest(self, game_ids: Sequence[UUID]) -> Sequence[Game]:
        """Return the games as they stand, those that there are and that can be read; reads only those that have changed."""
        heads = await self._log.heads(game_ids)
        found = [await self._at_least(game_id, heads.get(game_id, 0)) for game_id in game_ids]
        return [snapshot for snapshot in found if snapshot is not None and snapshot.version]

    async def _at_least(self, game_id: UUID, version: int) -> Game | None:
        remembered = self._known(game_id)
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

    async def refreshed(self, snapshot: Game) -> Game:
        """Return the game as it stands, with what was committed since `snapshot`; at version 0 when it has been deleted."""
        commits = await self._log.read(snapshot.game_id, snapshot.version)
        if not commits and self._may_be_gone(snapshot) and await self._is_gone(snapshot.game_id):
            self._forget(snapshot.game_id)
            return self.unborn(snapshot.game_id)
        for commit in commits:
            snapshot = _after(snapshot, commit, fold(snapshot.state, commit.events))
        return self._remember(snapshot) if snapshot.version else snapshot

    async def steps(self, game_id: UUID, after: int, limit: int | None = None) -> Sequence[Committed]:
        """Return at most `limit` commits after version `after`, in order, each with the game after it."""
        snapshot = self._known(game_id)
        if snapshot is None or snapshot.version > after:
            snapshot = self.unborn(game_id)
        found: list[Committed] = []
        wanted = None if limit is None else after - snapshot.version + limit
        for commit in await self._log.read(game_id, snapshot.version, wanted):
            snapshot = _after(snapshot, commit, fold(snapshot.state, commit.events))
            if commit.version > after:
                found.append(Committed(snapshot, commit))
        if snapshot.version:
            self._remember(snapshot)
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
            listing=listing_after(events, state, deadlines.due(state, times, self._abandon_after)),
        )
        outcome = await self._log.append(commit)
        if not isinstance(outcome, Appended):
            return outcome
        written = _written(commit, outcome.version)
        return Committed(self._remember(_after(before, written, state)), written)

    def _known(self, game_id: UUID) -> Game | None:
        return self._living.get(game_id) or self._over.get(game_id)

    def _recalled(self, game_id: UUID) -> Game | None:
        """Return what is remembered of a game, which will then be remembered for longer."""
        for kept in (self._living, self._over):
            if game_id in kept:
                kept.move_to_end(game_id)
                return kept[game_id]
        return None

    def _remember(self, snapshot: Game) -> Game:
        known = self._known(snapshot.game_id)
        if known is None or known.version < snapshot.version:
            self._forget(snapshot.game_id)
            kept, most = (self._over, _REMEMBERED_OVER) if snapshot.is_over else (self._living, _REMEMBERED_GAMES)
            kept[snapshot.game_id] = snapshot
            if len(kept) > most:
                kept.popitem(last=False)
        return snapshot

    def _forget(self, game_id: UUID) -> None:
        self._living.pop(game_id, None)
        self._over.pop(game_id, None)

    def _may_be_gone(self, snapshot: Game) -> bool:
        """Tell whether the game may have been deleted: it is over, or may be, since nothing was heard of it for long."""
        if snapshot.version == 0:
            return False
        return snapshot.is_over or self._clock.now() - snapshot.times.last_commit > _QUIET

    async def _is_gone(self, game_id: UUID) -> bool:
        # Heads are also missing while a shard is out; only who reads is told so.
        return not await self._log.heads((game_id,)) and not await self._log.read(game_id, 0, 1)


def _after(before: Game, commit: Commit, state: State) -> Game:
    began = commit.recorded_at if passes_turn(commit.events) else before.times.turn_began
    created_at = before.created_at if before.version else commit.recorded_at
    return Game(before.game_id, commit.version, created_at, state, Times(began, commit.recorded_at))


def _written(commit: NewCommit, version: int) -> Commit:
    return Commit(
        game_id=commit.game_id,
        version=version,
        command_id=commit.command_id,
        fingerprint=commit.fingerprint,
        recorded_at=commit.recorded_at,
        events=commit.events,
    )
