"""The rules of one hand on bit masks: which cards may be played, who takes a trick, what a hand is worth."""

from domain.robots.kernel.encoding import NONE, Rules
from domain.robots.kernel.jit import compiled
from domain.robots.kernel.luck import Ints
from domain.robots.kernel.masks import above, lane
from domain.robots.kernel.table import BAR, LED, RUFF


@compiled
def legal(hand: int, table: Ints, rules: Rules) -> int:
    """Return the cards of `hand` that may be played."""
    led, ruff = table[LED], table[RUFF]
    if led == NONE:
        return hand
    follow = lane(hand, led)
    if follow:
        if not rules.must_beat or (ruff != NONE and rules.beat_waived_after_ruff):
            return follow
        higher = above(follow, table[BAR])
        return higher or follow
    if rules.trump == NONE or not rules.must_trump:
        return hand
    trumps = lane(hand, rules.trump)
    if not trumps or ruff == NONE:
        return trumps or hand
    higher = above(trumps, ruff)
    if higher:
        return higher if rules.must_overtrump else trumps
    return trumps if rules.undertrump_forced else hand


@compiled
def beats(card: int, table: Ints, rules: Rules) -> bool:
    """Tell whether `card` would take the trick as it lies."""
    suit = card // 12
    if suit == table[LED]:
        return table[RUFF] == NONE and card > table[BAR]
    return suit == rules.trump and card > table[RUFF]


@compiled
def points(bid: int, won: int, rules: Rules) -> int:
    """Return what a seat gains or loses that bid `bid` and took `won` tricks."""
    if bid == won:
        slam = rules.slam_factor if bid == rules.cards else 1
        return (rules.hit_base + rules.hit_per_trick * won) * rules.hit_factor * slam
    return -rules.miss_per_trick * abs(bid - won) * rules.miss_factor
