"""Tricks: legal cards, and the winning card (rulebook section 3).

The functions take values of a ruleset: `PlayRules` for the duties, the rank order for the strength of cards.
"""

from collections.abc import Mapping, Sequence
from enum import StrEnum

import msgspec

from domain.cards import Card, Suit

Strengths = Mapping[int, int]
"""Strength by card number: the higher beats the lower, within one suit."""


class MustBeat(StrEnum):
    """Whether a player who can follow must play above the highest card of the led suit (rulebook R-PLAY-2)."""

    LED_SUIT = "led-suit"
    NEVER = "never"


class Undertrump(StrEnum):
    """What a player without the led suit and without a high enough trump may do (rulebook R-PLAY-9)."""

    FREE = "free"
    FORCED = "forced"


_NEVER = MustBeat.NEVER  # members of an enum are slow to look up in Python 3.11, and this is asked for every card


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


def strengths(order: tuple[int, ...]) -> Strengths:
    """Turn a rank order, card numbers from the highest to the lowest, into strengths."""
    return {number: strength for strength, number in enumerate(reversed(order))}


def legal_plays(
    hand: tuple[Card, ...], trick: Sequence[Card], trump: Suit | None, strength: Strengths, rules: PlayRules
) -> tuple[Card, ...]:
    """Return the cards of `hand` that may be played to `trick` (in play order), in the order of the hand.

    Never empty for a hand that is not. Seed 000:49, sentence by sentence: follow and beat, else follow, else trump higher, else any
    card; a trick already ruffed lifts the duty to beat.
    """
    if not trick or len(hand) == 1:
        return hand
    suit = trick[0].suit
    led = tuple([card for card in hand if card.suit is suit])
    if led:
        return _following(led, trick, trump, strength, rules)
    return _void(hand, trick, trump, strength, rules)


def broken_duty(card: Card, hand: Sequence[Card], trick: Sequence[Card], trump: Suit | None) -> Duty:
    """Return the duty that an illegal `card` of `hand` breaks: the first one in the order in which the rules ask."""
    suit = trick[0].suit
    if _of_suit(hand, suit):
        return Duty.BEAT if card.suit is suit else Duty.FOLLOW
    return Duty.OVERTRUMP if card.suit is trump else Duty.TRUMP


def winner(trick: Sequence[Card], trump: Suit | None, strength: Strengths) -> int:
    """Return the position in `trick` of the card that takes it: the highest trump, else the highest of the led suit (seed 000:53)."""
    return trick.index(winning_card(trick, trump, strength))


def winning_card(trick: Sequence[Card], trump: Suit | None, strength: Strengths) -> Card:
    """Return the card that takes a trick of at least one card."""
    best, *others = trick
    for card in others:
        if card.suit is best.suit:
            if strength[card.number] > strength[best.number]:
                best = card
        elif card.suit is trump:
            best = card
    return best


def _following(
    led: tuple[Card, ...], trick: Sequence[Card], trump: Suit | None, strength: Strengths, rules: PlayRules
) -> tuple[Card, ...]:
    """A trump on a lead of another suit is a ruff; a trump that was led is none (rulebook R-PLAY-3)."""
    if rules.must_beat is _NEVER or len(led) == 1:
        return led
    best = winning_card(trick, trump, strength)
    if best.suit is led[0].suit:
        return _above(led, best, strength) or led
    if rules.beat_waived_after_ruff:
        return led
    return _above(led, winning_card(_of_suit(trick, led[0].suit), None, strength), strength) or led


def _void(
    hand: tuple[Card, ...], trick: Sequence[Card], trump: Suit | None, strength: Strengths, rules: PlayRules
) -> tuple[Card, ...]:
    trumps = _of_suit(hand, trump)
    if not trumps or not rules.must_trump:
        return hand
    best = winning_card(trick, trump, strength)
    if best.suit is not trump:
        return trumps
    higher = _above(trumps, best, strength)
    if higher:
        return higher if rules.must_overtrump else trumps
    return trumps if rules.undertrump_when_cannot_overtrump is Undertrump.FORCED else hand


def _of_suit(cards: Sequence[Card], suit: Suit | None) -> tuple[Card, ...]:
    return tuple([card for card in cards if card.suit is suit])


def _above(cards: Sequence[Card], other: Card, strength: Strengths) -> tuple[Card, ...]:
    bar = strength[other.number]
    return tuple([card for card in cards if strength[card.number] > bar])
