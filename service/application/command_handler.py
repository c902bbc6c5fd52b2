"""Command handler: load, decide, append, and retry on a version conflict.

The idempotency key of a request is stored with its commit. A retry finds that commit, and gets the same outcome.
"""

from collections.abc import Callable
from datetime import datetime
from uuid import UUID

import msgspec

from domain.pocha.behaviour.decide import decide
from domain.pocha.behaviour.decision import Decision
from domain.pocha.model.commands import AbandonGame, Command, ExpireTurn
from domain.pocha.model.refusals import Refused
from domain.pocha.model.state import Finished, InHand, State, Waiting, table_of
from domain.table.table import Level
from service.application import autoplay, deadlines, idempotency
from service.application.hub import Hub
from service.application.idempotency import RequestKey
from service.application.permissions import NoSuchGame
from service.application.ports import (
    AlreadyDone,
    Clock,
    CommandReused,
    EventStore,
    Notifier,
    Robots,
    Shuffler,
    StoreUnavailable,
    VersionConflict,
    VersionHint,
)
from service.application.repository import Committed, Game, GameRepository
from service.application.robots import INLINE
from service.observability.metrics import Metrics

_MAX_ATTEMPTS = 50


class RobotMove(msgspec.Struct, frozen=True):
    """The move that a robot of `level` makes for a seat, as a command of the seat's player."""

    seat: int
    level: Level


CommandFactory = Callable[[Game], Command | RobotMove]
"""Returns the command for the game as it is, or raises the reason why there is none."""


class StaleVersion(Exception):
    """The caller expected another version; the game's is `current`."""

    def __init__(self, current: int) -> None:
        super().__init__(f"the game is at version {current}")
        self.current = current


class GameExists(Exception):
    """The game was created before, by another request."""


class KeyReused(Exception):
    """The idempotency key was used before, for another request."""


class CommandHandler:
    """Handles commands to the games of one store, which `repository` reads, and notifies subscribers of the commits.

    `heard_of` tells when a player was last heard of; without it, only by the commits of their games.
    """

    def __init__(
        self,
        *,
        events: EventStore,
        clock: Clock,
        shuffler: Shuffler,
        notifier: Notifier,
        metrics: Metrics,
        repository: GameRepository,
        robots: Robots = INLINE,
        heard_of: Callable[[str], datetime] | None = None,
    ) -> None:
        self._events = events
        self.clock = clock
        self._shuffler = shuffler
        self._notifier = notifier
        self._metrics = metrics
        self._robots = robots
        self._heard_of = heard_of
        self.repository = repository
        self.hub = Hub(self.repository.read_commits, events.heads)

    async def create_game(self, game_id: UUID, command: Command, key: RequestKey) -> Committed:
        """Handle the first command of a game.

        Raises:
            Refused, KeyReused, GameExists: as the names say.
        """
        try:
            outcome = await self._decide_and_append(self.repository.not_created(game_id), command, key)
        except Refused:
            committed = await self._replay(game_id, key)
            if committed is None:
                raise
            return committed
        if isinstance(outcome, VersionConflict):
            raise GameExists
        return outcome

    async def handle(
        self, game_id: UUID, make_command: CommandFactory, expected: int | None = None, key: RequestKey | None = None
    ) -> Committed:
        """Decide on the cached game and append. Read newer commits before refusing and after a conflict, and decide again.

        Raises:
            NoSuchGame, StaleVersion, Refused, KeyReused: as the names say; and what `make_command` raises.
        """
        key = key or idempotency.random_key()
        game = await self.repository.cached(game_id)
        for _ in range(_MAX_ATTEMPTS):
            try:
                outcome = await self._attempt(game, make_command, expected, key)
            except (Refused, StaleVersion, NoSuchGame):
                fresh = await self.repository.refresh(game)
                if fresh.version == game.version:
                    committed = await self._replay(game_id, key)
                    if committed is None:
                        raise
                    return committed
            else:
                if isinstance(outcome, Committed):
                    return outcome
                fresh = await self.repository.refresh(game)
            game = fresh
        raise StoreUnavailable("too many concurrent commits: the command was not handled")

    async def enforce_deadlines(self, game_id: UUID) -> datetime | None:
        """Expire the turn, make the robot's move or abandon the game if that is due; return when the game is due next, None when never."""
        game = await self.repository.latest(game_id)
        for _ in range(_MAX_ATTEMPTS):
            if isinstance(game.state, Finished):
                return None
            due = self._next_due(game)
            if due is None or due > self.clock.now():
                return due
            command = self._overdue_command(game)
            outcome = await self._decide_and_append(game, command, idempotency.random_key())
            if isinstance(outcome, Committed):
                self._count_overdue(command)
                game = outcome.game
            else:
                game = await self.repository.refresh(game)
        raise StoreUnavailable("too many concurrent commits: the deadline was not enforced")

    def _next_due(self, game: Game) -> datetime | None:
        host = table_of(game.state).seated_host if isinstance(game.state, Waiting) else None
        heard_of = None if host is None or self._heard_of is None else self._heard_of(host.player_id)
        return deadlines.next_due(game.state, game.times, self.repository.abandon_after, heard_of)

    def _overdue_command(self, game: Game) -> ExpireTurn | AbandonGame | RobotMove:
        state = game.state
        if isinstance(state, InHand):
            level = state.progress.table.robot_at(state.turn)
            if level is not None and deadlines.robot_due(state, game.times) is not None:
                return RobotMove(state.turn, level)
            if deadlines.has_expired(state, game.times, self.clock.now()):
                return ExpireTurn(state.turn)
        return AbandonGame()

    def _count_overdue(self, command: ExpireTurn | AbandonGame | RobotMove) -> None:
        match command:
            case ExpireTurn():
                self._metrics.turns_expired.inc()
            case AbandonGame():
                self._metrics.games_abandoned.inc()
            case RobotMove():
                self._metrics.robot_moves.inc()

    async def _attempt(
        self, game: Game, make_command: CommandFactory, expected: int | None, key: RequestKey
    ) -> Committed | VersionConflict:
        if game.version == 0:
            raise NoSuchGame
        command = make_command(game)
        if expected is not None and expected != game.version:
            raise StaleVersion(game.version)
        return await self._decide_and_append(game, command, key)

    async def _decide_and_append(
        self, game: Game, command: Command | RobotMove, key: RequestKey
    ) -> Committed | VersionConflict:
        """Decide the command and the automatic moves after it, append all as one commit, notify subscribers."""
        decision = await autoplay.advance(await self._decide(game.state, command), self._shuffler, self._robots)
        match await self.repository.append(game, key, decision.events, decision.state):
            case Committed() as committed:
                self.hub.on_commit(committed)
                self._notifier.publish(VersionHint(committed.game.game_id, committed.game.version))
                return committed
            case AlreadyDone(version=version):
                return await self._replay_of(game.game_id, version)
            case CommandReused():
                raise KeyReused
            case VersionConflict() as conflict:
                self._metrics.version_conflicts.inc()
                return conflict

    async def _decide(self, state: State, command: Command | RobotMove) -> Decision:
        if isinstance(command, RobotMove):
            return await autoplay.move_for(state, command.seat, command.level, self._shuffler, self._robots)
        return decide(state, command)

    async def _replay(self, game_id: UUID, key: RequestKey) -> Committed | None:
        """Return the outcome of the first try of this request, if it was committed."""
        if not key.fingerprint:
            return None
        commit = await self._events.find(game_id, key.command_id)
        if commit is None:
            return None
        if commit.fingerprint != key.fingerprint:
            raise KeyReused
        return await self._replay_of(game_id, commit.version)

    async def _replay_of(self, game_id: UUID, version: int) -> Committed:
        self._metrics.idempotent_replays.inc()
        (step,) = await self.repository.read_commits(game_id, version - 1, 1)
        return Committed(step.game, step.commit, is_replay=True)
