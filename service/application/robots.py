"""Robots that decide at once, on the event loop: for tools, and for tables without `hard` robots."""

from domain.pocha.rules.ruleset import Ruleset
from domain.robots import Choice, Observation, robot
from domain.table.table import Level


class InlineRobots:
    """Robots without threads. A decision of `hard` holds the event loop up for some milliseconds."""

    async def choose(self, level: Level, observation: Observation, ruleset: Ruleset, luck: int) -> Choice:
        """Return what the robot of `level` asks."""
        return robot(level)(observation, ruleset, luck)


INLINE = InlineRobots()
