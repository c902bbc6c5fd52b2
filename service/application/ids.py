"""Names for new things."""

import secrets
import time
from uuid import UUID


def new_game_id() -> UUID:
    """Return a fresh UUID of version 7 (RFC 9562, method 3): ids that come later sort higher, to a quarter of a microsecond."""
    milliseconds, rest = divmod(time.time_ns(), 1_000_000)
    fraction = (rest << 12) // 1_000_000
    return UUID(int=(milliseconds << 80) | (0x7 << 76) | (fraction << 64) | (0b10 << 62) | secrets.randbits(62))


def new_player_id() -> str:
    """Return a fresh random UUID, written out."""
    return str(UUID(int=secrets.randbits(128), version=4))
