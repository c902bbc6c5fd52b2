"""The use cases: what can be asked of the games in one log.

Nothing here knows HTTP or Postgres. Whoever calls gets a `Game`, and shows of it what the viewer may see (`domain.pocha.view.game_view`).
"""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from uuid import UUID

from domain.pocha.model.commands import AbandonGame, Command, CreateGame, LeaveSeat, SeatRobot, TakeSeat
from domain.pocha.model.refusals import Reason, Refused
from domain.pocha.model.state import Abandoned, InHand, table_of
from domain.table.table import Level, Player, Visibility
from service.application import deadlines, idempotency, ids, invitations, new_table, shuffle
from service.application.caller import AppRequired, Caller
from service.application.command_handler import CommandHandler, NoSuchGame
from service.application.idempotency import RequestKey
from service.application.new_table import TableSpec
from service.application.ports import (
    Clock,
    Commit,
    EventStore,
    ListedGame,
    ListingQuery,
    Listings,
    Notifier,
    Reservations,
    Robots,
    Shuffler,
)
from service.application.repository import Committed, Game
from service.application.robots import INLINE
from service.observability.metrics import Metrics

MAX_SEATED_GAMES = 1000
"""Of how many tables a player is told whose turn it is there."""


_MAX_ABANDONED_REMATCHES = 20
"""How many rematches of one game may be given up before they begin."""


class Games:
    """All that can be asked of the games in one log.

    A `key` names a request, so that its repetition is answered as it was, and not carried out again; every command may raise `KeyReused`.
    """

    def __init__(  # noqa: PLR0913, PLR0917 - each port on its own
        self,
        events: EventStore,
        listings: Listings,
        reservations: Reservations,
        clock: Clock,
        shuffler: Shuffler,
        notifier: Notifier,
        metrics: Metrics,
        abandon_after: timedelta = deadlines.ABANDON_AFTER,
        robots: Robots = INLINE,
    ) -> None:
        self._events = events
        self._listings = listings
        self._reservations = reservations
        self._shuffler = shuffler
        self._metrics = metrics
        self._handler = CommandHandler(events, clock, shuffler, notifier, metrics, abandon_after, robots)
        self._repository = self._handler.repository
        self.hub = self._handler.hub

    async def create(self, host: Caller, spec: TableSpec, key: RequestKey | None = None) -> Committed:
        """Make a table of the caller's tenant; the caller sits at seat 0.

        Raises:
            OnlyPlayers: an app sits nowhere.
            Refused: the ruleset is not for such a table.
        """
        host.require_player()
        key, game_id = key or idempotency.random_key(), ids.new_game_id()
        if key.fingerprint:
            game_id = await self._reservations.reserve(key.command_id, game_id)
        return await self._handler.create_game(game_id, self._create_command(host, spec), key)

    async def rematch(self, game_id: UUID, caller: Caller, client_seed: str | None = None) -> tuple[Game, bool]:
        """Return the game after this one, of the same tenant, with the caller at a seat; and whether this call has made it.

        Raises:
            NoSuchGame, GameNotOver, OnlyPlayers, Refused: as the names say.
        """
        state = (await self.get_game(game_id, caller)).state
        spec = new_table.rematch_spec(state, caller.require_player(), client_seed)
        key, following = await self._reserve_next_game(game_id)
        if following.version == 0:
            committed = await self._handler.create_game(following.game_id, self._create_command(caller, spec), key)
            if not committed.is_replay:
                return committed.game, True
        return await self._join_or_find(following.game_id, caller, client_seed), False

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
        return await self._handler.handle(
            game_id,
            lambda game: _joining(game, caller, seat, invite_code, client_seed),
            key=key,
        )

    async def leave(self, game_id: UUID, caller: Caller, seat: int, key: RequestKey | None = None) -> Committed:
        """Get up: the seat is free again before the start, a robot's after it.

        Raises:
            NoSuchGame, OnlyPlayers, Refused: as the names say.
        """
        return await self._handler.handle(
            game_id, lambda game: LeaveSeat(_require_known_player(game, caller).player_id, seat), key=key
        )

    async def seat_robot(
        self, game_id: UUID, caller: Caller, seat: int, level: Level, key: RequestKey | None = None
    ) -> Committed:
        """Let the service play a free seat.

        Raises:
            NoSuchGame, OnlyPlayers, Refused: as the names say.
        """
        return await self._handler.handle(
            game_id, lambda game: SeatRobot(_require_known_player(game, caller).player_id, seat, level), key=key
        )

    async def abandon(self, game_id: UUID, caller: Caller, key: RequestKey | None = None) -> Committed:
        """Give a table up; only the app that it belongs to may.

        Raises:
            NoSuchGame, OnlyApps, Refused: as the names say.
        """
        return await self._handler.handle(game_id, lambda game: _abandon_command(game, caller), key=key)

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
        committed = await self._handler.handle(
            game_id, lambda game: at_seat(_require_own_seat(game, caller)), expected, key
        )
        if not committed.is_replay:
            self._metrics.moves.inc()
        return committed

    async def enforce_deadlines(self, game_id: UUID) -> datetime | None:
        """Do what is due at a game where nobody moves; return when to look again, none when never."""
        return await self._handler.enforce_deadlines(game_id)

    async def get_game(self, game_id: UUID, caller: Caller) -> Game:
        """Return the game as it stands.

        Raises:
            NoSuchGame: there is none that the caller may know of.
        """
        game = await self._repository.latest(game_id)
        _require_known(game, caller)
        return game

    async def read_history(
        self, game_id: UUID, caller: Caller, after: int, limit: int
    ) -> tuple[Game, Sequence[Commit]]:
        """Return the game, and at most `limit` of its commits after version `after`.

        Raises:
            NoSuchGame: there is none that the caller may know of.
        """
        game = await self.get_game(game_id, caller)
        return game, await self._events.read(game_id, after, limit)

    async def read_commits(self, game_id: UUID, after: int) -> Sequence[Committed]:
        """Return what was committed after version `after`, each commit with the game after it; it is for the caller to see who may know."""
        return await self._repository.read_commits(game_id, after)

    async def list_seated_games(self, caller: Caller) -> Sequence[Game]:
        """Return the games as they stand that wait to begin, or are played, with the caller at a seat; at most the newest `MOST_TABLES`."""
        return await self._repository.latest_of(await self._listings.seated(caller.id, MAX_SEATED_GAMES, caller.tenant))

    async def list_games(
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
        query = ListingQuery(
            tenant=caller.tenant,
            visibility=visibility,
            status=status,
            ruleset_id=ruleset_id,
            before=before,
            limit=limit,
        )
        return await self._listings.listed(query)

    async def _reserve_next_game(self, game_id: UUID) -> tuple[RequestKey, Game]:
        """Return the game for which the next one is reserved, made or not. One that was given up before it began does not count.

        Raises:
            Refused: that has happened too often.
        """
        for _ in range(_MAX_ABANDONED_REMATCHES):
            key = idempotency.for_rematch(game_id)
            game_id = await self._reservations.reserve(key.command_id, ids.new_game_id())
            game = await self._repository.latest(game_id)
            if not isinstance(game.state, Abandoned) or game.state.progress is not None:
                return key, game
        raise Refused(Reason.GAME_OVER)

    async def _join_or_find(self, game_id: UUID, caller: Caller, client_seed: str | None) -> Game:
        game = await self._repository.latest(game_id)
        table = table_of(game.state)
        try:
            committed = await self.join(game_id, caller, None, table.invite_code, client_seed)
        except Refused:
            game = await self._repository.latest(game_id)
            if game.seat_of(caller) is None:
                raise
            return game
        return committed.game

    def _create_command(self, host: Caller, spec: TableSpec) -> CreateGame:
        seed = self._shuffler.new_seed()
        return CreateGame(
            ruleset=spec.ruleset,
            players=spec.players,
            host=host.require_player(),
            robots=spec.robots,
            visibility=spec.visibility,
            seed=seed,
            commitment=shuffle.commitment(seed),
            invite_code=invitations.new_invite_code() if spec.visibility is Visibility.PRIVATE else None,
            client_seed=spec.client_seed,
            turn_seconds=spec.turn_seconds,
            stand_in=spec.stand_in,
            tenant=host.tenant,
        )


def is_on_turn(game: Game, caller: Caller) -> bool:
    """Tell whether the game waits for the caller."""
    state = game.state
    return isinstance(state, InHand) and state.turn == game.seat_of(caller)


def _require_known(game: Game, caller: Caller) -> None:
    """A game that one may not know of does not exist."""
    if not game.is_known_to(caller):
        raise NoSuchGame


def _require_known_player(game: Game, caller: Caller) -> Player:
    _require_known(game, caller)
    return caller.require_player()


def _joining(
    game: Game, caller: Caller, seat: int | None, invite_code: str | None, client_seed: str | None
) -> TakeSeat:
    """The right invite code admits to a private table, but none admits to a table of another tenant."""
    if not game.is_of_tenant(caller):
        raise NoSuchGame
    invited = invitations.is_invited(table_of(game.state), invite_code)
    return TakeSeat(caller.require_player(), seat, client_seed, invited)


def _require_own_seat(game: Game, caller: Caller) -> int:
    _require_known_player(game, caller)
    seat = game.seat_of(caller)
    if seat is None:
        raise Refused(Reason.NOT_YOUR_SEAT)
    return seat


def _abandon_command(game: Game, caller: Caller) -> AbandonGame:
    _require_known(game, caller)
    if not caller.is_app:
        raise AppRequired
    return AbandonGame()
