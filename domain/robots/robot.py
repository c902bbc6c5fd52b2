"""What a robot is: a function from what a seat may know to a command."""

from datetime import UTC, datetime
from typing import Protocol

import msgspec

from domain.pocha.model.commands import Move
from domain.pocha.model.state import State
from domain.pocha.rules.ruleset import Ruleset
from domain.pocha.view.game_view import ViewContext, see
from domain.pocha.view.schema import GameView

# Id, version and times are the same for every observation: a robot's moves follow from the cards.
_CONTEXT = ViewContext("", 1, datetime.fromtimestamp(0, UTC), datetime.fromtimestamp(0, UTC))


class Observation(msgspec.Struct, frozen=True):
    """What a player at `seat` may know of the hand: the `view` of that seat."""

    seat: int
    view: GameView


class Robot(Protocol):
    """Chooses a legal move for the seat on turn."""

    def __call__(self, observation: Observation, ruleset: Ruleset, luck: int, /) -> Move:
        """Return a legal move; `ruleset` is the game's, `luck` a random number of 32 bits.

        Raises:
            NotOnTurn: the seat that observes has no move to make.
        """
        ...


class NotOnTurn(ValueError):
    """The observation is not that of the seat on turn: it tells of no legal move."""


def observe(state: State, seat: int) -> Observation:
    """Return what a player at `seat` may know."""
    return Observation(seat, see(state, seat, _CONTEXT))
