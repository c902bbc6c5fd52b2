"""The easy robot: a beginner. Bids by the looks of its cards, plays high while it wants tricks and low when it does not.

It counts nothing, and makes the mistakes that beginners make: it spends winners early, keeps cards that will be hard to lose, and does not
mind what others bid.
"""

from collections.abc import Sequence
from typing import assert_never

from domain.cards import Card, Suit
from domain.pocha.model.commands import ChooseTrump, MakeAuctionBid, MakeBid, Move, PassAuction, PickBlind, PlayCard
from domain.pocha.rules.ruleset import Ruleset
from domain.pocha.view.schema import Action
from domain.robots.observation import Observation

_SLIPS = 8
"""One card in so many is played without a thought."""


def choose(seen: Observation, ruleset: Ruleset, luck: int) -> Move:
    """Return a legal command for the seat on turn."""
    seat, legal = seen.seat, seen.choices
    match legal.action:
        case Action.BID:
            return MakeBid(seat, _nearest(legal.bids, _likely_tricks(seen, seen.trump, ruleset)))
        case Action.PLAY:
            return PlayCard(seat, _play(seen, ruleset, luck))
        case Action.AUCTION_BID:
            return _call(seen, ruleset)
        case Action.CHOOSE_TRUMP:
            return ChooseTrump(seat, _best_suit(seen, ruleset))
        case Action.BLIND_PICK:
            return PickBlind(seat)
        case _:
            assert_never(legal.action)


def _play(seen: Observation, ruleset: Ruleset, luck: int) -> Card:
    legal = seen.choices.cards
    if luck % _SLIPS == 0:
        return legal[luck // _SLIPS % len(legal)]
    strength = ruleset.deck.strengths
    wanted = (seen.bids[seen.seat] or 0) - seen.won[seen.seat]
    pick = max if wanted > 0 else min
    return pick(legal, key=lambda card: (card.suit is seen.trump, strength[card.number]))


def _call(seen: Observation, ruleset: Ruleset) -> Move:
    """Bid what the hand is worth in its best suit, if that may be said; otherwise pass where one may."""
    worth = _likely_tricks(seen, _best_suit(seen, ruleset), ruleset)
    legal = seen.choices
    if legal.may_pass and worth not in legal.bids:
        return PassAuction(seen.seat)
    return MakeAuctionBid(seen.seat, _nearest(legal.bids, worth))


def _best_suit(seen: Observation, ruleset: Ruleset) -> Suit:
    return max(Suit, key=lambda suit: _likely_tricks(seen, suit, ruleset))


def _likely_tricks(seen: Observation, trump: Suit | None, ruleset: Ruleset) -> int:
    """Count the cards that look like winners: the two highest of each suit, and the trumps of the upper half.

    In an india hand: one trick where no card of the others looks like a winner.
    """
    if seen.others:
        return int(not any(_looks_good(card, trump, ruleset) for held in seen.others for card in held))
    return sum(_looks_good(card, trump, ruleset) for card in seen.hand)


def _looks_good(card: Card, trump: Suit | None, ruleset: Ruleset) -> bool:
    strengths = ruleset.deck.strengths
    height = len(strengths) - strengths[card.number]
    return height <= (len(strengths) // 2 if card.suit is trump else 2)


def _nearest(legal: Sequence[int], wanted: int) -> int:
    return min(legal, key=lambda bid: abs(bid - wanted))
