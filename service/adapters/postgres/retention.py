"""What is done about games that are over, by their age: packed, and later forgotten. By `pocha serve` in the background, or by command."""

import asyncio
import logging
from collections.abc import Sequence
from datetime import datetime, timedelta
from uuid import UUID

import msgspec

from service.adapters.postgres import archive
from service.adapters.postgres.archive import Saving, Unpackable
from service.adapters.postgres.connection import Connection
from service.application.ports import Clock, StoreUnavailable

ROUND_SECONDS = 60.0
"""How often the games that are over are looked at."""
PAUSE_SECONDS = 0.05
"""How long the background rests after each game, for the sake of those that are played."""
FORGOTTEN_AT_ONCE = 50
"""How many games one statement deletes."""
_RESERVATIONS_AT_ONCE = 1000

_LOGGER = logging.getLogger(__name__)


class Retention(msgspec.Struct, frozen=True):
    """How long after its end a game is packed, and how long after it is forgotten for good; none: never."""

    pack_after: timedelta | None = None
    forget_after: timedelta | None = None


class Tended(msgspec.Struct, frozen=True):
    """What was done: packed; and how many games and reservations were forgotten."""

    saving: Saving = Saving()
    games: int = 0
    reservations: int = 0

    def __add__(self, other: "Tended") -> "Tended":
        return Tended(self.saving + other.saving, self.games + other.games, self.reservations + other.reservations)


async def tend(
    dsn: str, retention: Retention, now: datetime, limit: int | None = None, pause_seconds: float = 0
) -> Tended:
    """Do what is due at `now` in the database at `dsn`: pack at most `limit` games (none: all), and forget all that are old enough.

    Raises:
        StoreUnavailable: the database cannot be reached, or cannot answer now; what was done before stays done.
        PackingFailed: a game changed while it was being packed.
    """
    done = Tended()
    async with archive.session(dsn) as connection:
        if retention.forget_after is not None:
            done += await _forget(connection, now - retention.forget_after)
        if retention.pack_after is not None:
            done += await _pack(connection, now - retention.pack_after, limit, pause_seconds)
    return done


async def _forget(connection: Connection, before: datetime) -> Tended:
    games = reservations = 0
    while some := await archive.forget(connection, before, FORGOTTEN_AT_ONCE):
        games += some
    while some := await archive.forget_reservations(connection, before, _RESERVATIONS_AT_ONCE):
        reservations += some
    return Tended(games=games, reservations=reservations)


async def _pack(connection: Connection, before: datetime, limit: int | None, pause_seconds: float) -> Tended:
    """Pack one game after the other; a damaged one is told of, and left for who mends it."""
    saving, damaged = Saving(), list[UUID]()
    while limit is None or saving.games < limit:
        try:
            saved = await archive.pack_next(connection, before, damaged)
        except Unpackable as error:
            _LOGGER.error("a game cannot be packed: %s", error)  # noqa: TRY400 - the sentence says it all
            damaged.append(error.game_id)
            continue
        if saved is None:
            break
        saving += saved
        await asyncio.sleep(pause_seconds)
    return Tended(saving)


class Archivist:
    """Tends the games that are over in some databases, beside the service, as often as `ROUND_SECONDS` says."""

    def __init__(
        self, dsns: Sequence[str], retention: Retention, clock: Clock, round_seconds: float = ROUND_SECONDS
    ) -> None:
        self._dsns = dsns
        self._retention = retention
        self._clock = clock
        self._round_seconds = round_seconds

    async def run(self) -> None:
        """Go round and round, until cancelled; returns at once when nothing is ever to be done."""
        while self._retention != Retention():
            await asyncio.gather(*map(self._safely, self._dsns))
            await asyncio.sleep(self._round_seconds)

    async def _safely(self, dsn: str) -> None:
        try:
            done = await tend(dsn, self._retention, self._clock.now(), pause_seconds=PAUSE_SECONDS)
        except StoreUnavailable:
            pass  # the log's connections have told the operator; the next round tries again
        except Exception:
            _LOGGER.exception("games that are over cannot be packed or forgotten")
        else:
            if done != Tended():
                _LOGGER.info("%s", told(done))


def told(done: Tended) -> str:
    """Say in a line what was done."""
    saving = done.saving
    return (
        f"games packed: {saving.games} ({saving.commits} commits, {saving.bytes_before} bytes into {saving.bytes_after});"
        f" games deleted: {done.games}; reservations deleted: {done.reservations}"
    )
