"""Robots: functions from what a seat may know to a command."""

from domain.pocha.rules.ruleset import Ruleset
from domain.robots import claims, easy, normal
from domain.robots.observation import NotOnTurn, Observation, observe
from domain.robots.robot import Choice, Robot
from domain.table.table import Level

__all__ = ["Choice", "NotOnTurn", "Observation", "Robot", "observe", "robot", "with_claims"]


def robot(level: Level) -> Robot:
    """Return the robot of a level. The first call for `hard` imports the compiler, which takes about a second."""
    match level:
        case Level.EASY:
            return with_claims(easy.choose)
        case Level.NORMAL:
            return with_claims(normal.choose)
        case Level.HARD:
            from domain.robots import hard  # noqa: PLC0415

            return with_claims(hard.choose)


def with_claims(moves: Robot) -> Robot:
    """Return a robot that claims what it can prove before it moves."""

    def choose(observation: Observation, ruleset: Ruleset, luck: int, /) -> Choice:
        return claims.claim(observation, ruleset) or moves(observation, ruleset, luck)

    return choose
