"""The easy robot: bids what its hand looks like at a glance, and plays any legal card."""

from collections.abc import Sequence
from typing import assert_never

from msgspec import UNSET

from domain import tricks
from domain.cards import Card, Suit
from domain.pocha.model.commands import ChooseTrump, MakeAuctionBid, MakeBid, Move, PassAuction, PickBlind, PlayCard
from domain.pocha.rules.ruleset import Ruleset
from domain.pocha.view.schema import AuctionTurn, BidTurn, BlindPickTurn, ChooseTrumpTurn, HandView, PlayTurn, WaitTurn
from domain.robots.robot import NotOnTurn, Observation


def choose(observation: Observation, ruleset: Ruleset, luck: int) -> Move:
    """Return a legal move; `luck` picks among the legal cards.

    Raises:
        NotOnTurn: the seat that observes has no move to make.
    """
    seat, turn, hand = observation.seat, observation.view.turn, observation.view.hand
    if turn is UNSET or hand is UNSET or isinstance(turn, WaitTurn):
        raise NotOnTurn
    match turn:
        case BidTurn():
            return MakeBid(seat, _nearest(turn.legal_bids, _likely_tricks(hand, _trump_of(hand), ruleset)))
        case PlayTurn():
            legal = turn.legal_cards
            return PlayCard(seat, legal[luck % len(legal)])
        case AuctionTurn():
            return _auction_bid(turn, hand, ruleset)
        case ChooseTrumpTurn():
            return ChooseTrump(seat, _best_suit(hand, ruleset))
        case BlindPickTurn():
            return PickBlind(seat)
        case _:
            assert_never(turn)


def _auction_bid(turn: AuctionTurn, hand: HandView, ruleset: Ruleset) -> Move:
    """Bid what the hand is worth in its best suit, if that may be said; otherwise pass where one may."""
    worth = _likely_tricks(hand, _best_suit(hand, ruleset), ruleset)
    legal = turn.legal_bids
    return (
        PassAuction(turn.seat)
        if turn.may_pass and worth not in legal
        else MakeAuctionBid(turn.seat, _nearest(legal, worth))
    )


def _best_suit(hand: HandView, ruleset: Ruleset) -> Suit:
    return max(Suit, key=lambda suit: _likely_tricks(hand, suit, ruleset))


def _likely_tricks(hand: HandView, trump: Suit | None, ruleset: Ruleset) -> int:
    """Count the cards that look like winners: the two highest of each suit, and the trumps of the upper half.

    Who does not see the own card looks at the others': one trick where none of those looks like a winner.
    """
    if hand.my_cards is UNSET:
        others = [card for seen in hand.seen_cards or () for card in seen.cards]
        return int(not any(_looks_good(card, trump, ruleset) for card in others))
    return sum(_looks_good(card, trump, ruleset) for card in hand.my_cards)


def _trump_of(hand: HandView) -> Suit | None:
    return None if hand.trump is UNSET else hand.trump


def _looks_good(card: Card, trump: Suit | None, ruleset: Ruleset) -> bool:
    order = ruleset.deck.rank_order
    height = len(order) - tricks.ranks(order)[card.number]
    return height <= (len(order) // 2 if card.suit is trump else 2)


def _nearest(legal: Sequence[int], wanted: int) -> int:
    return min(legal, key=lambda bid: abs(bid - wanted))
