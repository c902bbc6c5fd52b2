"""Games as they stand: read from the log, and remembered, so that the common move reads nothing."""

import hashlib
from collections import OrderedDict
from datetime import datetime
from uuid import UUID, uuid4

import msgspec

from domain.pocha.commands import Command
from domain.pocha.events import Event
from domain.pocha.evolve import fold
from domain.pocha.state import NotCreated, State, table_of
from domain.pocha.table import Player
from service.lobby import listing_after
from service.ports import (
    AlreadyDone,
    Appended,
    Clock,
    CommandReused,
    Commit,
    GameLog,
    LogUnavailable,
    NewCommit,
    VersionConflict,
)

_REMEMBERED_GAMES = 10_000


class Snapshot(msgspec.Struct, frozen=True):
    """A game at one version, secrets and all; `created_at` is UTC."""

    game_id: UUID
    version: int
    created_at: datetime
    state: State

    def seat_of(self, player: Player) -> int | None:
        """Return the seat where the player sits, if any."""
        return table_of(self.state).seat_of(player.player_id)


class Done(msgspec.Struct, frozen=True):
    """A command carried out: the game after it, and what happened."""

    snapshot: Snapshot
    commit: Commit


class Snapshots:
    """The games of one log, the ones asked for last remembered. What is remembered may be old; `refreshed` is not."""

    def __init__(self, log: GameLog, clock: Clock) -> None:
        self._log = log
        self._clock = clock
        self._remembered: OrderedDict[UUID, Snapshot] = OrderedDict()

    def unborn(self, game_id: UUID) -> Snapshot:
        """Return a game that is not there yet, at version 0."""
        return Snapshot(game_id, 0, self._clock.now(), NotCreated())

    async def recent(self, game_id: UUID) -> Snapshot:
        """Return the game as it stood not long ago; at version 0 when there is none."""
        if game_id not in self._remembered:
            return await self.refreshed(self.unborn(game_id))
        self._remembered.move_to_end(game_id)
        return self._remembered[game_id]

    async def latest(self, game_id: UUID) -> Snapshot:
        """Return the game as it stands; at version 0 when there is none."""
        return await self.refreshed(self._remembered.get(game_id) or self.unborn(game_id))

    async def refreshed(self, snapshot: Snapshot) -> Snapshot:
        """Return the game as it stands, with what was committed since `snapshot`."""
        commits = await self._log.read(snapshot.game_id, snapshot.version)
        if not commits:
            return snapshot
        state = snapshot.state
        for commit in commits:
            state = fold(state, commit.events)
        created_at = snapshot.created_at if snapshot.version else commits[0].recorded_at
        return self._remember(Snapshot(snapshot.game_id, commits[-1].version, created_at, state))

    async def append(self, before: Snapshot, command: Command, events: tuple[Event, ...], state: State) -> Done | None:
        """Commit the `events` that `command` led to, and that lead to `state`; none when another commit came first."""
        commit = NewCommit(
            game_id=before.game_id,
            expected=before.version,
            command_id=uuid4(),
            fingerprint=_fingerprint(command),
            recorded_at=self._clock.now(),
            events=events,
            listing=listing_after(events, state),
        )
        match await self._log.append(commit):
            case Appended(version=version):
                created_at = before.created_at if before.version else commit.recorded_at
                after = self._remember(Snapshot(before.game_id, version, created_at, state))
                return Done(after, _written(commit, version))
            case VersionConflict():
                return None
            case AlreadyDone() | CommandReused():
                raise LogUnavailable("a fresh command id was taken")

    def _remember(self, snapshot: Snapshot) -> Snapshot:
        known = self._remembered.get(snapshot.game_id)
        if known is None or known.version < snapshot.version:
            self._remembered[snapshot.game_id] = snapshot
            self._remembered.move_to_end(snapshot.game_id)
        if len(self._remembered) > _REMEMBERED_GAMES:
            self._remembered.popitem(last=False)
        return snapshot


def _written(commit: NewCommit, version: int) -> Commit:
    return Commit(
        game_id=commit.game_id,
        version=version,
        command_id=commit.command_id,
        fingerprint=commit.fingerprint,
        recorded_at=commit.recorded_at,
        events=commit.events,
    )


def _fingerprint(command: Command) -> bytes:
    return hashlib.sha256(msgspec.msgpack.encode((type(command).__name__, command))).digest()
