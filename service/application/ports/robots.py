"""The robots that play seats."""

from typing import Protocol

from domain.pocha.rules.ruleset import Ruleset
from domain.robots import Choice, Observation
from domain.table.table import Level


class Robots(Protocol):
    """Chooses for the seats that the service plays."""

    async def choose(self, level: Level, observation: Observation, ruleset: Ruleset, luck: int) -> Choice:
        """Return what the robot of `level` asks for the seat on turn: always a legal command."""
        ...
