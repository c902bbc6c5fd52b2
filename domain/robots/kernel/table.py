"""The trick under way, as an array of seven numbers; `NONE` where there is no such thing yet."""

from domain.robots.kernel.encoding import NONE, Rules
from domain.robots.kernel.jit import compiled
from domain.robots.kernel.luck import Ints

LEADER = 0
"""The seat that leads, or led."""
PLACED = 1
"""How many cards lie."""
LED = 2
"""The suit led."""
BAR = 3
"""The highest card of the suit led."""
RUFF = 4
"""The highest trump, on a lead of another suit."""
TAKER = 5
"""The seat that takes the trick as it lies."""
SEEN = 6
"""All cards that have been played in the hand, and those out of play for all to see: a mask."""
SIZE = 7


@compiled
def put(table: Ints, seat: int, card: int, rules: Rules) -> None:
    """Lay `card` on the table."""
    suit = card // 12
    if table[LED] == NONE:
        table[LED], table[BAR], table[TAKER] = suit, card, seat
    elif suit == table[LED]:
        if card > table[BAR]:
            table[BAR] = card
            if table[RUFF] == NONE:
                table[TAKER] = seat
    elif suit == rules.trump and card > table[RUFF]:
        table[RUFF], table[TAKER] = card, seat
    table[PLACED] += 1
    table[SEEN] |= 1 << card


@compiled
def clear(table: Ints) -> None:
    """Take the complete trick off the table: its taker leads."""
    table[LEADER] = table[TAKER]
    table[PLACED] = 0
    table[LED] = table[BAR] = table[RUFF] = table[TAKER] = NONE
