"""Which cards may be played to a trick, and which card takes it (rulebook section 3).

Everything here is asked with the values of a ruleset: `PlayRules` for the duties, the rank order for what beats what.
"""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from functools import cache

import msgspec

from domain.cards import Card, Suit

Ranks = Mapping[int, int]
"""Strength by card number: the higher beats the lower, within one suit."""


class MustBeat(StrEnum):
    """Whether a player who can follow must play above the highest card of the led suit (rulebook R-PLAY-2)."""

    LED_SUIT = "led-suit"
    NEVER = "never"


class Undertrump(StrEnum):
    """What a player without the led suit and without a high enough trump may do (rulebook R-PLAY-9)."""

    FREE = "free"
    FORCED = "forced"


class Duty(StrEnum):
    """The duty that an illegal card breaks."""

    FOLLOW = "must-follow"
    BEAT = "must-beat"
    TRUMP = "must-trump"
    OVERTRUMP = "must-overtrump"


class PlayRules(msgspec.Struct, frozen=True):
    """The duties of a player who does not lead. Following suit is always one, and comes first (rulebook R-PLAY-1)."""

    must_beat: MustBeat = MustBeat.LED_SUIT
    beat_waived_after_ruff: bool = True
    must_trump: bool = True
    must_overtrump: bool = True
    undertrump_when_cannot_overtrump: Undertrump = Undertrump.FREE


@cache
def ranks(order: tuple[int, ...]) -> Ranks:
    """Turn a rank order, card numbers from the highest to the lowest, into strengths."""
    return {number: strength for strength, number in enumerate(reversed(order))}


def legal_plays(
    hand: Sequence[Card], trick: Sequence[Card], trump: Suit | None, strength: Ranks, rules: PlayRules
) -> tuple[Card, ...]:
    """Return the cards of `hand` that may be played to `trick` (in play order), in the order of the hand.

    Never empty for a hand that is not. Seed 000:49, sentence by sentence: follow and beat, else follow, else trump higher, else any
    card; a trick already ruffed lifts the duty to beat.
    """
    if not trick:
        return tuple(hand)
    led = _of_suit(hand, trick[0].suit)
    if led:
        return _following(led, trick, trump, strength, rules)
    return _void(hand, trick, trump, strength, rules)


def broken_duty(card: Card, hand: Sequence[Card], trick: Sequence[Card], trump: Suit | None) -> Duty:
    """Return the duty that an illegal `card` of `hand` breaks: the first one in the order in which the rules ask."""
    suit = trick[0].suit
    if _of_suit(hand, suit):
        return Duty.BEAT if card.suit is suit else Duty.FOLLOW
    return Duty.OVERTRUMP if card.suit is trump else Duty.TRUMP


def winner(trick: Sequence[Card], trump: Suit | None, strength: Ranks) -> int:
    """Return the position in `trick` of the card that takes it: the highest trump, else the highest of the led suit (seed 000:53)."""
    return trick.index(winning_card(trick, trump, strength))


def winning_card(trick: Sequence[Card], trump: Suit | None, strength: Ranks) -> Card:
    """Return the card that takes a trick of at least one card."""
    return _highest(_of_suit(trick, trump) or _of_suit(trick, trick[0].suit), strength)


def _following(
    led: Sequence[Card], trick: Sequence[Card], trump: Suit | None, strength: Ranks, rules: PlayRules
) -> tuple[Card, ...]:
    if rules.must_beat is MustBeat.NEVER or (rules.beat_waived_after_ruff and _ruffed(trick, trump)):
        return tuple(led)
    return _above(led, _of_suit(trick, trick[0].suit), strength) or tuple(led)


def _void(
    hand: Sequence[Card], trick: Sequence[Card], trump: Suit | None, strength: Ranks, rules: PlayRules
) -> tuple[Card, ...]:
    mine, theirs = _of_suit(hand, trump), _of_suit(trick, trump)
    if not mine or not rules.must_trump:
        return tuple(hand)
    if not theirs:
        return tuple(mine)
    higher = _above(mine, theirs, strength)
    if higher:
        return higher if rules.must_overtrump else tuple(mine)
    return tuple(mine if rules.undertrump_when_cannot_overtrump is Undertrump.FORCED else hand)


def _ruffed(trick: Sequence[Card], trump: Suit | None) -> bool:
    """A trump on a lead of another suit; a trump that was led is no ruff (rulebook R-PLAY-3)."""
    return trick[0].suit is not trump and bool(_of_suit(trick, trump))


def _of_suit(cards: Sequence[Card], suit: Suit | None) -> list[Card]:
    return [card for card in cards if card.suit is suit]


def _highest(cards: Sequence[Card], strength: Ranks) -> Card:
    return max(cards, key=lambda card: strength[card.number])


def _above(cards: Sequence[Card], others: Sequence[Card], strength: Ranks) -> tuple[Card, ...]:
    bar = max(strength[card.number] for card in others)
    return tuple(card for card in cards if strength[card.number] > bar)
