"""How the kernel writes down cards and rules. Needs no compiler, so it may be imported anywhere.

A card is its place in a mask of 48 bits, `12 * suit + strength`: suits by number in the order of `Suit`, and within a suit the higher place
beats the lower.
"""

from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from domain import tricks
from domain.cards import Card, Suit
from domain.pocha.rules.ruleset import Ruleset
from domain.pocha.rules.scoring import MultiplierAppliesTo
from domain.tricks import MustBeat, Undertrump

LANE = 0xFFF
"""The cards of suit 0; shifted by `12 * suit`, those of another one."""
NONE = -1
"""No card, no suit, no seat."""

_SUITS = tuple(Suit)


class Rules(NamedTuple):
    """What a hand is played and scored by: `domain.tricks.PlayRules` and `domain.pocha.rules.scoring`, spelled out for one hand.

    `trump` is a suit or `NONE`; `hit_factor` and `miss_factor` hold the hand's multiplier; `slam_factor` is 1 where there is no bonus.
    """

    players: int
    cards: int
    trump: int
    must_beat: bool
    beat_waived_after_ruff: bool
    must_trump: bool
    must_overtrump: bool
    undertrump_forced: bool
    hit_base: int
    hit_per_trick: int
    miss_per_trick: int
    hit_factor: int
    miss_factor: int
    slam_factor: int


def rules_of(ruleset: Ruleset, players: int, cards: int, trump: Suit | None, multiplier: int) -> Rules:
    """Return the rules of a hand of `cards` tricks with this trump and multiplier."""
    play, scoring = ruleset.play, ruleset.scoring
    bonus = scoring.slam_bonus
    both = scoring.multiplier_applies_to is MultiplierAppliesTo.HITS_AND_MISSES
    return Rules(
        players=players,
        cards=cards,
        trump=suit_number(trump),
        must_beat=play.must_beat is MustBeat.LED_SUIT,
        beat_waived_after_ruff=play.beat_waived_after_ruff,
        must_trump=play.must_trump,
        must_overtrump=play.must_overtrump,
        undertrump_forced=play.undertrump_when_cannot_overtrump is Undertrump.FORCED,
        hit_base=scoring.hit_base,
        hit_per_trick=scoring.hit_per_trick,
        miss_per_trick=scoring.miss_per_trick,
        hit_factor=multiplier,
        miss_factor=multiplier if both else 1,
        slam_factor=bonus.factor if bonus and cards >= bonus.min_cards else 1,
    )


def suit_number(suit: Suit | None) -> int:
    """Return the number of `suit`; `NONE` for none."""
    return NONE if suit is None else _SUITS.index(suit)


class Places:
    """The places of cards in masks, for one rank order."""

    def __init__(self, order: tuple[int, ...]) -> None:
        strength = tricks.strengths(order)
        self._place = {
            card: 12 * suit_number(card.suit) + strength[card.number] for card in Card if card.number in strength
        }
        self._card = {place: card for card, place in self._place.items()}

    def place(self, card: Card) -> int:
        """Return the place of `card`."""
        return self._place[card]

    def card(self, place: int) -> Card:
        """Return the card at `place`."""
        return self._card[int(place)]

    def mask(self, cards: Iterable[Card]) -> int:
        """Return the mask of `cards`."""
        return sum(1 << self._place[card] for card in cards)

    def cards(self, mask: int) -> tuple[Card, ...]:
        """Return the cards of `mask`, the lowest place first."""
        return tuple(card for place, card in sorted(self._card.items()) if mask >> place & 1)


@cache
def places(order: tuple[int, ...]) -> Places:
    """Return the places of the cards under a rank order (from the highest number to the lowest)."""
    return Places(order)
