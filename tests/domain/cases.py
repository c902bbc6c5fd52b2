"""The worked cases of `data/cases.json`, case by case; those that wait for a later step are named here, with the reason."""

import json
from pathlib import Path
from typing import Any, Protocol, TypeVar

import msgspec
import pytest

from domain.pocha.presets import PRESETS
from domain.pocha.ruleset import Ruleset

DATA = Path(__file__).parent / "data"


class Case(Protocol):
    """What every case has."""

    @property
    def id(self) -> str: ...


C = TypeVar("C", bound=Case)

_AUCTION = "subastado hands are auctioned in step 2"
_INDIA = "india hands are shown and played in step 2"
_CLAIM = "renuncios are claimed in step 2; until then every illegal card is refused (RN-06)"

WAITING = {
    **{f"AD-{number:02}": _AUCTION for number in (1, 2, 4, 5, 7, 10, 11)},
    **{f"AL-{number:02}": _AUCTION for number in (2, 3, 4, 7, 8, 9, 10, 12)},
    "HK-21": _AUCTION,
    **{f"IV-{number:02}": _INDIA for number in (1, 2, 5, 8, 11)},
    **{f"RN-{number:02}": _CLAIM for number in (1, 2, 4)},
    "TM-03": "the dealer's blind pick comes in step 2; its default, the last card dealt, is TM-04",
}
"""Ids of the cases that concern what does not exist yet, and why."""

_NO_SECTIONS = ("meta", "quotes")

TESTED: set[str] = set()
"""Ids of the cases that a test was made from."""


def raw() -> dict[str, Any]:
    """Return the whole file."""
    return json.loads((DATA / "cases.json").read_text())


def every_id() -> list[str]:
    """Return the ids of all cases, of all sections."""
    return [case["id"] for name, section in raw().items() if name not in _NO_SECTIONS for case in section]


def each(section: str, shape: type[C]) -> pytest.MarkDecorator:
    """Make one test of every case of `section` that does not wait."""
    found = [msgspec.convert(case, shape) for case in raw()[section] if case["id"] not in WAITING]
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
