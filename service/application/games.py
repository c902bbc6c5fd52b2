"""Use cases of games.

They return `Game`s with all secrets; the caller shows what the viewer may see (`domain.pocha.view`).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from uuid import UUID

from domain.pocha.model.commands import ChooseAutoPlay, Command, LeaveSeat, SeatRobot
from domain.pocha.model.refusals import Reason, Refused
from domain.pocha.model.state import Abandoned, table_of
from domain.pocha.view.schema import MAX_VERSION
from domain.table.table import AutoPlay, Level, Visibility
from service.application import idempotency, ids, new_table, permissions
from service.application.caller import Caller
from service.application.command_handler import CommandHandler, GameExists, KeyReused, RobotMove
from service.application.commitments import Commitments, CommittedSeed
from service.application.idempotency import RequestKey
from service.application.names import Name
from service.application.new_table import TableSpec
from service.application.players import Players
from service.application.ports import (
    Commit,
    EventStore,
    ListedGame,
    ListingQuery,
    Listings,
    PlayerQuery,
    Reservations,
)
from service.application.repository import Committed, Game
from service.observability.metrics import Metrics

MAX_SEATED_GAMES = 1000
"""How many games `list_seated_games` returns at most."""
KEEP_SEATS = timedelta(minutes=2)
"""Default for how long a rematch keeps the seats of those who played before."""
_MAX_ABANDONED_REMATCHES = 20
"""How many rematches of one game may be abandoned before their start."""


class Games:
    """Use cases of the games in one store.

    A command with a `key` is idempotent: a retry returns the first outcome, as a replay, and the key of another request raises `KeyReused`.
    """

    def __init__(
        self,
        *,
        handler: CommandHandler,
        events: EventStore,
        listings: Listings,
        reservations: Reservations,
        players: Players,
        commitments: Commitments,
        metrics: Metrics,
        keep_seats: timedelta = KEEP_SEATS,
    ) -> None:
        self._handler = handler
        self._repository = handler.repository
        self.hub = handler.hub
        self._events = events
        self._listings = listings
        self._reservations = reservations
        self._players = players
        self._commitments = commitments
        self._metrics = metrics
        self._clock = handler.clock
        self._keep_seats = keep_seats

    async def create(self, host: Caller, spec: TableSpec, key: RequestKey | None = None) -> Committed:
        """Create a game of the caller's tenant; the caller takes seat 0.

        Raises:
            PlayerRequired: the caller is an app.
            KeyReused: as the name says.
            Refused: the ruleset is not for such a table, or the commitment makes none.
        """
        key, chance = key or idempotency.random_key(), await self._chance(spec, host)
        game_id = await self._reserve(key, chance.game_id)
        if spec.commitment is not None and game_id != chance.game_id:
            raise KeyReused
        await self._players.introduce(host)
        try:
            return await self._handler.create_game(
                game_id, new_table.create_command(spec, host, game_id, chance.seed), key
            )
        except GameExists:
            raise Refused(Reason.COMMITMENT_USED) from None

    async def rematch(self, game_id: UUID, caller: Caller, client_seed: str | None = None) -> tuple[Game, bool]:
        """Return the next game of this table, with the caller at a seat, and whether this call created it.

        Raises:
            NoSuchGame, GameNotOver, PlayerRequired, Refused: as the names say.
        """
        state = (await self.get_game(game_id, caller)).state
        await self._players.introduce(caller)
        kept_until = self._clock.now() + self._keep_seats
        spec = new_table.rematch_spec(state, caller.require_player(), client_seed, kept_until)
        key, following = await self._reserve_next_game(game_id)
        if following.version == 0:
            command = new_table.create_command(spec, caller, following.game_id, self._commitments.new_seed())
            committed = await self._handler.create_game(following.game_id, command, key)
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
        """Take a free seat, or take back a seat that a robot plays for the absent caller.

        Raises:
            NoSuchGame, PlayerRequired, Refused: as the names say.
        """
        if not caller.is_app:  # whom a game that it may not know of is refused first
            await self._players.introduce(caller)
        return await self._handler.handle(
            game_id,
            lambda game: permissions.join_command(
                game, caller, seat=seat, invite_code=invite_code, client_seed=client_seed, now=self._clock.now()
            ),
            key=key,
        )

    async def join_by_code(self, game_id: UUID, caller: Caller, client_seed: str | None = None) -> Game:
        """Return a game with the caller, who showed its code, at a seat: the one they have, or else a free one.

        Raises:
            NoSuchGame, PlayerRequired, Refused: as the names say.
        """
        caller.require_player()
        return await self._join_or_find(game_id, caller, client_seed)

    async def leave(self, game_id: UUID, caller: Caller, seat: int, key: RequestKey | None = None) -> Committed:
        """Leave a seat: it is free before the start, and a robot plays it after the start. The host may clear other seats before it.

        Raises:
            NoSuchGame, PlayerRequired, Refused: as the names say.
        """
        return await self._handler.handle(
            game_id, lambda game: LeaveSeat(permissions.require_player(game, caller).player_id, seat), key=key
        )

    async def seat_robot(
        self, game_id: UUID, caller: Caller, seat: int, level: Level, key: RequestKey | None = None
    ) -> Committed:
        """Give a free seat to a robot.

        Raises:
            NoSuchGame, PlayerRequired, Refused: as the names say.
        """
        return await self._handler.handle(
            game_id, lambda game: SeatRobot(permissions.require_player(game, caller).player_id, seat, level), key=key
        )

    async def choose_auto_play(
        self, game_id: UUID, caller: Caller, seat: int, auto_play: AutoPlay, key: RequestKey | None = None
    ) -> Committed:
        """Choose which moves of the own seat the service makes.

        Raises:
            NoSuchGame, PlayerRequired, Refused: as the names say.
        """
        return await self._handler.handle(
            game_id,
            lambda game: ChooseAutoPlay(permissions.require_player(game, caller).player_id, seat, auto_play),
            key=key,
        )

    async def abandon(self, game_id: UUID, caller: Caller, key: RequestKey | None = None) -> Committed:
        """Abandon a game, as the app that owns it or, before the start, as its host.

        Raises:
            NoSuchGame, OwnerRequired, Refused: as the names say.
        """
        return await self._handler.handle(game_id, lambda game: permissions.abandon_command(game, caller), key=key)

    async def move(
        self,
        game_id: UUID,
        caller: Caller,
        make_command: Callable[[int], Command | RobotMove],
        expected: int | None = None,
        key: RequestKey | None = None,
    ) -> Committed:
        """Make the move `make_command(seat)` for the caller's seat, if `expected` is the game's version or None.

        Raises:
            NoSuchGame, StaleVersion, PlayerRequired, Refused: as the names say.
        """
        committed = await self._handler.handle(
            game_id, lambda game: make_command(permissions.require_seat(game, caller)), expected, key
        )
        if not committed.is_replay:
            self._metrics.moves.inc()
        return committed

    async def enforce_deadlines(self, game_id: UUID) -> datetime | None:
        """Expire the turn, make the robot's move or abandon the game if that is due; return when the game is due next, None when never."""
        return await self._handler.enforce_deadlines(game_id)

    async def get_game(self, game_id: UUID, caller: Caller) -> Game:
        """Return the current game.

        Raises:
            NoSuchGame: the caller may not know of it.
        """
        game = await self._repository.latest(game_id)
        permissions.require_known(game, caller)
        return game

    async def get_game_invited(self, game_id: UUID, caller: Caller, invite_code: str | None) -> Game:
        """Return the current game also to who may yet sit down there: to show what it is fair to know before.

        Raises:
            NoSuchGame: the caller may not know of it, and is not invited.
        """
        game = await self._repository.latest(game_id)
        permissions.require_invited(game, caller, invite_code)
        return game

    async def read_history(
        self, game_id: UUID, caller: Caller, after: int, limit: int
    ) -> tuple[Game, Sequence[Commit]]:
        """Return the current game, and at most `limit` of its commits after version `after`.

        Raises:
            NoSuchGame: the caller may not know of it.
        """
        game = await self.get_game(game_id, caller)
        return game, await self._events.read(game_id, after, limit)

    async def whole_log(self, game_id: UUID) -> Sequence[Commit]:
        """Return all commits of a game. Does not check who may know of it."""
        return await self._events.read(game_id, 0, MAX_VERSION)

    async def read_commits(self, game_id: UUID, after: int) -> Sequence[Committed]:
        """Return the commits after version `after`, each with the game after it. Does not check who may know of them."""
        return await self._repository.read_commits(game_id, after)

    async def list_seated_games(self, caller: Caller) -> Sequence[Game]:
        """Return the waiting and playing games of the caller, at most the newest `MAX_SEATED_GAMES`."""
        return await self.latest_of(await self.list_ids_under_way(caller))

    async def list_ids_under_way(self, caller: Caller) -> list[UUID]:
        """Return the waiting and playing games of the caller, newest first, at most `MAX_SEATED_GAMES`."""
        return list(await self._listings.seated(caller.id, MAX_SEATED_GAMES, caller.tenant))

    async def find_rematch(self, game_id: UUID) -> Game | None:
        """Return the next game of a table, if somebody has created it. Does not check who may know of it."""
        for _ in range(_MAX_ABANDONED_REMATCHES):
            reserved = await self._reservations.reserved(idempotency.for_rematch(game_id).command_id)
            game = None if reserved is None else await self._repository.latest(reserved)
            if game is None or game.version == 0:
                return None
            if not isinstance(game.state, Abandoned) or game.state.progress is not None:
                return game
            game_id = game.game_id
        return None

    async def latest_of(self, game_ids: Sequence[UUID]) -> list[Game]:
        """Return the current games, without unreadable ones. Does not check who may know of them."""
        return list(await self._repository.latest_of(game_ids))

    async def list_ids_of_player(
        self, caller: Caller, status: str | None, before: UUID | None, limit: int
    ) -> Sequence[UUID]:
        """Return the games at which the caller sits, sat at the end, or may take back a seat, newest first.

        Raises:
            PlayerRequired: the caller is an app.
        """
        query = PlayerQuery(
            player_id=caller.require_player().player_id,
            tenant=caller.tenant,
            status=status,
            before=before,
            limit=limit,
        )
        return await self._listings.of_player(query)

    async def names_of(self, player_ids: Iterable[str]) -> Mapping[str, Name]:
        """Return the names of players."""
        return await self._players.names_of(player_ids)

    async def list_games(
        self,
        caller: Caller,
        visibility: Visibility | None,
        status: str | None,
        ruleset_id: str | None,
        before: UUID | None,
        limit: int,
    ) -> Sequence[ListedGame]:
        """Return games of the caller's tenant, newest first: all games to an app, public ones to a player."""
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

    async def _chance(self, spec: TableSpec, host: Caller) -> CommittedSeed:
        """Return the seed and the id of a new table.

        Raises:
            PlayerRequired: the caller is an app.
            Refused: the commitment is unknown, or has expired unused.
        """
        host.require_player()
        if spec.commitment is None:
            return CommittedSeed(self._commitments.new_seed(), ids.new_game_id())
        chance = await self._commitments.find(host, spec.commitment)
        if chance.has_expired and (await self._repository.latest(chance.game_id)).version == 0:
            raise Refused(Reason.UNKNOWN_COMMITMENT)
        return chance

    async def _reserve(self, key: RequestKey, game_id: UUID) -> UUID:
        """Return the id that was reserved under an idempotency key, `game_id` if it is new or there is no key."""
        return await self._reservations.reserve(key.command_id, game_id) if key.fingerprint else game_id

    async def _reserve_next_game(self, game_id: UUID) -> tuple[RequestKey, Game]:
        """Return the reserved next game, created or not, and its key. Games abandoned before their start are skipped.

        Raises:
            Refused: too many were abandoned.
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
