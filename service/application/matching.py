"""Quick matches: players who ask for the same game are seated at one table.

Whatever happens between two steps, another process goes on: a request is due until its game waits for nobody, each step may be repeated,
and the ids of a game's commands follow from its id.
"""

import asyncio
import hashlib
import logging
from datetime import timedelta
from uuid import UUID

import msgspec

from domain.pocha.model.commands import TakeSeat
from domain.pocha.model.refusals import Facts, Reason, Refused
from domain.pocha.model.state import Waiting, table_of
from domain.table.table import Level, Visibility
from service.application import idempotency, ids, new_table
from service.application.caller import Caller
from service.application.command_handler import CommandHandler, KeyReused
from service.application.idempotency import RequestKey
from service.application.new_table import TableSpec
from service.application.outlasting import outlasting
from service.application.players import Players
from service.application.ports import (
    Clock,
    Matches,
    MatchRequest,
    MatchSpec,
    MatchStatus,
    Notifier,
    Shuffler,
    StoreUnavailable,
    VersionHint,
)
from service.application.statistics import StatisticsKeeper
from service.application.wakeup import Wakeups

POLL_SECONDS = 1.0
LEASE = timedelta(seconds=5)
"""How long after a step another process takes it up, if this one has died."""
KEPT_FOR = timedelta(days=1)
_BATCH_SIZE = 64
_LOGGER = logging.getLogger(__name__)


class NoSuchMatch(Exception):
    """There is no such request, or it is another player's."""


class Matching:
    """Takes requests, forms groups, and makes their games."""

    def __init__(
        self,
        matches: Matches,
        handler: CommandHandler,
        players: Players,
        shuffler: Shuffler,
        clock: Clock,
        notifier: Notifier,
        statistics: StatisticsKeeper,
        poll_seconds: float = POLL_SECONDS,
    ) -> None:
        self._matches = matches
        self._handler = handler
        self._players = players
        self._shuffler = shuffler
        self._clock = clock
        self._notifier = notifier
        self._statistics = statistics
        self._poll_seconds = poll_seconds
        self.changes = Wakeups()

    async def request(
        self,
        caller: Caller,
        spec: MatchSpec,
        seconds: int,
        robots: Level | None,
        key: RequestKey | None = None,
        *,
        similar_rating: bool = False,
    ) -> tuple[MatchRequest, bool]:
        """Enter a request that waits for so many `seconds`, and return it, matched if others wait, and whether it was entered before.

        With `similar_rating` only players whose ratings are in the same band, and who ask for that too, are matched.

        Raises:
            PlayerRequired, Refused, KeyReused: as the names say.
        """
        player = caller.require_player()
        if spec.players not in spec.ruleset.players.allowed:
            raise Refused(Reason.WRONG_NUMBER_OF_PLAYERS, Facts(players_allowed=spec.ruleset.players.allowed))
        band = await self._statistics.band_of(caller, spec.ruleset.id) if similar_rating else None
        await self._players.introduce(caller)
        key, now = key or idempotency.random_key(), self._clock.now()
        new = MatchRequest(
            match_id=ids.new_game_id(),
            tenant=caller.tenant,
            player=player,
            command_id=key.command_id,
            fingerprint=key.fingerprint,
            created_at=now,
            expires_at=now + timedelta(seconds=seconds),
            pool=_pool(spec, band),
            spec=spec,
            robots=robots,
        )
        entered = await self._matches.enter(new)
        if entered.fingerprint != key.fingerprint:
            raise KeyReused
        if entered.match_id != new.match_id:
            return entered, True
        await self._form(entered)
        return await self.get(entered.match_id, caller), False

    async def get(self, match_id: UUID, caller: Caller) -> MatchRequest:
        """Return the caller's request.

        Raises:
            NoSuchMatch, PlayerRequired: as the names say.
        """
        player_id = caller.require_player().player_id
        found = await self._matches.read(match_id)
        if found is None or (found.tenant, found.player.player_id) != (caller.tenant, player_id):
            raise NoSuchMatch
        return found

    async def wait(self, match_id: UUID, caller: Caller, seconds: float) -> MatchRequest:
        """Return the request once it waits no more, or as it is after `seconds`.

        Raises:
            NoSuchMatch, PlayerRequired: as the names say.
        """
        loop = asyncio.get_running_loop()
        end = loop.time() + seconds
        with self.changes.of(match_id) as changed:
            while True:
                changed.clear()
                found = await self.get(match_id, caller)
                left = end - loop.time()
                if not is_pending(found) or left <= 0:
                    return found
                await changed.wait(min(left, 2 * self._poll_seconds))

    async def cancel(self, match_id: UUID, caller: Caller) -> MatchRequest:
        """Cancel the caller's request, unless it is matched already; return it.

        Raises:
            NoSuchMatch, PlayerRequired: as the names say.
        """
        await self.get(match_id, caller)
        await self._matches.end(match_id, MatchStatus.CANCELLED)
        self._announce(match_id)
        return await self.get(match_id, caller)

    async def run(self) -> None:
        """Take up what is due, again and again, until cancelled."""
        while True:
            with outlasting(_LOGGER, "failed to take up quick matches"):
                await self.run_once()
            await asyncio.sleep(self._poll_seconds)

    async def run_once(self) -> None:
        """Finish what another process has begun, fill up with robots or expire what has waited for long enough, and forget what is old."""
        now = self._clock.now()
        for due in await self._matches.claim_due(now, now + LEASE, _BATCH_SIZE):
            try:
                await self._take_up(due)
            except StoreUnavailable:
                raise
            except Exception:
                _LOGGER.exception("failed to take up a quick match", extra={"game_id": due.game_id})
        await self._matches.delete_old(now - KEPT_FOR)

    async def _take_up(self, due: MatchRequest) -> None:
        if due.game_id is not None:
            await self._make_game(due.game_id)
        elif not await self._form(due):
            if due.robots is None:
                await self._matches.end(due.match_id, MatchStatus.EXPIRED)
                self._announce(due.match_id)
                return
            game_id = ids.new_game_id()
            if await self._matches.fill_up(due, game_id, self._clock.now() + LEASE):
                await self._make_game(game_id)

    async def _form(self, request: MatchRequest) -> bool:
        game_id = ids.new_game_id()
        formed = await self._matches.form(request, game_id, self._clock.now() + LEASE)
        if formed:
            await self._make_game(game_id)
        return formed

    async def _make_game(self, game_id: UUID) -> None:
        """Create the game of a matched group, seat all, and tell them."""
        group = await self._matches.group(game_id)
        if not group:
            return
        host, *others = group
        spec = host.spec
        robots = next((each.robots for each in group if each.robots is not None), Level.EASY)
        table = TableSpec(
            ruleset=spec.ruleset,
            players=spec.players,
            robots=(robots,) * (spec.players - len(group)),
            visibility=Visibility.PRIVATE,  # nobody else may take a seat
            turn_seconds=spec.turn_seconds,
        )
        create = new_table.create_command(table, Caller(host.tenant, host.player), game_id, self._shuffler.new_seed())
        await self._handler.create_game(game_id, create, _key(game_id, host))
        for each in others:
            await self._seat(game_id, each)
        await self._matches.settle(game_id)
        for each in group:
            self._announce(each.match_id)

    async def _seat(self, game_id: UUID, request: MatchRequest) -> None:
        game = await self._handler.repository.latest(game_id)
        if isinstance(game.state, Waiting) and table_of(game.state).seat_of(request.player.player_id) is None:
            await self._handler.handle(
                game_id, lambda _: TakeSeat(request.player, invited=True), key=_key(game_id, request)
            )

    def _announce(self, match_id: UUID) -> None:
        self.changes.wake(match_id)
        self._notifier.publish(VersionHint(match_id, 1))


def is_pending(request: MatchRequest) -> bool:
    """Tell whether the request still waits, or its game is being made."""
    if request.status is MatchStatus.MATCHED:
        return not request.is_ready
    return request.status is MatchStatus.WAITING


def _pool(spec: MatchSpec, band: int | None) -> str:
    """Return the name of those who may be matched: they ask for the same game, and for ratings of one band or for none."""
    same_game = hashlib.sha256(msgspec.json.encode(spec, order="deterministic")).hexdigest()
    return same_game if band is None else f"{same_game}-{band}"


def _key(game_id: UUID, request: MatchRequest) -> RequestKey:
    return RequestKey(ids.uuid_of("match", str(game_id), str(request.match_id)), b"")
