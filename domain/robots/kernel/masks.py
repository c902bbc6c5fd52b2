"""Sets of cards as masks of 48 bits (see `domain.robots.kernel.encoding`)."""

from domain.robots.kernel.encoding import LANE
from domain.robots.kernel.jit import compiled


@compiled
def count(mask: int) -> int:
    """Return the number of cards in `mask`."""
    mask -= (mask >> 1) & 0x555555555555
    mask = (mask & 0x333333333333) + ((mask >> 2) & 0x333333333333)
    mask = (mask + (mask >> 4)) & 0x0F0F0F0F0F0F
    mask += mask >> 8
    mask += mask >> 16
    mask += mask >> 32
    return mask & 0x3F


@compiled
def lowest(mask: int) -> int:
    """Return the place of the lowest card in `mask`, which holds one."""
    return count((mask & -mask) - 1)


@compiled
def lane(cards: int, suit: int) -> int:
    """Return those of `cards` that are of `suit`."""
    return cards & (LANE << (12 * suit))


@compiled
def above(cards: int, card: int) -> int:
    """Return those of `cards`, all of the suit of `card`, that beat it."""
    return cards & ~((2 << card) - 1)
