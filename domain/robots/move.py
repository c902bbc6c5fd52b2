"""What every robot is: a function, and the moves it answers with."""

from collections.abc import Callable

import msgspec

from domain.cards import Card
from domain.pocha.ruleset import Ruleset
from domain.pocha.seen import GameView


class Bid(msgspec.Struct, frozen=True):
    """Bid so many tricks."""

    bid: int


class Play(msgspec.Struct, frozen=True):
    """Play this card."""

    card: Card


Move = Bid | Play

Robot = Callable[[GameView, Ruleset, int], Move]
"""Takes the view of the seat on turn, the ruleset of the game (public) and a random number; returns a legal move."""


class NotOnTurn(ValueError):
    """The view is not that of a seat on turn: it tells of no legal move."""
