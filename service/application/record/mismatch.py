"""What is wrong with a record, and where; and the first difference between what was found and what should be there."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

import msgspec

from service.application.record.digest import canonical

_LONGEST = 120


class InvalidRecord(Exception):
    """A record that does not tell of a game that can have been played so. `place` is a JSON pointer into it, empty for the whole."""

    def __init__(self, place: str, message: str) -> None:
        super().__init__(f"{place}: {message}" if place else message)
        self.place = place
        self.message = message


def as_json(value: Any) -> Any:
    """Return `value` as it is written in a record."""
    return msgspec.json.decode(msgspec.json.encode(value))


def require_equal(expected: Any, found: Any, place: str) -> None:
    """Return when the JSON values are equal.

    Raises:
        InvalidRecord: they are not; the first difference, in the order of `expected`, is told.
    """
    if expected == found:
        return
    match expected, found:
        case dict(), dict():
            _require_same_members(cast("Mapping[str, Any]", expected), cast("Mapping[str, Any]", found), place)
        case list(), list():
            _require_same_items(cast("Sequence[Any]", expected), cast("Sequence[Any]", found), place)
        case _:
            raise InvalidRecord(place, f"expected {_shown(expected)}, found {_shown(found)}")


def _require_same_members(expected: Mapping[str, Any], found: Mapping[str, Any], place: str) -> None:
    for name, value in expected.items():
        if name not in found:
            raise InvalidRecord(f"{place}/{name}", f"is missing, expected {_shown(value)}")
        require_equal(value, found[name], f"{place}/{name}")
    for name in found:
        if name not in expected:
            raise InvalidRecord(f"{place}/{name}", "there should be no such fact")


def _require_same_items(expected: Sequence[Any], found: Sequence[Any], place: str) -> None:
    for index, (right, given) in enumerate(zip(expected, found, strict=False)):
        require_equal(right, given, f"{place}/{index}")
    if len(expected) > len(found):
        raise InvalidRecord(f"{place}/{len(found)}", f"is missing, expected {_shown(expected[len(found)])}")
    if len(found) > len(expected):
        raise InvalidRecord(
            f"{place}/{len(expected)}", f"there should be no such entry, found {_shown(found[len(expected)])}"
        )


def _shown(value: Any) -> str:
    text = value if isinstance(value, str) else canonical(value).decode()
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
