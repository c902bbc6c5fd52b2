"""The use cases: load, fold, decide, append, and again on conflict.

Nothing here knows HTTP or Postgres. Whoever calls gets a `Snapshot`, and shows of it what the viewer may see (`domain.pocha.view`).
"""

from collections.abc import Callable, Sequence
from uuid import UUID

import msgspec

from domain.pocha import house_rules, presets
from domain.pocha.commands import Command, CreateGame, LeaveSeat, SeatRobot, TakeSeat
from domain.pocha.decide import decide
from domain.pocha.evolve import fold
from domain.pocha.house_rules import HouseRules
from domain.pocha.refusals import Reason, Refused
from domain.pocha.ruleset import Ruleset
from domain.pocha.state import table_of
from domain.pocha.table import Level, Player, Visibility
from service import croupier, ids, shuffle
from service.ports import Clock, Commit, GameLog, ListedGame, LogUnavailable, Shuffler
from service.snapshots import Done, Snapshot, Snapshots

_MOST_TRIES = 50


class NoSuchGame(Exception):
    """There is no such game, or none that the caller may know of."""


class StaleVersion(Exception):
    """The caller expected another version than the game's, which is `current`."""

    def __init__(self, current: int) -> None:
        super().__init__(f"the game stands at version {current}")
        self.current = current


class TablePlan(msgspec.Struct, frozen=True):
    """The table that somebody wants to make."""

    ruleset_id: str
    players: int
    robots: tuple[Level, ...]
    visibility: Visibility
    house_rules: HouseRules | None = None
    client_seed: str | None = None


class Games:
    """All that can be asked of the games in one log."""

    def __init__(self, log: GameLog, clock: Clock, shuffler: Shuffler) -> None:
        self._log = log
        self._shuffler = shuffler
        self._snapshots = Snapshots(log, clock)

    async def create(self, host: Player, plan: TablePlan) -> Done:
        """Make a table; `host` sits at seat 0.

        Raises:
            Refused: there is no such ruleset, or it is not for such a table.
            ContradictoryRuleset: the house rules cannot be played.
        """
        seed = self._shuffler.new_seed()
        command = CreateGame(
            ruleset=ruled(plan.ruleset_id, plan.house_rules),
            players=plan.players,
            host=host,
            robots=plan.robots,
            visibility=plan.visibility,
            seed=seed,
            commitment=shuffle.commitment(seed),
            invite_code=ids.new_invite_code() if plan.visibility is Visibility.PRIVATE else None,
            client_seed=plan.client_seed,
        )
        done = await self._try(self._snapshots.unborn(ids.new_game_id()), command)
        if done is None:
            raise LogUnavailable("a fresh game id was taken")
        return done

    async def join(
        self, game_id: UUID, player: Player, seat: int | None, invite_code: str | None, client_seed: str | None = None
    ) -> Done:
        """Take a seat.

        Raises:
            NoSuchGame, Refused: as the names say.
        """
        return await self._command(game_id, lambda _: TakeSeat(player, seat, invite_code, client_seed))

    async def leave(self, game_id: UUID, player: Player, seat: int) -> Done:
        """Get up: the seat is free again before the start, a robot's after it.

        Raises:
            NoSuchGame, Refused: as the names say.
        """
        return await self._command(game_id, lambda snapshot: LeaveSeat(_known(snapshot, player).player_id, seat))

    async def seat_robot(self, game_id: UUID, player: Player, seat: int, level: Level) -> Done:
        """Let the service play a free seat.

        Raises:
            NoSuchGame, Refused: as the names say.
        """
        return await self._command(game_id, lambda snapshot: SeatRobot(_known(snapshot, player).player_id, seat, level))

    async def move(
        self, game_id: UUID, player: Player, at_seat: Callable[[int], Command], expected: int | None = None
    ) -> Done:
        """Carry out what `at_seat` asks for the seat where the player sits, if the game stands at `expected` (any version, when none).

        Raises:
            NoSuchGame, StaleVersion, Refused: as the names say.
        """
        return await self._command(game_id, lambda snapshot: at_seat(_own_seat(snapshot, player)), expected)

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

    async def _command(self, game_id: UUID, ask: Callable[[Snapshot], Command], expected: int | None = None) -> Done:
        """Decide on what is remembered; read again before refusing, and after losing to another commit."""
        snapshot = await self._snapshots.recent(game_id)
        for _ in range(_MOST_TRIES):
            try:
                done = await self._attempt(snapshot, ask, expected)
            except (Refused, StaleVersion, NoSuchGame):
                fresh = await self._snapshots.refreshed(snapshot)
                if fresh.version == snapshot.version:
                    raise
            else:
                if done is not None:
                    return done
                fresh = await self._snapshots.refreshed(snapshot)
            snapshot = fresh
        raise LogUnavailable("the game changes faster than this command could be decided")

    async def _attempt(
        self, snapshot: Snapshot, ask: Callable[[Snapshot], Command], expected: int | None
    ) -> Done | None:
        if snapshot.version == 0:
            raise NoSuchGame
        command = ask(snapshot)
        if expected is not None and expected != snapshot.version:
            raise StaleVersion(snapshot.version)
        return await self._try(snapshot, command)

    async def _try(self, snapshot: Snapshot, command: Command) -> Done | None:
        """Decide, carry on, append; none when another commit came first."""
        decided = decide(snapshot.state, command)
        state, followed = await croupier.run_on(fold(snapshot.state, decided), self._shuffler)
        return await self._snapshots.append(snapshot, command, decided + followed, state)


def ruled(ruleset_id: str, house: HouseRules | None) -> Ruleset:
    """Return the preset of that name, with the house rules, if any.

    Raises:
        Refused: there is no such preset.
        ContradictoryRuleset: the whole cannot be played.
    """
    if ruleset_id not in presets.PRESETS:
        raise Refused(Reason.UNKNOWN_RULESET)
    preset = presets.PRESETS[ruleset_id]
    return preset if house in (None, HouseRules()) else house_rules.apply(house, preset)


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
