"""The data step of migration 0005: puts the commits of packed games back into rows of their own.

Versions before 0005 could pack a finished game into one row of `game_archive`: command ids and fingerprints as arrays, and as `payload`
the zlib-compressed MessagePack array of each commit's time, format and events. Each batch of games is a transaction, so a run that was
interrupted continues where it stopped.
"""

import asyncio
import zlib
from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

import msgspec

from service.adapters.postgres.connection import Connection, Row

GAMES_AT_ONCE = 50
_FORMAT = 1

# Services that still run could pack games meanwhile; the constraint makes them fail, and they log it.
_STOP_PACKING = """
    ALTER TABLE game_archive DROP CONSTRAINT IF EXISTS nothing_new, ADD CONSTRAINT nothing_new CHECK (false) NOT VALID
"""
_NEXT = "SELECT game_id, command_ids, fingerprints, format, payload FROM game_archive LIMIT $1 FOR UPDATE"
_WRITE = """
    INSERT INTO game_commit (game_id, seq, command_id, request_fp, recorded_at, format, payload)
    SELECT $1, written.seq, written.command_id, written.request_fp, written.recorded_at, written.format, written.payload
    FROM unnest($2::uuid[], $3::bytea[], $4::timestamptz[], $5::smallint[], $6::bytea[])
        WITH ORDINALITY AS written (command_id, request_fp, recorded_at, format, payload, seq)
"""
_DELETE = "DELETE FROM game_archive WHERE game_id = ANY ($1::uuid[])"


class DamagedGame(ValueError):
    """A packed game cannot be unpacked; the message names it."""


class _Packed(msgspec.Struct, frozen=True, array_like=True):
    """One commit in the payload of a packed game."""

    recorded_at: datetime
    format: int
    payload: bytes


_decoder = msgspec.msgpack.Decoder(list[_Packed])


async def unpack_all(connection: Connection) -> None:
    """Unpack every packed game.

    Raises:
        DamagedGame: one cannot be unpacked. It and those not reached yet stay packed.
    """
    await connection.execute(_STOP_PACKING)
    while await _unpack_some(connection):
        pass


async def _unpack_some(connection: Connection) -> int:
    await connection.execute("BEGIN")
    try:
        rows = await connection.fetch(_NEXT, GAMES_AT_ONCE)
        for row in rows:
            await connection.fetch(
                _WRITE, row["game_id"], row["command_ids"], row["fingerprints"], *await _columns(row)
            )
        await connection.fetch(_DELETE, [row["game_id"] for row in rows])
    except DamagedGame:
        await connection.execute("ROLLBACK")
        raise
    await connection.execute("COMMIT")
    return len(rows)


async def _columns(row: Row) -> Sequence[Sequence[object]]:
    """Return the times, formats and events of a packed game's commits."""
    commits = await asyncio.to_thread(_decode, row["game_id"], row["format"], row["payload"])
    if len(commits) != len(row["command_ids"]):
        raise _damaged(row["game_id"], f"{len(row['command_ids'])} commands and {len(commits)} commits")
    return [
        [commit.recorded_at for commit in commits],
        [commit.format for commit in commits],
        [commit.payload for commit in commits],
    ]


def _decode(game_id: UUID, packed_format: int, payload: bytes) -> list[_Packed]:
    if packed_format != _FORMAT:
        raise _damaged(game_id, f"format {packed_format}")
    try:
        return _decoder.decode(zlib.decompress(payload))
    except (zlib.error, msgspec.DecodeError) as error:
        raise _damaged(game_id, str(error)) from error


def _damaged(game_id: UUID, why: str) -> DamagedGame:
    return DamagedGame(
        f"packed game {game_id} is damaged ({why}); restore its row of game_archive from a backup, or delete it"
    )
