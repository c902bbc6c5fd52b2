"""What every robot is: a function, and the moves it answers with."""

from collections.abc import Callable
from typing import assert_never

import msgspec

from domain.cards import Card, Suit
from domain.pocha.model.commands import ChooseTrump, Command, MakeAuctionBid, MakeBid, PassAuction, PickBlind, PlayCard
from domain.pocha.rules.ruleset import Ruleset
from domain.pocha.view.schema import GameView


class Bid(msgspec.Struct, frozen=True):
    """Bid so many tricks."""

    bid: int


class Play(msgspec.Struct, frozen=True):
    """Play this card."""

    card: Card


class AuctionBid(msgspec.Struct, frozen=True):
    """Bid so many tricks for the right to name trump."""

    bid: int


class AuctionPass(msgspec.Struct, frozen=True):
    """Leave the naming of trump to others."""


class NameTrump(msgspec.Struct, frozen=True):
    """Name trump."""

    suit: Suit


class LeaveTheLastCard(msgspec.Struct, frozen=True):
    """Point at no card: the last one dealt marks trump."""


Move = Bid | Play | AuctionBid | AuctionPass | NameTrump | LeaveTheLastCard

Robot = Callable[[GameView, Ruleset, int], Move]
"""Takes the view of the seat on turn, the ruleset of the game (public) and a random number; returns a legal move."""


class NotOnTurn(ValueError):
    """The view is not that of a seat on turn: it tells of no legal move."""


def command_of(seat: int, asked: Move) -> Command:
    """Return the command that carries out the move of the robot at `seat`."""
    match asked:
        case Bid(bid=bid):
            return MakeBid(seat, bid)
        case Play(card=card):
            return PlayCard(seat, card)
        case AuctionBid(bid=bid):
            return MakeAuctionBid(seat, bid)
        case AuctionPass():
            return PassAuction(seat)
        case NameTrump(suit=suit):
            return ChooseTrump(seat, suit)
        case LeaveTheLastCard():
            return PickBlind(seat)
        case _:
            assert_never(asked)
