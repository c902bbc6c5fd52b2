"""`InvalidRecord`, and the comparison of JSON values that raises it at the first difference."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

import msgspec

from service.application.record.digest import canonical

_MAX_SHOWN = 120


class InvalidRecord(Exception):
    """The record is not that of a game played by its rules. `pointer` is a JSON pointer into it, empty for the whole record."""

    def __init__(self, pointer: str, message: str) -> None:
        super().__init__(f"{pointer}: {message}" if pointer else message)
        self.pointer = pointer
        self.message = message


def as_json(value: Any) -> Any:
    """Return `value` as a record writes it, in JSON types."""
    return msgspec.json.decode(msgspec.json.encode(value))


def require_equal(expected: Any, found: Any, pointer: str) -> None:
    """Compare two JSON values.

    Raises:
        InvalidRecord: they differ; it names the first difference, in the order of `expected`.
    """
    if expected == found:
        return
    match expected, found:
        case dict(), dict():
            _compare_members(cast("Mapping[str, Any]", expected), cast("Mapping[str, Any]", found), pointer)
        case list(), list():
            _compare_items(cast("Sequence[Any]", expected), cast("Sequence[Any]", found), pointer)
        case _:
            raise InvalidRecord(pointer, f"expected {_shown(expected)}, found {_shown(found)}")


def _compare_members(expected: Mapping[str, Any], found: Mapping[str, Any], pointer: str) -> None:
    for name, value in expected.items():
        if name not in found:
            raise InvalidRecord(f"{pointer}/{name}", f"is missing, expected {_shown(value)}")
        require_equal(value, found[name], f"{pointer}/{name}")
    for name in found:
        if name not in expected:
            raise InvalidRecord(f"{pointer}/{name}", "unexpected member")


def _compare_items(expected: Sequence[Any], found: Sequence[Any], pointer: str) -> None:
    for index, (right, given) in enumerate(zip(expected, found, strict=False)):
        require_equal(right, given, f"{pointer}/{index}")
    if len(expected) > len(found):
        raise InvalidRecord(f"{pointer}/{len(found)}", f"is missing, expected {_shown(expected[len(found)])}")
    if len(found) > len(expected):
        raise InvalidRecord(f"{pointer}/{len(expected)}", f"unexpected item {_shown(found[len(expected)])}")


def _shown(value: Any) -> str:
    text = value if isinstance(value, str) else canonical(value).decode()
    return text if len(text) <= _MAX_SHOWN else f"{text[:_MAX_SHOWN]}…"
