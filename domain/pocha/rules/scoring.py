"""Points of a hand, and the order of the players by their totals (rulebook 1.7)."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Annotated

import msgspec
from msgspec import UNSET, UnsetType

from domain.cards import Card, Suit

Points = Annotated[int, msgspec.Meta(ge=0, le=100)]
Factor = Annotated[int, msgspec.Meta(ge=1, le=20)]


class MultiplierAppliesTo(StrEnum):
    """Whether missed bids are multiplied as well (rulebook R-SCO-2)."""

    HITS_AND_MISSES = "hits-and-misses"
    HITS_ONLY = "hits-only"


class SlamBonus(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """House rule "hacer pocha": bidding and taking every trick of a hand of at least `min_cards` multiplies its points by `factor`."""

    min_cards: Annotated[int, msgspec.Meta(ge=1, le=24)]
    factor: Factor


class ScoringRules(msgspec.Struct, frozen=True):
    """What a hand is worth. A hit is `hit_base` and `hit_per_trick` a trick; a miss costs `miss_per_trick` a trick of difference."""

    hit_base: Points = 10
    hit_per_trick: Points = 5
    miss_per_trick: Points = 5
    suit_multiplier: dict[Suit, Factor] = {}
    turn_up_multiplier: dict[Card, Factor] = {}
    multiplier_applies_to: MultiplierAppliesTo = MultiplierAppliesTo.HITS_AND_MISSES
    slam_bonus: SlamBonus | UnsetType = UNSET


def multiplier(trump: Suit | None, turn_up: Card | None, rules: ScoringRules) -> int:
    """Return the factor of a hand: the turned-up card's own, else the trump's, else 1 (rulebook R-SCO-3, R-SCO-4)."""
    if turn_up is not None and turn_up in rules.turn_up_multiplier:
        return rules.turn_up_multiplier[turn_up]
    return 1 if trump is None else rules.suit_multiplier.get(trump, 1)


def points(bid: int, tricks: int, cards: int, factor: int, rules: ScoringRules) -> int:
    """Return what one seat gains or loses in a hand of `cards` tricks (seed 000:63-69)."""
    if bid == tricks:
        return (rules.hit_base + rules.hit_per_trick * tricks) * factor * _slam(bid, cards, rules.slam_bonus)
    scale = factor if rules.multiplier_applies_to is MultiplierAppliesTo.HITS_AND_MISSES else 1
    return -rules.miss_per_trick * abs(bid - tricks) * scale


def _slam(bid: int, cards: int, bonus: SlamBonus | UnsetType) -> int:
    return bonus.factor if bonus is not UNSET and bid == cards >= bonus.min_cards else 1


def rank(keys: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    """Return the rank of each key, the highest being 1; equal keys share a rank: 1, 2, 2, 4 (rulebook R-TIE-1)."""
    places: Mapping[tuple[int, ...], int] = {
        key: place for place, key in reversed([*enumerate(sorted(keys, reverse=True), 1)])
    }
    return tuple(places[key] for key in keys)
