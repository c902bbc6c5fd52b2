"""Robots: functions from what a seat may know to a command."""

from collections.abc import Mapping
from types import MappingProxyType

from domain.robots import easy
from domain.robots.robot import NotOnTurn, Observation, Robot, observe
from domain.table.table import Level

__all__ = ["ROBOTS", "NotOnTurn", "Observation", "Robot", "observe"]

ROBOTS: Mapping[Level, Robot] = MappingProxyType({Level.EASY: easy.choose})
"""The robot of each level."""
