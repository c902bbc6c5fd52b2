"""The easy robot: bids what its hand looks like at a glance, and plays any legal card."""

from collections.abc import Sequence

from msgspec import UnsetType

from domain import tricks
from domain.cards import Card, Suit
from domain.pocha.ruleset import Ruleset
from domain.pocha.seen import GameView, HandView
from domain.robots.move import Bid, Move, NotOnTurn, Play


def choose(view: GameView, ruleset: Ruleset, luck: int) -> Move:
    """Return a legal move for the seat that `view` belongs to; `luck` picks among the legal cards.

    Raises:
        NotOnTurn: that seat has no move to make.
    """
    if isinstance(view.turn, UnsetType) or isinstance(view.hand, UnsetType):
        raise NotOnTurn
    if not isinstance(view.turn.legal_bids, UnsetType):
        return Bid(_nearest(view.turn.legal_bids, _likely_tricks(view.hand, ruleset)))
    if not isinstance(view.turn.legal_cards, UnsetType):
        return Play(view.turn.legal_cards[luck % len(view.turn.legal_cards)])
    raise NotOnTurn


def _likely_tricks(hand: HandView, ruleset: Ruleset) -> int:
    """Count the cards that look like winners: the two highest of each suit, and the trumps of the upper half."""
    if isinstance(hand.my_cards, UnsetType):
        return 0
    trump = None if isinstance(hand.trump, UnsetType) else hand.trump
    return sum(_looks_good(card, trump, ruleset) for card in hand.my_cards)


def _looks_good(card: Card, trump: Suit | None, ruleset: Ruleset) -> bool:
    order = ruleset.deck.rank_order
    height = len(order) - tricks.ranks(order)[card.number]
    return height <= (len(order) // 2 if card.suit is trump else 2)


def _nearest(legal: Sequence[int], wanted: int) -> int:
    return min(legal, key=lambda bid: abs(bid - wanted))
