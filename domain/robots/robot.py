"""What a robot is: a function from what a seat may know to a command."""

from typing import Protocol

from domain.pocha.model.commands import ClaimRenuncio, Move
from domain.pocha.rules.ruleset import Ruleset
from domain.robots.observation import Observation

Choice = Move | ClaimRenuncio
"""What a robot may ask: its move, or first, where renuncios are punished, a claim."""


class Robot(Protocol):
    """Chooses a legal command for the seat on turn."""

    def __call__(self, observation: Observation, ruleset: Ruleset, luck: int, /) -> Choice:
        """Return a legal command; `ruleset` is the game's, `luck` a random number of 32 bits. Equal arguments give equal answers."""
        ...
