"""The use cases: load, fold, decide, append, and again on conflict.

Nothing here knows HTTP or Postgres. Whoever calls gets a `Snapshot`, and shows of it what the viewer may see (`domain.pocha.view`).
"""

import hashlib
from collections import OrderedDict
from collections.abc import Callable, Sequence
from datetime import datetime
from uuid import UUID, uuid4

import msgspec

from domain.cards import Card
from domain.pocha import presets, view
from domain.pocha.commands import Command, CreateGame, LeaveSeat, MakeBid, PlayCard, SeatRobot, TakeSeat
from domain.pocha.decide import decide
from domain.pocha.events import (
    GameAbandoned,
    GameCreated,
    GameOver,
    GameStarted,
    RobotSeated,
    SeatLeft,
    SeatTaken,
)
from domain.pocha.evolve import fold
from domain.pocha.refusals import Reason, Refused
from domain.pocha.seen import RulesetRef, SeatView
from domain.pocha.state import NotCreated, State, table_of
from domain.pocha.table import Level, Player, Visibility
from service import croupier, ids, shuffle
from service.ports import (
    AlreadyDone,
    Appended,
    Clock,
    CommandReused,
    Commit,
    GameLog,
    ListedGame,
    Listing,
    LogUnavailable,
    NewCommit,
    Shuffler,
    VersionConflict,
)

_CACHED_GAMES = 10_000
_MOST_TRIES = 50
_SEEN_FROM_OUTSIDE = (GameCreated, SeatTaken, SeatLeft, RobotSeated, GameStarted, GameOver, GameAbandoned)


class NoSuchGame(Exception):
    """There is no such game, or none that the caller may know of."""


class StaleVersion(Exception):
    """The caller expected another version than the game's, which is `current`."""

    def __init__(self, current: int) -> None:
        super().__init__(f"the game stands at version {current}")
        self.current = current


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


class Outside(msgspec.Struct, frozen=True):
    """What the lobby shows of a game beside its listing's columns; kept there as JSON."""

    ruleset: RulesetRef
    seats: tuple[SeatView, ...]


class Games:
    """All that can be asked of the games in one log."""

    def __init__(self, log: GameLog, clock: Clock, shuffler: Shuffler) -> None:
        self._log = log
        self._clock = clock
        self._shuffler = shuffler
        self._cache: OrderedDict[UUID, Snapshot] = OrderedDict()

    async def create(
        self, host: Player, ruleset_id: str, players: int, robots: tuple[Level, ...], visibility: Visibility
    ) -> Done:
        """Make a table; `host` sits at seat 0.

        Raises:
            Refused: there is no such ruleset, or it is not for such a table.
        """
        if ruleset_id not in presets.LISTED:
            raise Refused(Reason.UNKNOWN_RULESET)
        seed = self._shuffler.new_seed()
        command = CreateGame(
            ruleset=presets.LISTED[ruleset_id],
            players=players,
            host=host,
            robots=robots,
            visibility=visibility,
            seed=seed,
            commitment=shuffle.commitment(seed),
            invite_code=ids.new_invite_code() if visibility is Visibility.PRIVATE else None,
        )
        unborn = Snapshot(ids.new_game_id(), 0, self._clock.now(), NotCreated())
        done = await self._try(unborn, command)
        if done is None:
            raise LogUnavailable("a fresh game id was taken")
        return done

    async def join(self, game_id: UUID, player: Player, seat: int | None, invite_code: str | None) -> Done:
        """Take a seat.

        Raises:
            NoSuchGame, Refused: as the names say.
        """
        return await self._command(game_id, lambda _: TakeSeat(player, seat, invite_code))

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

    async def bid(self, game_id: UUID, player: Player, bid: int, expected: int | None) -> Done:
        """Make a bid for the seat where the player sits, if the game stands at `expected` (any version, when none).

        Raises:
            NoSuchGame, StaleVersion, Refused: as the names say.
        """
        return await self._command(game_id, lambda snapshot: MakeBid(_own_seat(snapshot, player), bid), expected)

    async def play(self, game_id: UUID, player: Player, card: Card, expected: int | None) -> Done:
        """Play a card from the seat where the player sits, if the game stands at `expected` (any version, when none).

        Raises:
            NoSuchGame, StaleVersion, Refused: as the names say.
        """
        return await self._command(game_id, lambda snapshot: PlayCard(_own_seat(snapshot, player), card), expected)

    async def look(self, game_id: UUID, player: Player) -> Snapshot:
        """Return the game as it stands.

        Raises:
            NoSuchGame: there is none that the player may know of.
        """
        snapshot = await self._refresh(self._cached(game_id))
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
        """Decide on what is cached; read again before refusing, and after losing to another commit."""
        snapshot = self._cached(game_id)
        if snapshot.version == 0:
            snapshot = await self._refresh(snapshot)
        for _ in range(_MOST_TRIES):
            try:
                done = await self._attempt(snapshot, ask, expected)
            except (Refused, StaleVersion, NoSuchGame):
                fresh = await self._refresh(snapshot)
                if fresh.version == snapshot.version:
                    raise
            else:
                if done is not None:
                    return done
                fresh = await self._refresh(snapshot)
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
        events = decided + followed
        commit = NewCommit(
            game_id=snapshot.game_id,
            expected=snapshot.version,
            command_id=uuid4(),
            fingerprint=_fingerprint(command),
            recorded_at=self._clock.now(),
            events=events,
            listing=_listing(state) if any(isinstance(event, _SEEN_FROM_OUTSIDE) for event in events) else None,
        )
        match await self._log.append(commit):
            case Appended(version=version):
                created_at = snapshot.created_at if snapshot.version else commit.recorded_at
                return self._done(Snapshot(snapshot.game_id, version, created_at, state), commit)
            case VersionConflict():
                return None
            case AlreadyDone() | CommandReused():
                raise LogUnavailable("a fresh command id was taken")

    def _done(self, snapshot: Snapshot, commit: NewCommit) -> Done:
        self._remember(snapshot)
        written = Commit(
            game_id=commit.game_id,
            version=snapshot.version,
            command_id=commit.command_id,
            fingerprint=commit.fingerprint,
            recorded_at=commit.recorded_at,
            events=commit.events,
        )
        return Done(snapshot, written)

    def _cached(self, game_id: UUID) -> Snapshot:
        """Return what is remembered of the game; at version 0, when nothing is."""
        if game_id not in self._cache:
            return Snapshot(game_id, 0, self._clock.now(), NotCreated())
        self._cache.move_to_end(game_id)
        return self._cache[game_id]

    async def _refresh(self, snapshot: Snapshot) -> Snapshot:
        """Fold in what was committed since."""
        commits = await self._log.read(snapshot.game_id, snapshot.version)
        if not commits:
            return snapshot
        state = snapshot.state
        for commit in commits:
            state = fold(state, commit.events)
        created_at = snapshot.created_at if snapshot.version else commits[0].recorded_at
        fresh = Snapshot(snapshot.game_id, commits[-1].version, created_at, state)
        self._remember(fresh)
        return fresh

    def _remember(self, snapshot: Snapshot) -> None:
        known = self._cache.get(snapshot.game_id)
        if known is None or known.version < snapshot.version:
            self._cache[snapshot.game_id] = snapshot
            self._cache.move_to_end(snapshot.game_id)
        if len(self._cache) > _CACHED_GAMES:
            self._cache.popitem(last=False)


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


def _fingerprint(command: Command) -> bytes:
    return hashlib.sha256(msgspec.msgpack.encode((type(command).__name__, command))).digest()


def _listing(state: State) -> Listing:
    table = table_of(state)
    outside = Outside(view.ruleset_ref(table.ruleset), view.seat_views(table.seats))
    return Listing(
        status=view.status(state),
        visibility=table.visibility,
        ruleset_id=table.ruleset.id,
        players=len(table.seats),
        free_seats=len(table.free_seats()),
        seats=msgspec.json.encode(outside),
    )
