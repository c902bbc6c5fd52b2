"""Games that are over, packed into a row each (`service.adapters.postgres.packing`), and after a longer time forgotten.

Whoever does this claims rows that nobody else has locked, and keeps them to the end of a transaction. So any number of processes may do
it at the same time, and readers see a game either in its rows or packed. Nothing is appended to a game that is over; should it happen
all the same, the game is unpacked first (`service.adapters.postgres.commit_statements`).
"""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from uuid import UUID

import msgspec

from service.adapters.postgres import packing
from service.adapters.postgres.connection import DATABASE_ERRORS, STATEMENT_SECONDS, Connection, connect, reason
from service.adapters.postgres.reconnecting import SESSION
from service.application.ports import StoreUnavailable

# A game ends with its last commit. The index goes by when it was made, which is before that: nothing younger is looked at.
CLAIM = """
    SELECT game_id FROM game
    WHERE status IN ('finished', 'abandoned') AND NOT packed AND created_at <= $1 AND game_id <> ALL ($2::uuid[])
        AND (SELECT head.recorded_at FROM game_commit AS head WHERE head.game_id = game.game_id ORDER BY head.seq DESC LIMIT 1) <= $1
    ORDER BY created_at LIMIT 1 FOR UPDATE SKIP LOCKED
"""

_COMMITS = """
    SELECT seq, command_id, request_fp, recorded_at, format, payload FROM game_commit WHERE game_id = $1 ORDER BY seq
"""

_PACK = """
    WITH unpacked AS (
        DELETE FROM game_commit WHERE game_id = $1 AND seq <= $2 RETURNING pg_column_size(game_commit.*) AS bytes
    ), packed AS (
        INSERT INTO game_archive (game_id, last_seq, ended_at, command_ids, fingerprints, format, payload)
        VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING pg_column_size(game_archive.*) AS bytes
    ), marked AS (
        UPDATE game SET packed = true WHERE game_id = $1
    )
    SELECT count(*) AS commits, coalesce(sum(bytes), 0) AS bytes_before, (SELECT bytes FROM packed) AS bytes_after FROM unpacked
"""

_PACKED = "SELECT last_seq, command_ids, fingerprints, format, payload FROM game_archive WHERE game_id = $1"

# The first versions of a game never change: so what was read holds as long as there are as many.
_UNPACK = """
    WITH gone AS (
        DELETE FROM game_archive WHERE game_id = $1 AND last_seq = $2 RETURNING game_id, command_ids, fingerprints
    ), marked AS (
        UPDATE game SET packed = false WHERE game_id IN (SELECT game_id FROM gone)
    )
    INSERT INTO game_commit (game_id, seq, command_id, request_fp, recorded_at, format, payload)
    SELECT gone.game_id, written.seq, written.command_id, written.request_fp, written.recorded_at, written.format, written.payload
    FROM gone, unnest(gone.command_ids, gone.fingerprints, $3::timestamptz[], $4::smallint[], $5::bytea[])
        WITH ORDINALITY AS written (command_id, request_fp, recorded_at, format, payload, seq)
"""

FORGET = """
    WITH old AS MATERIALIZED (
        SELECT game_id FROM game
        WHERE status IN ('finished', 'abandoned') AND packed IN (false, true) AND created_at <= $1 AND greatest(
            (SELECT head.recorded_at FROM game_commit AS head WHERE head.game_id = game.game_id ORDER BY head.seq DESC LIMIT 1),
            (SELECT game_archive.ended_at FROM game_archive WHERE game_archive.game_id = game.game_id)) <= $1
        ORDER BY packed, created_at LIMIT $2 FOR UPDATE SKIP LOCKED
    ), commits AS (
        DELETE FROM game_commit WHERE game_id = ANY (ARRAY(SELECT game_id FROM old))
    ), archived AS (
        DELETE FROM game_archive WHERE game_id = ANY (ARRAY(SELECT game_id FROM old))
    ), games AS (
        DELETE FROM game WHERE game_id = ANY (ARRAY(SELECT game_id FROM old)) RETURNING game_id
    )
    SELECT count(*) FROM games
"""

FORGET_RESERVATIONS = """
    WITH gone AS (
        DELETE FROM reservation WHERE key = ANY (ARRAY(
            SELECT key FROM reservation
            WHERE reserved_at <= $1 AND (SELECT game.game_id FROM game WHERE game.game_id = reservation.game_id) IS NULL
            ORDER BY reserved_at LIMIT $2 FOR UPDATE OF reservation SKIP LOCKED))
        RETURNING key
    )
    SELECT count(*) FROM gone
"""


class Saving(msgspec.Struct, frozen=True):
    """What came of packing: how many games, their commits, and the bytes of their rows before and after (without indexes)."""

    games: int = 0
    commits: int = 0
    bytes_before: int = 0
    bytes_after: int = 0

    def __add__(self, other: "Saving") -> "Saving":
        return Saving(
            self.games + other.games,
            self.commits + other.commits,
            self.bytes_before + other.bytes_before,
            self.bytes_after + other.bytes_after,
        )


class PackingFailed(Exception):
    """A game changed, or vanished, while it was being packed; nothing was done to it."""


class Unpackable(ValueError):
    """The rows of the game `game_id` cannot be packed: they are damaged."""

    def __init__(self, game_id: UUID, why: str) -> None:
        super().__init__(f"game {game_id}: {why}")
        self.game_id = game_id


@asynccontextmanager
async def session(dsn: str) -> AsyncGenerator[Connection]:
    """Give a connection to the database at `dsn`; what is unfinished when the block fails is undone.

    Raises:
        StoreUnavailable: the database cannot be reached, or cannot answer now.
    """
    connection = await connect(dsn, SESSION, statement_seconds=STATEMENT_SECONDS)
    try:
        yield connection
        await connection.close()
    except DATABASE_ERRORS as error:
        raise StoreUnavailable(reason(error)) from error
    finally:
        connection.terminate()


async def pack_next(connection: Connection, ended_before: datetime, without: Sequence[UUID] = ()) -> Saving | None:
    """Pack one game that was over at `ended_before`, none of `without`; return what came of it, none when there is no game to pack.

    Raises:
        Unpackable: nothing was done to that game; the session is good for the next one.
        PackingFailed: as the name says. The transaction is open still; end the session.
    """
    await connection.execute("BEGIN")
    game_id = await connection.fetchval(CLAIM, ended_before, without)
    try:
        saving = await pack(connection, game_id) if game_id else None
    except Unpackable:
        await connection.execute("ROLLBACK")
        raise
    await connection.execute("COMMIT")
    return saving


async def pack(connection: Connection, game_id: UUID) -> Saving:
    """Pack all commits of a game, within a transaction of the caller's.

    Raises:
        Unpackable, PackingFailed: as the names say.
    """
    rows = await connection.fetch(_COMMITS, game_id)
    try:
        packed = await asyncio.to_thread(packing.pack, rows)
    except ValueError as error:
        raise Unpackable(game_id, str(error)) from error
    [saved] = await connection.fetch(
        _PACK,
        game_id,
        packed.last_seq,
        packed.ended_at,
        packed.command_ids,
        packed.fingerprints,
        packing.FORMAT,
        packed.payload,
    )
    if saved["commits"] != packed.last_seq:
        raise PackingFailed(f"game {game_id} has lost commits while it was being packed")
    return Saving(1, saved["commits"], saved["bytes_before"], saved["bytes_after"])


async def unpack(connection: Connection, game_id: UUID) -> None:
    """Put the commits of a packed game back into rows of their own, unless somebody else does.

    Raises:
        Unreadable: it was packed by a newer version of the service, or is damaged.
    """
    for row in await connection.fetch(_PACKED, game_id):
        written = await asyncio.to_thread(packing.unpack, row["format"], row["payload"])
        await connection.fetch(
            _UNPACK,
            game_id,
            row["last_seq"],
            [each.recorded_at for each in written],
            [each.format for each in written],
            [each.payload for each in written],
        )


async def forget(connection: Connection, ended_before: datetime, limit: int) -> int:
    """Delete at most `limit` games that were over at `ended_before`, for good; return how many."""
    return await connection.fetchval(FORGET, ended_before, limit)


async def forget_reservations(connection: Connection, reserved_before: datetime, limit: int) -> int:
    """Delete at most `limit` reservations that were made before a time, whose games are not in this database; return how many."""
    return await connection.fetchval(FORGET_RESERVATIONS, reserved_before, limit)
