"""A game's commits packed into one row of `game_archive`, and unpacked again, exactly as they were.

Command ids and fingerprints are columns of their own, since commands are looked up by them; they are random, and would not get smaller
anyway. The rest is one compressed document, in which each commit's events stay the bytes that they were, in the format that they had.
"""

import zlib
from collections.abc import Iterable, Sequence
from datetime import datetime
from uuid import UUID

import msgspec

from service.adapters.postgres import codec
from service.adapters.postgres.codec import Unreadable
from service.adapters.postgres.connection import Row
from service.application.ports import Commit

FORMAT = 1
"""The format packed today: the MessagePack array of each commit's time, format and payload, compressed by zlib."""

_LEVEL = 9


class Written(msgspec.Struct, frozen=True, array_like=True):
    """Of one commit, all that is not a column of its own: when it was recorded, and its events as stored, in their format."""

    recorded_at: datetime
    format: int
    payload: bytes


class Packed(msgspec.Struct, frozen=True):
    """The first commits of a game, from version 1 on; the elements at place n (from 0) belong to version n + 1."""

    command_ids: list[UUID]
    fingerprints: list[bytes]
    payload: bytes
    ended_at: datetime

    @property
    def last_seq(self) -> int:
        """The version of the last commit."""
        return len(self.command_ids)


_decoder = msgspec.msgpack.Decoder(list[Written])


def pack(rows: Sequence[Row]) -> Packed:
    """Return a game's rows of `game_commit`, all of them, in order, as one.

    Raises:
        ValueError: they are not the versions from 1 on, without a hole, or do not come out again as they went in.
    """
    if not rows or [row["seq"] for row in rows] != list(range(1, len(rows) + 1)):
        raise ValueError("these commits are not a whole game")
    written = [Written(row["recorded_at"], row["format"], row["payload"]) for row in rows]
    payload = zlib.compress(msgspec.msgpack.encode(written), _LEVEL)
    if unpack(FORMAT, payload) != written:
        raise ValueError("these commits do not come out as they went in")
    return Packed(
        [row["command_id"] for row in rows], [row["request_fp"] for row in rows], payload, rows[-1]["recorded_at"]
    )


def unpack(packed_format: int, payload: bytes) -> list[Written]:
    """Return the commits of a packed `payload`, in order.

    Raises:
        Unreadable: this version does not know the format, or the payload does not fit it.
    """
    if packed_format != FORMAT:
        raise Unreadable(
            f"a game packed in format {packed_format}; this version of the service reads only format {FORMAT}"
        )
    try:
        return _decoder.decode(zlib.decompress(payload))
    except (zlib.error, msgspec.DecodeError) as error:
        raise Unreadable(f"a packed game does not fit format {packed_format}: {error}") from error


def commits_of(game_id: UUID, row: Row) -> Iterable[Commit]:
    """Return what a row of the log holds: one commit, or the first ones of a game, packed; the row tells by `command_ids`.

    Raises:
        Unreadable: it was written by a newer version of the service, or it is damaged.
    """
    if row["command_ids"] is None:
        written = Written(row["recorded_at"], row["format"], row["payload"])
        return (_commit(game_id, row["seq"], row["command_id"], row["request_fp"], written),)
    all_written = unpack(row["format"], row["payload"])
    if len(all_written) != len(row["command_ids"]):
        raise Unreadable(f"a packed game has {len(row['command_ids'])} commands, and {len(all_written)} commits")
    whole = zip(row["command_ids"], row["fingerprints"], all_written, strict=True)
    return [_commit(game_id, version, *each) for version, each in enumerate(whole, start=1)]


def _commit(game_id: UUID, version: int, command_id: UUID, fingerprint: bytes, written: Written) -> Commit:
    return Commit(
        game_id=game_id,
        version=version,
        command_id=command_id,
        fingerprint=fingerprint,
        recorded_at=written.recorded_at,
        events=codec.decode(written.format, written.payload),
    )
