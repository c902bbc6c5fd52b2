"""Carrying commands out: load, fold, decide, append, and again on conflict.

A repeated request is known by its key, which lies in the row of the commit that it made: it is answered from there, not carried out again.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from uuid import UUID

from domain.pocha.behaviour.decide import decide
from domain.pocha.behaviour.evolve import fold
from domain.pocha.model.commands import AbandonGame, Command, ExpireTurn
from domain.pocha.model.refusals import Refused
from domain.pocha.model.state import InHand, turn_of
from service.application import autoplay, deadlines, idempotency
from service.application.hub import Hub
from service.application.idempotency import RequestKey
from service.application.ports import (
    AlreadyDone,
    Clock,
    CommandReused,
    GameStore,
    Notifier,
    Shuffler,
    StoreUnavailable,
    VersionConflict,
    VersionHint,
)
from service.application.repository import Committed, Game, GameRepository
from service.observability.metrics_port import NO_METRICS, Count, MetricsSink

_MOST_TRIES = 50

Ask = Callable[[Game], Command]
"""Says what is asked of a game as it stands; raises what stands against it."""


class NoSuchGame(Exception):
    """There is no such game, or none that the caller may know of."""


class StaleVersion(Exception):
    """The caller expected another version than the game's, which is `current`."""

    def __init__(self, current: int) -> None:
        super().__init__(f"the game stands at version {current}")
        self.current = current


class KeyReused(Exception):
    """The key of this request was given to another one before."""


class CommandHandler:
    """Carries commands out on the games of one log, and tells whoever waits for them."""

    def __init__(
        self,
        log: GameStore,
        clock: Clock,
        shuffler: Shuffler,
        hints: Notifier,
        abandon_after: timedelta,
        meters: MetricsSink = NO_METRICS,
    ) -> None:
        self._log = log
        self._clock = clock
        self._shuffler = shuffler
        self._hints = hints
        self._abandon_after = abandon_after
        self._meters = meters
        self.snapshots = GameRepository(log, clock, abandon_after)
        self.hub = Hub(self.snapshots.steps, log.heads)

    async def begin(self, game_id: UUID, command: Command, key: RequestKey) -> Committed:
        """Carry out the first command of a game.

        Raises:
            Refused, KeyReused: as the names say.
        """
        try:
            outcome = await self._try(self.snapshots.unborn(game_id), command, key)
        except Refused:
            done = await self._replay(game_id, key)
            if done is None:
                raise
            return done
        if isinstance(outcome, VersionConflict):
            raise StoreUnavailable("a fresh game id was taken")
        return outcome

    async def carry_out(
        self, game_id: UUID, ask: Ask, expected: int | None = None, key: RequestKey | None = None
    ) -> Committed:
        """Decide on what is remembered; read again before refusing, and after losing to another commit.

        Raises:
            NoSuchGame, StaleVersion, Refused, KeyReused: as the names say; and what `ask` raises.
        """
        key = key or idempotency.fresh()
        snapshot = await self.snapshots.recent(game_id)
        for _ in range(_MOST_TRIES):
            try:
                outcome = await self._attempt(snapshot, ask, expected, key)
            except (Refused, StaleVersion, NoSuchGame):
                fresh = await self.snapshots.refreshed(snapshot)
                if fresh.version == snapshot.version:
                    done = await self._replay(game_id, key)
                    if done is None:
                        raise
                    return done
            else:
                if isinstance(outcome, Committed):
                    return outcome
                fresh = await self.snapshots.refreshed(snapshot)
            snapshot = fresh
        raise StoreUnavailable("the game changes faster than this command could be decided")

    async def enforce_deadlines(self, game_id: UUID) -> datetime | None:
        """Do what is due at a game where nobody moves; return when to look again, none when never."""
        snapshot = await self.snapshots.latest(game_id)
        for _ in range(_MOST_TRIES):
            due = deadlines.due(snapshot.state, snapshot.times, self._abandon_after)
            if due is None or due > self._clock.now():
                return due
            command = self._overdue(snapshot)
            outcome = await self._try(snapshot, command, idempotency.fresh())
            if isinstance(outcome, Committed):
                self._meters.count(Count.TURNS_EXPIRED if isinstance(command, ExpireTurn) else Count.TABLES_ABANDONED)
                snapshot = outcome.snapshot
            else:
                snapshot = await self.snapshots.refreshed(snapshot)
        raise StoreUnavailable("the game changes faster than its deadline could be kept")

    def _overdue(self, snapshot: Game) -> ExpireTurn | AbandonGame:
        state = snapshot.state
        if isinstance(state, InHand) and deadlines.has_expired(state, snapshot.times, self._clock.now()):
            return ExpireTurn(turn_of(state))
        return AbandonGame()

    async def _attempt(
        self, snapshot: Game, ask: Ask, expected: int | None, key: RequestKey
    ) -> Committed | VersionConflict:
        if snapshot.version == 0:
            raise NoSuchGame
        command = ask(snapshot)
        if expected is not None and expected != snapshot.version:
            raise StaleVersion(snapshot.version)
        return await self._try(snapshot, command, key)

    async def _try(self, snapshot: Game, command: Command, key: RequestKey) -> Committed | VersionConflict:
        """Decide, let the table carry on by itself, append, tell."""
        decided = decide(snapshot.state, command)
        state, followed = await autoplay.run_on(fold(snapshot.state, decided), self._shuffler)
        match await self.snapshots.append(snapshot, key, decided + followed, state):
            case Committed() as done:
                self.hub.committed(done)
                self._hints.publish(VersionHint(done.snapshot.game_id, done.snapshot.version))
                return done
            case AlreadyDone(version=version):
                return await self._as_it_was(snapshot.game_id, version)
            case CommandReused():
                raise KeyReused
            case VersionConflict() as conflict:
                self._meters.count(Count.CONFLICTS)
                return conflict

    async def _replay(self, game_id: UUID, key: RequestKey) -> Committed | None:
        """Return what this very request did when it was made before, if it was."""
        if not key.fingerprint:
            return None
        commit = await self._log.find(game_id, key.command_id)
        if commit is None:
            return None
        if commit.fingerprint != key.fingerprint:
            raise KeyReused
        return await self._as_it_was(game_id, commit.version)

    async def _as_it_was(self, game_id: UUID, version: int) -> Committed:
        self._meters.count(Count.REPLAYS)
        (step,) = await self.snapshots.steps(game_id, version - 1, 1)
        return Committed(step.snapshot, step.commit, is_replay=True)
