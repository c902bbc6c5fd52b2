"""Deal of a shuffled pack: hands, stock and trump (rulebook 1.2)."""

from collections.abc import Sequence

import msgspec

from domain.cards import Card, Suit
from domain.pocha.rules.schedule import HandKind, HandPlan
from domain.seats import next_seat


class Dealt(msgspec.Struct, frozen=True):
    """The cards after the deal. `hands` are listed by seat, each in the order in which it came."""

    hands: tuple[tuple[Card, ...], ...]
    stock: tuple[Card, ...]
    trump: Suit | None
    turn_up: Card | None


def deal(deck: Sequence[Card], plan: HandPlan, dealer: int, players: int) -> Dealt:
    """Deal `deck`, its first card first, one by one from the mano (seed 000:41).

    The card after the last one dealt marks trump; where none is left, the last one dealt does, and stays the dealer's (R-TRU-1).
    """
    count = plan.cards * players
    mano = next_seat(dealer, players)
    hands = tuple(tuple(deck[(seat - mano) % players : count : players]) for seat in range(players))
    trump, turn_up = _trump(deck, count, plan.kind)
    return Dealt(hands, tuple(card for card in deck[count:] if card is not turn_up), trump, turn_up)


def _trump(deck: Sequence[Card], count: int, kind: HandKind) -> tuple[Suit | None, Card | None]:
    """Oros, ciega and subastado hands turn nothing up (rulebook R-ORO-1, R-CIE-1, seed 000:57)."""
    match kind:
        case HandKind.OROS:
            return Suit.OROS, None
        case HandKind.CIEGA | HandKind.SUBASTADO:
            return None, None
        case _:
            turn_up = deck[min(count, len(deck) - 1)]
            return turn_up.suit, turn_up
