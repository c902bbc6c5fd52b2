"""Deletion of players.

The name goes first, and with it every credential becomes void. What is left of the player elsewhere is erased at once, and once more when
no process can have taken a late request of the player: each step may be repeated, and another process goes on where one dies.
"""

import asyncio
import logging
from contextlib import suppress
from datetime import timedelta
from uuid import UUID

from domain.pocha.model.commands import LeaveSeat
from domain.pocha.model.refusals import Refused
from domain.pocha.model.state import table_of
from service.application.caller import Caller
from service.application.command_handler import CommandHandler
from service.application.names import Names
from service.application.outlasting import outlasting
from service.application.permissions import NoSuchGame
from service.application.ports import (
    Clock,
    Listings,
    Matches,
    Profile,
    Profiles,
    ScoreKeepers,
    Statistics,
)
from service.observability.metrics import Metrics

POLL_SECONDS = 5.0
LEASE = timedelta(seconds=30)
"""How long after a step another process takes it up, if this one has died."""
LATE = timedelta(minutes=1)
"""How long after a deletion it is looked once more for what a late request has left."""
_BATCH_SIZE = 16
_MAX_GAMES = 1000
_LOGGER = logging.getLogger(__name__)


class NoSuchPlayer(Exception):
    """There is no such player in the tenant, as far as anything is kept."""


class Deleting:
    """Deletes players, and all that is kept of them but the ids in the games that they played."""

    def __init__(
        self,
        names: Names,
        profiles: Profiles,
        handler: CommandHandler,
        listings: Listings,
        matches: Matches,
        score_keepers: ScoreKeepers,
        statistics: Statistics,
        metrics: Metrics,
    ) -> None:
        self._names = names
        self._profiles = profiles
        self._handler = handler
        self._listings = listings
        self._matches = matches
        self._score_keepers = score_keepers
        self._statistics = statistics
        self._metrics = metrics
        self._clock: Clock = handler.clock

    async def delete(self, caller: Caller) -> None:
        """Delete the calling player.

        Raises:
            PlayerRequired: the caller is an app.
        """
        await self._delete(caller.require_player().player_id, caller.tenant)

    async def delete_of_app(self, app: Caller, player_id: str) -> None:
        """Delete a player of the calling app; one that is deleted already stays so.

        Raises:
            AppRequired: the caller is a player.
            NoSuchPlayer: as the name says.
        """
        app.require_app()
        found = await self._profiles.profiles([player_id])
        if not found or found[0].tenant != app.tenant:
            raise NoSuchPlayer
        if found[0].deleted_at is None:
            await self._delete(player_id, app.tenant)

    async def run(self) -> None:
        """Erase what is due, again and again, until cancelled."""
        while True:
            with outlasting(_LOGGER, "failed to erase what is left of deleted players"):
                await self.run_once()
            await asyncio.sleep(POLL_SECONDS)

    async def run_once(self) -> None:
        """Erase what is due."""
        now = self._clock.now()
        for deleted in await self._profiles.claim_erasures(now, now + LEASE, _BATCH_SIZE):
            await self._erase(deleted)

    async def _delete(self, player_id: str, tenant: str) -> None:
        now = self._clock.now()
        deleted = await self._names.delete(player_id, tenant, now, now + LEASE)
        self._metrics.players_deleted.inc()
        await self._erase(deleted)

    async def _erase(self, deleted: Profile) -> None:
        player_id, tenant = deleted.player_id, deleted.tenant
        await self._matches.forget(tenant, player_id)
        await self._score_keepers.forget(player_id)
        await self._statistics.forget(player_id)
        for game_id in await self._listings.seated(player_id, _MAX_GAMES, tenant):
            await self._leave(game_id, player_id)
        late = (deleted.deleted_at or self._clock.now()) + LATE
        await self._profiles.put_erasure_off(player_id, late if late > self._clock.now() else None)

    async def _leave(self, game_id: UUID, player_id: str) -> None:
        seat = table_of((await self._handler.repository.latest(game_id)).state).seat_of(player_id)
        if seat is not None:
            with suppress(Refused, NoSuchGame):  # over meanwhile, or left
                await self._handler.handle(game_id, lambda _: LeaveSeat(player_id, seat))
