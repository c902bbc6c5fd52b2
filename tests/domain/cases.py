"""The worked cases of `data/cases.json`, case by case."""

import json
from pathlib import Path
from typing import Any, Protocol, TypeVar

import msgspec
import pytest

from domain.pocha.rules.presets import PRESETS
from domain.pocha.rules.ruleset import Ruleset

DATA = Path(__file__).parent / "data"


class Case(Protocol):
    """What every case has."""

    @property
    def id(self) -> str: ...


C = TypeVar("C", bound=Case)

_NO_SECTIONS = ("meta", "quotes")

TESTED: set[str] = set()
"""Ids of the cases that a test was made from."""


def raw() -> dict[str, Any]:
    """Return the whole file."""
    return json.loads((DATA / "cases.json").read_text())


def every_id() -> list[str]:
    """Return the ids of all cases, of all sections."""
    return [case["id"] for name, section in raw().items() if name not in _NO_SECTIONS for case in section]


def each(section: str, shape: type[C], *ids: str) -> pytest.MarkDecorator:
    """Make one test of every case of `section`, or of those with these `ids`."""
    found = [msgspec.convert(case, shape) for case in raw()[section] if not ids or case["id"] in ids]
    TESTED.update(case.id for case in found)
    return pytest.mark.parametrize("case", found, ids=[case.id for case in found])


def preset(name: str, override: dict[str, Any] | None = None) -> Ruleset:
    """Return a preset, with the parameters of `override` (`scoring.suitMultiplier`) set on top."""
    tree: Any = msgspec.to_builtins(PRESETS[name])
    for dotted, value in (override or {}).items():
        group, parameter = dotted.split(".")
        tree[group][snake(parameter)] = value
    return msgspec.convert(tree, Ruleset)


def snake(camel: str) -> str:
    """Return `suitMultiplier` as `suit_multiplier`."""
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in camel)
