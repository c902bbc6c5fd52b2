"""Retention: deletes finished games, reservations and score sheets after a time, in the background of `pocha serve` or by command.

Any number of processes may do it at the same time: each locks the rows that it deletes, and skips those that are locked.
"""

import asyncio
import logging
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import datetime, timedelta

import msgspec
from typing_extensions import override

from service.adapters.postgres import layout
from service.adapters.postgres.buckets import InBucket, schemas
from service.adapters.postgres.connection import DATABASE_ERRORS, STATEMENT_SECONDS, Connection, connect, reason
from service.adapters.postgres.reconnecting import SESSION
from service.application.ports import Clock, StoreUnavailable

ROUND_SECONDS = 60.0
"""How often the background looks for games to delete."""
GAMES_AT_ONCE = 50
"""How many games one statement deletes."""
_RESERVATIONS_AT_ONCE = 1000

# A game ends with its last commit, and not before it was created: the index on `created_at` leaves out younger games.
DELETE_GAMES = """
    WITH old AS MATERIALIZED (
        SELECT game_id FROM game
        WHERE status IN ('finished', 'abandoned') AND created_at <= $1
            AND (SELECT head.recorded_at FROM game_commit AS head WHERE head.game_id = game.game_id ORDER BY head.seq DESC LIMIT 1) <= $1
        ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED
    ), commits AS (
        DELETE FROM game_commit WHERE game_id = ANY (ARRAY(SELECT game_id FROM old))
    ), positions AS (
        DELETE FROM hook_position WHERE game_id = ANY (ARRAY(SELECT game_id FROM old))
    ), games AS (
        DELETE FROM game WHERE game_id = ANY (ARRAY(SELECT game_id FROM old)) RETURNING game_id
    )
    SELECT count(*) FROM games
"""

DELETE_RESERVATIONS = """
    WITH gone AS (
        DELETE FROM reservation WHERE key = ANY (ARRAY(
            SELECT key FROM reservation
            WHERE reserved_at <= $1 AND (SELECT game.game_id FROM game WHERE game.game_id = reservation.game_id) IS NULL
            ORDER BY reserved_at LIMIT $2 FOR UPDATE OF reservation SKIP LOCKED))
        RETURNING key
    )
    SELECT count(*) FROM gone
"""

DELETE_SCORE_KEEPERS = """
    WITH old AS MATERIALIZED (
        SELECT score_keeper_id FROM score_keeper WHERE changed_at <= $1 ORDER BY changed_at LIMIT $2 FOR UPDATE SKIP LOCKED
    ), entries AS (
        DELETE FROM score_keeper_entry WHERE score_keeper_id = ANY (ARRAY(SELECT score_keeper_id FROM old))
    ), gone AS (
        DELETE FROM score_keeper WHERE score_keeper_id = ANY (ARRAY(SELECT score_keeper_id FROM old)) RETURNING score_keeper_id
    )
    SELECT count(*) FROM gone
"""

_LOGGER = logging.getLogger(__name__)


class Deleted(msgspec.Struct, frozen=True):
    """How many games, reservations and score sheets of tables with real cards were deleted."""

    games: int = 0
    reservations: int = 0
    score_keepers: int = 0

    @override
    def __str__(self) -> str:
        return f"games deleted: {self.games}; reservations deleted: {self.reservations}; score sheets deleted: {self.score_keepers}"


async def delete_old(dsn: str, before: datetime) -> Deleted:
    """Delete what is older than a time: games by their end, reservations of games that are gone, score sheets by their last entry.

    A bucket that does not answer is passed over, and told of at the end.

    Raises:
        StoreUnavailable: the database or a bucket of it cannot be reached, or cannot answer now; what was deleted stays deleted.
    """
    async with _session(dsn) as connection:
        names = schemas(await layout.count(connection))
    games = reservations = 0
    failed: StoreUnavailable | None = None
    for name in names:
        try:
            async with _session(dsn) as connection:
                bucket = InBucket(connection, name)
                games += await _repeat(bucket, DELETE_GAMES, before, GAMES_AT_ONCE)
                reservations += await _repeat(bucket, DELETE_RESERVATIONS, before, _RESERVATIONS_AT_ONCE)
        except StoreUnavailable as error:
            failed = error
    if failed is not None:
        raise failed
    async with _session(dsn) as connection:
        score_keepers = await _repeat(InBucket(connection, ""), DELETE_SCORE_KEEPERS, before, GAMES_AT_ONCE)
    return Deleted(games, reservations, score_keepers)


class RetentionWorker:
    """Deletes what is older than `keep_for`, every `round_seconds`."""

    def __init__(
        self, dsn: str, keep_for: timedelta | None, clock: Clock, round_seconds: float = ROUND_SECONDS
    ) -> None:
        self._dsn = dsn
        self._keep_for = keep_for
        self._clock = clock
        self._round_seconds = round_seconds

    async def run(self) -> None:
        """Work until cancelled; without a retention time, return at once."""
        while self._keep_for is not None:
            before = self._clock.now() - self._keep_for
            await self._delete_old(before)
            await asyncio.sleep(self._round_seconds)

    async def _delete_old(self, before: datetime) -> None:
        try:
            deleted = await delete_old(self._dsn, before)
        except StoreUnavailable:
            pass  # the store's connections have logged it; the next round tries again
        except Exception:
            _LOGGER.exception("old games cannot be deleted")
        else:
            if deleted != Deleted():
                _LOGGER.info("%s", deleted)


async def _repeat(bucket: InBucket, statement: str, before: datetime, limit: int) -> int:
    """Run a deleting statement until it finds nothing; return how many rows it deleted."""
    total = 0
    while number := (await bucket.fetch(statement, before, limit))[0]["count"]:
        total += number
    return total


@asynccontextmanager
async def _session(dsn: str) -> AsyncGenerator[Connection]:
    connection = await connect(dsn, SESSION, statement_seconds=STATEMENT_SECONDS)
    try:
        yield connection
        await connection.close()
    except DATABASE_ERRORS as error:
        raise StoreUnavailable(reason(error)) from error
    finally:
        connection.terminate()
