"""Games as they stand: read from the log, and remembered, so that the common move reads nothing."""

from collections import OrderedDict
from collections.abc import Sequence
from datetime import datetime, timedelta
from uuid import UUID

import msgspec

from domain.pocha.events import Event, passes_turn
from domain.pocha.evolve import fold
from domain.pocha.state import NotCreated, State, table_of
from domain.pocha.table import Player
from service import timing
from service.keys import RequestKey
from service.lobby import listing_after
from service.ports import AlreadyDone, Appended, Clock, CommandReused, Commit, GameLog, NewCommit, VersionConflict
from service.timing import Times

_REMEMBERED_GAMES = 10_000


class Snapshot(msgspec.Struct, frozen=True):
    """A game at one version, secrets and all; `created_at` is UTC."""

    game_id: UUID
    version: int
    created_at: datetime
    state: State
    times: Times

    @property
    def turn_deadline(self) -> datetime | None:
        """When the time of the present turn is over; none when there is no turn, or no limit."""
        return timing.turn_deadline(self.state, self.times)

    def seat_of(self, player: Player) -> int | None:
        """Return the seat where the player sits, if any."""
        return table_of(self.state).seat_of(player.player_id)


class Done(msgspec.Struct, frozen=True):
    """A command carried out: the game after it, and what happened. `is_replay`: it was carried out before, under the same key."""

    snapshot: Snapshot
    commit: Commit
    is_replay: bool = False


class Snapshots:
    """The games of one log, the ones asked for last remembered. What is remembered may be old; `refreshed` is not."""

    def __init__(self, log: GameLog, clock: Clock, abandon_after: timedelta) -> None:
        self._log = log
        self._clock = clock
        self._abandon_after = abandon_after
        self._remembered: OrderedDict[UUID, Snapshot] = OrderedDict()

    def unborn(self, game_id: UUID) -> Snapshot:
        """Return a game that is not there yet, at version 0."""
        now = self._clock.now()
        return Snapshot(game_id, 0, now, NotCreated(), Times(now, now))

    async def recent(self, game_id: UUID) -> Snapshot:
        """Return the game as it stood not long ago; at version 0 when there is none."""
        if game_id not in self._remembered:
            return await self.refreshed(self.unborn(game_id))
        self._remembered.move_to_end(game_id)
        return self._remembered[game_id]

    async def latest(self, game_id: UUID) -> Snapshot:
        """Return the game as it stands; at version 0 when there is none."""
        return await self.refreshed(self._remembered.get(game_id) or self.unborn(game_id))

    async def all_latest(self, game_ids: Sequence[UUID]) -> Sequence[Snapshot]:
        """Return the games as they stand, those that there are; reads only those that have changed."""
        heads = await self._log.heads(game_ids)
        found: list[Snapshot] = []
        for game_id in game_ids:
            remembered = self._remembered.get(game_id)
            fresh = remembered is not None and remembered.version >= heads.get(game_id, 0)
            found.append(remembered if remembered and fresh else await self.latest(game_id))
        return [snapshot for snapshot in found if snapshot.version]

    async def refreshed(self, snapshot: Snapshot) -> Snapshot:
        """Return the game as it stands, with what was committed since `snapshot`."""
        for commit in await self._log.read(snapshot.game_id, snapshot.version):
            snapshot = _after(snapshot, commit, fold(snapshot.state, commit.events))
        return self._remember(snapshot) if snapshot.version else snapshot

    async def steps(self, game_id: UUID, after: int, limit: int | None = None) -> Sequence[Done]:
        """Return at most `limit` commits after version `after`, in order, each with the game after it."""
        snapshot = self._remembered.get(game_id)
        if snapshot is None or snapshot.version > after:
            snapshot = self.unborn(game_id)
        found: list[Done] = []
        wanted = None if limit is None else after - snapshot.version + limit
        for commit in await self._log.read(game_id, snapshot.version, wanted):
            snapshot = _after(snapshot, commit, fold(snapshot.state, commit.events))
            if commit.version > after:
                found.append(Done(snapshot, commit))
        if snapshot.version:
            self._remember(snapshot)
        return found

    async def append(
        self, before: Snapshot, key: RequestKey, events: tuple[Event, ...], state: State
    ) -> Done | VersionConflict | AlreadyDone | CommandReused:
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
            listing=listing_after(events, state, timing.due(state, times, self._abandon_after)),
        )
        outcome = await self._log.append(commit)
        if not isinstance(outcome, Appended):
            return outcome
        written = _written(commit, outcome.version)
        return Done(self._remember(_after(before, written, state)), written)

    def _remember(self, snapshot: Snapshot) -> Snapshot:
        known = self._remembered.get(snapshot.game_id)
        if known is None or known.version < snapshot.version:
            self._remembered[snapshot.game_id] = snapshot
            self._remembered.move_to_end(snapshot.game_id)
        if len(self._remembered) > _REMEMBERED_GAMES:
            self._remembered.popitem(last=False)
        return snapshot


def _after(before: Snapshot, commit: Commit, state: State) -> Snapshot:
    began = commit.recorded_at if passes_turn(commit.events) else before.times.turn_began
    created_at = before.created_at if before.version else commit.recorded_at
    return Snapshot(before.game_id, commit.version, created_at, state, Times(began, commit.recorded_at))


def _written(commit: NewCommit, version: int) -> Commit:
    return Commit(
        game_id=commit.game_id,
        version=version,
        command_id=commit.command_id,
        fingerprint=commit.fingerprint,
        recorded_at=commit.recorded_at,
        events=commit.events,
    )
