"""Random numbers for the kernel: xorshift on one word of state, so that equal seeds give equal decisions on every machine."""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from domain.robots.kernel.jit import compiled
from domain.robots.kernel.masks import count, lowest

Ints: TypeAlias = NDArray[np.int64]


def seeded(luck: int) -> Ints:
    """Return the state of a generator that starts from `luck`."""
    return np.array([(luck ^ 0x9E3779B97F4A7C15) % (2**61 - 2) + 1], dtype=np.int64)


@compiled
def below(luck: Ints, bound: int) -> int:
    """Return a random number from 0 to `bound`, that excluded."""
    word = luck[0]
    word ^= word << 13
    word ^= (word >> 7) & 0x1FFFFFFFFFFFFFF
    word ^= word << 17
    luck[0] = word
    return ((word >> 20) & 0x7FFFFFFF) % bound


@compiled
def one_of(luck: Ints, cards: int) -> int:
    """Return the place of a random card of `cards`, which holds one."""
    for _ in range(below(luck, count(cards))):
        cards &= cards - 1
    return lowest(cards)
