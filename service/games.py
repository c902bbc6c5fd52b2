"""The use cases: what can be asked of the games in one log.

Nothing here knows HTTP or Postgres. Whoever calls gets a `Snapshot`, and shows of it what the viewer may see (`domain.pocha.view`).
"""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from uuid import UUID

from domain.pocha.commands import Command, CreateGame, LeaveSeat, SeatRobot, TakeSeat
from domain.pocha.refusals import Reason, Refused
from domain.pocha.state import Abandoned, InHand, table_of, turn_of
from domain.pocha.table import Level, Player, Visibility
from service import ids, keys, plans, shuffle, timing
from service.executor import Executor, NoSuchGame
from service.keys import RequestKey
from service.plans import TablePlan
from service.ports import Clock, Commit, GameLog, Hints, ListedGame, Shuffler
from service.snapshots import Done, Snapshot

MOST_TABLES = 1000
"""Of how many tables a player is told whose turn it is there."""


class Games:
    """All that can be asked of the games in one log.

    A `key` names a request, so that its repetition is answered as it was, and not carried out again; every command may raise `KeyReused`.
    """

    def __init__(
        self,
        log: GameLog,
        clock: Clock,
        shuffler: Shuffler,
        hints: Hints,
        abandon_after: timedelta = timing.ABANDON_AFTER,
    ) -> None:
        self._log = log
        self._shuffler = shuffler
        self._executor = Executor(log, clock, shuffler, hints, abandon_after)
        self._snapshots = self._executor.snapshots
        self.hub = self._executor.hub

    async def create(self, host: Player, plan: TablePlan, key: RequestKey | None = None) -> Done:
        """Make a table; `host` sits at seat 0.

        Raises:
            Refused: the ruleset is not for such a table.
        """
        key, game_id = key or keys.fresh(), ids.new_game_id()
        if key.fingerprint:
            game_id = await self._log.reserve(key.command_id, game_id)
        return await self._executor.begin(game_id, self._creation(host, plan), key)

    async def rematch(self, game_id: UUID, player: Player, client_seed: str | None = None) -> tuple[Snapshot, bool]:
        """Return the game after this one, with the player at a seat; and whether this call has made it.

        Raises:
            NoSuchGame, GameNotOver, Refused: as the names say.
        """
        plan = plans.rematch((await self.look(game_id, player)).state, player, client_seed)
        key, following = await self._game_after(game_id)
        if following.version == 0:
            done = await self._executor.begin(following.game_id, self._creation(player, plan), key)
            if not done.is_replay:
                return done.snapshot, True
        return await self._seated(following.game_id, player, client_seed), False

    async def join(
        self,
        game_id: UUID,
        player: Player,
        seat: int | None,
        invite_code: str | None,
        client_seed: str | None = None,
        key: RequestKey | None = None,
    ) -> Done:
        """Take a seat, or the own one again in a game that a robot plays on there.

        Raises:
            NoSuchGame, Refused: as the names say.
        """
        command = TakeSeat(player, seat, invite_code, client_seed)
        return await self._executor.carry_out(game_id, lambda _: command, key=key)

    async def leave(self, game_id: UUID, player: Player, seat: int, key: RequestKey | None = None) -> Done:
        """Get up: the seat is free again before the start, a robot's after it.

        Raises:
            NoSuchGame, Refused: as the names say.
        """
        return await self._executor.carry_out(
            game_id, lambda snapshot: LeaveSeat(_known(snapshot, player).player_id, seat), key=key
        )

    async def seat_robot(
        self, game_id: UUID, player: Player, seat: int, level: Level, key: RequestKey | None = None
    ) -> Done:
        """Let the service play a free seat.

        Raises:
            NoSuchGame, Refused: as the names say.
        """
        return await self._executor.carry_out(
            game_id, lambda snapshot: SeatRobot(_known(snapshot, player).player_id, seat, level), key=key
        )

    async def move(
        self,
        game_id: UUID,
        player: Player,
        at_seat: Callable[[int], Command],
        expected: int | None = None,
        key: RequestKey | None = None,
    ) -> Done:
        """Carry out what `at_seat` asks for the seat where the player sits, if the game stands at `expected` (any version, when none).

        Raises:
            NoSuchGame, StaleVersion, Refused: as the names say.
        """
        return await self._executor.carry_out(
            game_id, lambda snapshot: at_seat(_own_seat(snapshot, player)), expected, key
        )

    async def look_after(self, game_id: UUID) -> datetime | None:
        """Do what is due at a game where nobody moves; return when to look again, none when never."""
        return await self._executor.look_after(game_id)

    async def look(self, game_id: UUID, player: Player) -> Snapshot:
        """Return the game as it stands.

        Raises:
            NoSuchGame: there is none that the player may know of.
        """
        snapshot = await self._snapshots.latest(game_id)
        _known(snapshot, player)
        return snapshot

    async def history(self, game_id: UUID, player: Player, after: int, limit: int) -> tuple[Snapshot, Sequence[Commit]]:
        """Return the game, and at most `limit` of its commits after version `after`.

        Raises:
            NoSuchGame: there is none that the player may know of.
        """
        snapshot = await self.look(game_id, player)
        return snapshot, await self._log.read(game_id, after, limit)

    async def steps(self, game_id: UUID, after: int) -> Sequence[Done]:
        """Return what was done after version `after`, each commit with the game after it; it is for the caller to see who may know."""
        return await self._snapshots.steps(game_id, after)

    async def tables_of(self, player: Player) -> Sequence[Snapshot]:
        """Return the games as they stand that wait to begin, or are played, with the player at a seat; at most the newest `MOST_TABLES`."""
        return await self._snapshots.all_latest(await self._log.seated(player.player_id, MOST_TABLES))

    async def lobby(
        self, status: str | None, ruleset_id: str | None, before: UUID | None, limit: int
    ) -> Sequence[ListedGame]:
        """Return public tables, newest first."""
        return await self._log.listed(
            visibility=Visibility.PUBLIC, status=status, ruleset_id=ruleset_id, before=before, limit=limit
        )

    async def check(self) -> None:
        """Return when games can be served now.

        Raises:
            LogUnavailable: they cannot.
        """
        await self._log.check()

    async def _game_after(self, game_id: UUID) -> tuple[RequestKey, Snapshot]:
        """Return the game for which the next one is reserved, made or not. One that was given up before it began does not count."""
        while True:
            key = keys.of_rematch(game_id)
            game_id = await self._log.reserve(key.command_id, ids.new_game_id())
            snapshot = await self._snapshots.latest(game_id)
            if not isinstance(snapshot.state, Abandoned) or snapshot.state.match is not None:
                return key, snapshot

    async def _seated(self, game_id: UUID, player: Player, client_seed: str | None) -> Snapshot:
        snapshot = await self._snapshots.latest(game_id)
        table = table_of(snapshot.state)
        try:
            done = await self.join(game_id, player, None, table.invite_code, client_seed)
        except Refused:
            snapshot = await self._snapshots.latest(game_id)
            if snapshot.seat_of(player) is None:
                raise
            return snapshot
        return done.snapshot

    def _creation(self, host: Player, plan: TablePlan) -> CreateGame:
        seed = self._shuffler.new_seed()
        return CreateGame(
            ruleset=plan.ruleset,
            players=plan.players,
            host=host,
            robots=plan.robots,
            visibility=plan.visibility,
            seed=seed,
            commitment=shuffle.commitment(seed),
            invite_code=ids.new_invite_code() if plan.visibility is Visibility.PRIVATE else None,
            client_seed=plan.client_seed,
            turn_seconds=plan.turn_seconds,
        )


def is_on_turn(snapshot: Snapshot, player: Player) -> bool:
    """Tell whether the game waits for the player."""
    state = snapshot.state
    return isinstance(state, InHand) and turn_of(state) == snapshot.seat_of(player)


def _known(snapshot: Snapshot, player: Player) -> Player:
    """A game that one may not know of does not exist."""
    if snapshot.version == 0 or not table_of(snapshot.state).admits(player.player_id):
        raise NoSuchGame
    return player


def _own_seat(snapshot: Snapshot, player: Player) -> int:
    seat = snapshot.seat_of(_known(snapshot, player))
    if seat is None:
        raise Refused(Reason.NOT_YOUR_SEAT)
    return seat
