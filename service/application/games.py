"""The use cases: what can be asked of the games in one log.

Nothing here knows HTTP or Postgres. Whoever calls gets a `Game`, and shows of it what the viewer may see (`domain.pocha.view.game_view`).
"""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from uuid import UUID

from domain.pocha.model.commands import AbandonGame, Command, CreateGame, LeaveSeat, SeatRobot, TakeSeat
from domain.pocha.model.refusals import Reason, Refused
from domain.pocha.model.state import Abandoned, InHand, table_of, turn_of
from domain.table.table import Level, Player, Visibility
from service.application import deadlines, idempotency, ids, new_table, shuffle
from service.application.caller import Caller, OnlyApps
from service.application.command_handler import CommandHandler, NoSuchGame
from service.application.idempotency import RequestKey
from service.application.new_table import TableSpec
from service.application.ports import Clock, Commit, GameStore, ListedGame, Notifier, Shuffler
from service.application.repository import Committed, Game
from service.observability.metrics_port import NO_METRICS, Count, MetricsSink

MOST_TABLES = 1000
"""Of how many tables a player is told whose turn it is there."""


_MOST_GIVEN_UP = 20
"""How many rematches of one game may be given up before they begin."""


class Games:
    """All that can be asked of the games in one log.

    A `key` names a request, so that its repetition is answered as it was, and not carried out again; every command may raise `KeyReused`.
    """

    def __init__(
        self,
        log: GameStore,
        clock: Clock,
        shuffler: Shuffler,
        hints: Notifier,
        abandon_after: timedelta = deadlines.ABANDON_AFTER,
        meters: MetricsSink = NO_METRICS,
    ) -> None:
        self._log = log
        self._shuffler = shuffler
        self._meters = meters
        self._executor = CommandHandler(log, clock, shuffler, hints, abandon_after, meters)
        self._snapshots = self._executor.snapshots
        self.hub = self._executor.hub

    async def create(self, host: Caller, plan: TableSpec, key: RequestKey | None = None) -> Committed:
        """Make a table of the caller's tenant; the caller sits at seat 0.

        Raises:
            OnlyPlayers: an app sits nowhere.
            Refused: the ruleset is not for such a table.
        """
        host.as_player()
        key, game_id = key or idempotency.fresh(), ids.new_game_id()
        if key.fingerprint:
            game_id = await self._log.reserve(key.command_id, game_id)
        return await self._executor.begin(game_id, self._creation(host, plan), key)

    async def rematch(self, game_id: UUID, caller: Caller, client_seed: str | None = None) -> tuple[Game, bool]:
        """Return the game after this one, of the same tenant, with the caller at a seat; and whether this call has made it.

        Raises:
            NoSuchGame, GameNotOver, OnlyPlayers, Refused: as the names say.
        """
        state = (await self.look(game_id, caller)).state
        plan = new_table.rematch(state, caller.as_player(), client_seed)
        key, following = await self._game_after(game_id)
        if following.version == 0:
            done = await self._executor.begin(following.game_id, self._creation(caller, plan), key)
            if not done.is_replay:
                return done.snapshot, True
        return await self._seated(following.game_id, caller, client_seed), False

    async def join(
        self,
        game_id: UUID,
        caller: Caller,
        seat: int | None,
        invite_code: str | None,
        client_seed: str | None = None,
        key: RequestKey | None = None,
    ) -> Committed:
        """Take a seat, or the own one again in a game that a robot plays on there.

        Raises:
            NoSuchGame, OnlyPlayers, Refused: as the names say.
        """
        return await self._executor.carry_out(
            game_id,
            lambda snapshot: TakeSeat(_invited(snapshot, caller), seat, invite_code, client_seed),
            key=key,
        )

    async def leave(self, game_id: UUID, caller: Caller, seat: int, key: RequestKey | None = None) -> Committed:
        """Get up: the seat is free again before the start, a robot's after it.

        Raises:
            NoSuchGame, OnlyPlayers, Refused: as the names say.
        """
        return await self._executor.carry_out(
            game_id, lambda snapshot: LeaveSeat(_player(snapshot, caller).player_id, seat), key=key
        )

    async def seat_robot(
        self, game_id: UUID, caller: Caller, seat: int, level: Level, key: RequestKey | None = None
    ) -> Committed:
        """Let the service play a free seat.

        Raises:
            NoSuchGame, OnlyPlayers, Refused: as the names say.
        """
        return await self._executor.carry_out(
            game_id, lambda snapshot: SeatRobot(_player(snapshot, caller).player_id, seat, level), key=key
        )

    async def abandon(self, game_id: UUID, caller: Caller, key: RequestKey | None = None) -> Committed:
        """Give a table up; only the app that it belongs to may.

        Raises:
            NoSuchGame, OnlyApps, Refused: as the names say.
        """
        return await self._executor.carry_out(game_id, lambda snapshot: _abandonment(snapshot, caller), key=key)

    async def move(
        self,
        game_id: UUID,
        caller: Caller,
        at_seat: Callable[[int], Command],
        expected: int | None = None,
        key: RequestKey | None = None,
    ) -> Committed:
        """Carry out what `at_seat` asks for the seat where the caller sits, if the game stands at `expected` (any version, when none).

        Raises:
            NoSuchGame, StaleVersion, OnlyPlayers, Refused: as the names say.
        """
        done = await self._executor.carry_out(
            game_id, lambda snapshot: at_seat(_own_seat(snapshot, caller)), expected, key
        )
        if not done.is_replay:
            self._meters.count(Count.MOVES)
        return done

    async def enforce_deadlines(self, game_id: UUID) -> datetime | None:
        """Do what is due at a game where nobody moves; return when to look again, none when never."""
        return await self._executor.enforce_deadlines(game_id)

    async def look(self, game_id: UUID, caller: Caller) -> Game:
        """Return the game as it stands.

        Raises:
            NoSuchGame: there is none that the caller may know of.
        """
        snapshot = await self._snapshots.latest(game_id)
        _require_known(snapshot, caller)
        return snapshot

    async def history(self, game_id: UUID, caller: Caller, after: int, limit: int) -> tuple[Game, Sequence[Commit]]:
        """Return the game, and at most `limit` of its commits after version `after`.

        Raises:
            NoSuchGame: there is none that the caller may know of.
        """
        snapshot = await self.look(game_id, caller)
        return snapshot, await self._log.read(game_id, after, limit)

    async def steps(self, game_id: UUID, after: int) -> Sequence[Committed]:
        """Return what was done after version `after`, each commit with the game after it; it is for the caller to see who may know."""
        return await self._snapshots.steps(game_id, after)

    async def tables_of(self, caller: Caller) -> Sequence[Game]:
        """Return the games as they stand that wait to begin, or are played, with the caller at a seat; at most the newest `MOST_TABLES`."""
        return await self._snapshots.all_latest(await self._log.seated(caller.id, MOST_TABLES, caller.tenant))

    async def lobby(
        self,
        caller: Caller,
        visibility: Visibility | None,
        status: str | None,
        ruleset_id: str | None,
        before: UUID | None,
        limit: int,
    ) -> Sequence[ListedGame]:
        """Return tables of the caller's tenant, newest first: to an app all of them, to a player the public ones."""
        if not caller.is_app:
            if visibility is Visibility.PRIVATE:
                return ()
            visibility = Visibility.PUBLIC
        return await self._log.listed(
            visibility=visibility,
            status=status,
            ruleset_id=ruleset_id,
            before=before,
            limit=limit,
            tenant=caller.tenant,
        )

    async def check(self) -> None:
        """Return when games can be served now.

        Raises:
            StoreUnavailable: they cannot.
        """
        await self._log.check()

    async def _game_after(self, game_id: UUID) -> tuple[RequestKey, Game]:
        """Return the game for which the next one is reserved, made or not. One that was given up before it began does not count.

        Raises:
            Refused: that has happened too often.
        """
        for _ in range(_MOST_GIVEN_UP):
            key = idempotency.of_rematch(game_id)
            game_id = await self._log.reserve(key.command_id, ids.new_game_id())
            snapshot = await self._snapshots.latest(game_id)
            if not isinstance(snapshot.state, Abandoned) or snapshot.state.match is not None:
                return key, snapshot
        raise Refused(Reason.GAME_OVER)

    async def _seated(self, game_id: UUID, caller: Caller, client_seed: str | None) -> Game:
        snapshot = await self._snapshots.latest(game_id)
        table = table_of(snapshot.state)
        try:
            done = await self.join(game_id, caller, None, table.invite_code, client_seed)
        except Refused:
            snapshot = await self._snapshots.latest(game_id)
            if snapshot.seat_of(caller) is None:
                raise
            return snapshot
        return done.snapshot

    def _creation(self, host: Caller, plan: TableSpec) -> CreateGame:
        seed = self._shuffler.new_seed()
        return CreateGame(
            ruleset=plan.ruleset,
            players=plan.players,
            host=host.as_player(),
            robots=plan.robots,
            visibility=plan.visibility,
            seed=seed,
            commitment=shuffle.commitment(seed),
            invite_code=ids.new_invite_code() if plan.visibility is Visibility.PRIVATE else None,
            client_seed=plan.client_seed,
            turn_seconds=plan.turn_seconds,
            tenant=host.tenant,
        )


def is_on_turn(snapshot: Game, caller: Caller) -> bool:
    """Tell whether the game waits for the caller."""
    state = snapshot.state
    return isinstance(state, InHand) and turn_of(state) == snapshot.seat_of(caller)


def _require_known(snapshot: Game, caller: Caller) -> None:
    """A game that one may not know of does not exist."""
    if not snapshot.is_known_to(caller):
        raise NoSuchGame


def _player(snapshot: Game, caller: Caller) -> Player:
    _require_known(snapshot, caller)
    return caller.as_player()


def _invited(snapshot: Game, caller: Caller) -> Player:
    """Whoever has the right invite code may sit down at a private table, but no invite code leads into another tenant."""
    if not snapshot.is_of_tenant(caller):
        raise NoSuchGame
    return caller.as_player()


def _own_seat(snapshot: Game, caller: Caller) -> int:
    _player(snapshot, caller)
    seat = snapshot.seat_of(caller)
    if seat is None:
        raise Refused(Reason.NOT_YOUR_SEAT)
    return seat


def _abandonment(snapshot: Game, caller: Caller) -> AbandonGame:
    _require_known(snapshot, caller)
    if not caller.is_app:
        raise OnlyApps
    return AbandonGame()
