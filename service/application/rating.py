"""Ratings by the Plackett-Luce model (Weng and Lin 2011), as `openskill` computes them."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import msgspec
from openskill.models import PlackettLuce

from domain.table.table import Level

_MODEL = PlackettLuce()


class Skill(msgspec.Struct, frozen=True):
    """The estimated skill of a player: mean and deviation."""

    mu: float
    sigma: float


NEWCOMER = Skill(25.0, 25.0 / 3)
"""The skill of whom nothing is known."""

ROBOTS: Mapping[Level, Skill] = MappingProxyType(
    {Level.EASY: Skill(17.0, 1.0), Level.NORMAL: Skill(25.0, 1.0), Level.HARD: Skill(28.0, 1.0)}
)
"""The skills of robots, which games do not change."""


def rated(skills: Sequence[Skill], places: Sequence[int]) -> list[Skill]:
    """Return the skills after a game in which each came to a place, 1 for the best; equal places are ties."""
    teams = [[_MODEL.rating(mu=skill.mu, sigma=skill.sigma)] for skill in skills]
    after = _MODEL.rate(teams, ranks=[float(place) for place in places])
    return [Skill(team[0].mu, team[0].sigma) for team in after]
