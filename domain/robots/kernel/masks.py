"""Sets of cards as masks of 48 bits (see `domain.robots.kernel.encoding`)."""

from domain.robots.kernel.encoding import LANE
from domain.robots.kernel.jit import as_instruction, compiled


@as_instruction("ctpop")
def count(mask: int) -> int:
    """Return the number of cards in `mask`."""
    return int(mask).bit_count()


@as_instruction("cttz", 1)
def lowest(mask: int) -> int:
    """Return the place of the lowest card in `mask`, which holds one."""
    return (int(mask) & -int(mask)).bit_length() - 1


@compiled
def lane(cards: int, suit: int) -> int:
    """Return those of `cards` that are of `suit`."""
    return cards & (LANE << (12 * suit))


@compiled
def above(cards: int, card: int) -> int:
    """Return those of `cards`, all of the suit of `card`, that beat it."""
    return cards & ~((2 << card) - 1)
