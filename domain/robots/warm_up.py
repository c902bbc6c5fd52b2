"""Compiles the search, or loads it from its cache, by making two decisions: `python -m domain.robots.warm_up` while an image is built."""

from msgspec.structs import replace

from domain.cards import Card, Suit
from domain.pocha.model.state import Trick
from domain.pocha.rules.presets import DEFAULT
from domain.pocha.rules.schedule import HandKind
from domain.pocha.view.schema import Action
from domain.robots import hard
from domain.robots.observation import Choices, Observation

_HAND = (Card.OROS_1, Card.COPAS_2)
_TO_BID = Observation(
    seat=0,
    players=3,
    number=1,
    kind=HandKind.NORMAL,
    cards=2,
    dealer=0,
    trump=Suit.OROS,
    turn_up=Card.OROS_5,
    dealers_turn_up=False,
    multiplier=1,
    hand=_HAND,
    bids=(None, 0, 0),
    won=(0, 0, 0),
    tricks=(),
    trick=Trick(0),
    totals=(0, 0, 0),
    choices=Choices(Action.BID, bids=(0, 1, 2)),
)
_TO_PLAY = replace(_TO_BID, bids=(1, 0, 0), choices=Choices(Action.PLAY, cards=_HAND))


def warm_up() -> None:
    """Make the search ready: seconds where it must be compiled, and less than one where it is cached."""
    for observation in (_TO_BID, _TO_PLAY):
        hard.choose(observation, DEFAULT, 0, hard.reduced(0.0))


if __name__ == "__main__":
    warm_up()
