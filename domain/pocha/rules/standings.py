"""Ranks, winners, and extra hands to break a tie (rulebook 1.7, R-TIE-1 to R-TIE-6)."""

from collections.abc import Collection, Sequence
from enum import StrEnum
from typing import Annotated

import msgspec

from domain.pocha.rules.schedule import HandKind, HandPlan
from domain.pocha.rules.scoring import rank


class TiebreakStep(StrEnum):
    """A way to settle a tie for the win. The two kinds of extra hand are played until the tie is broken."""

    FEWEST_MISTAKEN_BIDS = "fewest-mistaken-bids"
    OROS_HANDS = "oros-hands"
    ONE_CARD_HANDS = "one-card-hands"


class TiebreakRules(msgspec.Struct, frozen=True):
    """The steps in their order; none means that a tie is a shared win (R-TIE-5), as is one left after `max_extra_hands` (R-TIE-6)."""

    steps: Annotated[tuple[TiebreakStep, ...], msgspec.Meta(max_length=3)] = ()
    max_extra_hands: Annotated[int, msgspec.Meta(ge=1, le=50)] = 50


def ranks(points: Sequence[int], missed: Sequence[int], rules: TiebreakRules) -> tuple[int, ...]:
    """Return each seat's rank by points and, where the rules say so, by hands missed (R-TIE-2); equals share a rank (R-TIE-1)."""
    if TiebreakStep.FEWEST_MISTAKEN_BIDS in rules.steps:
        return rank([(won, -lost) for won, lost in zip(points, missed, strict=True)])
    return rank([(won,) for won in points])


def winners(seat_ranks: Sequence[int], away: Collection[int] = ()) -> tuple[int, ...]:
    """Return the best of the seats whose players are not `away`, since nobody wins by a stand-in; if all are, the best of all."""
    present = [place for seat, place in enumerate(seat_ranks) if seat not in away]
    if not present:
        return winners(seat_ranks)
    return tuple(seat for seat, place in enumerate(seat_ranks) if place == min(present) and seat not in away)


def extra_hand(tied: int, most_cards: int, played: int, rules: TiebreakRules) -> HandPlan | None:
    """Return the next extra hand when `tied` players lead (all players take part, R-TIE-3); none when the game is over.

    `most_cards` is what can be dealt to each; `played` counts the extra hands so far.
    """
    if tied == 1 or played >= rules.max_extra_hands:
        return None
    if TiebreakStep.OROS_HANDS in rules.steps:
        return HandPlan(HandKind.OROS, most_cards)
    if TiebreakStep.ONE_CARD_HANDS in rules.steps:
        return HandPlan(HandKind.TIE_BREAK, 1)
    return None
