"""Ids: new ones, and ones that follow from what they name."""

import hashlib
import secrets
import time
from datetime import UTC, datetime
from uuid import UUID


def new_game_id() -> UUID:
    """Return a UUID of version 7 (RFC 9562, method 3): later ids sort higher, to a quarter of a microsecond."""
    milliseconds, rest = divmod(time.time_ns(), 1_000_000)
    fraction = (rest << 12) // 1_000_000
    return UUID(int=(milliseconds << 80) | (0x7 << 76) | (fraction << 64) | (0b10 << 62) | secrets.randbits(62))


def time_of(game_id: UUID) -> datetime:
    """Return when a `new_game_id` was made, in whole milliseconds (UTC)."""
    return datetime.fromtimestamp((game_id.int >> 80) / 1000, UTC)


def new_player_id() -> str:
    """Return a random UUID in text form."""
    return str(UUID(int=secrets.randbits(128), version=4))


def uuid_of(*parts: str) -> UUID:
    """Return the UUID (RFC 9562, version 8) that follows from `parts`."""
    digest = hashlib.sha256(b"".join(_with_length(part.encode()) for part in parts)).digest()
    value = int.from_bytes(digest[:16], "big")
    return UUID(int=(value & ~(0xF << 76) & ~(0b11 << 62)) | (0x8 << 76) | (0b10 << 62))


def uuid_at(at: datetime, *parts: str) -> UUID:
    """Return the UUID (RFC 9562, version 8) that follows from `parts`, and sorts by a time, to the millisecond."""
    milliseconds = int(at.timestamp() * 1000)
    return UUID(int=(milliseconds << 80) | (uuid_of(*parts).int & ((1 << 80) - 1)))


def _with_length(part: bytes) -> bytes:
    return len(part).to_bytes(4, "big") + part
