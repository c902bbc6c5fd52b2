"""Ways to change a record by hand, one fact at a time."""

import re
from collections.abc import Iterator
from typing import Any

import msgspec

from domain.cards import Card, Suit
from domain.pocha.rules.schedule import HandKind
from service.application.record.digest import digest
from service.application.record.mismatch import InvalidRecord
from service.application.record.verify import verify

Json = dict[str, Any]
Path = tuple[str | int, ...]

_HEX = re.compile(r"[0-9a-f]{64}")
_HAND = re.compile(r"/hands/\d+")
_CARDS, _SUITS, _KINDS = list(Card), list(Suit), list(HandKind)


def leaves(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Yield every fact of a JSON value that has no parts, with its path."""
    match value:
        case dict():
            for name, part in value.items():  # pyright: ignore[reportUnknownVariableType] - any JSON
                yield from leaves(part, (*path, str(name)))  # pyright: ignore[reportUnknownArgumentType]
        case list():
            for index, part in enumerate(value):  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
                yield from leaves(part, (*path, index))
        case _:
            yield path, value


def lists(value: Any, path: Path = ()) -> Iterator[Path]:
    """Yield the path of every list that is not empty."""
    if isinstance(value, dict):
        for name, part in value.items():  # pyright: ignore[reportUnknownVariableType] - any JSON
            yield from lists(part, (*path, str(name)))  # pyright: ignore[reportUnknownArgumentType]
    if isinstance(value, list) and value:
        yield path
        for index, part in enumerate(value):  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
            yield from lists(part, (*path, index))


def other_values(path: Path, value: Any) -> tuple[Any, ...]:
    """Return what somebody might write instead of a fact."""
    match value:
        case bool():
            return (not value,)
        case int():
            return (value + 1, value - 1)
        case str() if value in _CARDS:
            place = _CARDS.index(Card(value))
            return tuple(str(_CARDS[(place + step) % len(_CARDS)]) for step in (1, 17))
        case str() if value in _SUITS:
            return tuple(str(suit) for suit in _SUITS if suit != value)
        case str() if path[-1] == "kind":
            return (str(_KINDS[(_KINDS.index(HandKind(value)) + 1) % len(_KINDS)]),)
        case str() if _HEX.fullmatch(value):
            return (value[:-1] + ("0" if value[-1] != "0" else "1"),)
        case str() if path[-1] in ("created_at", "finished_at"):
            return (value.replace("2026", "2025"),)
        case _:
            return (f"{value}x",)


def changed(record: Json, path: Path, value: Any) -> Json:
    """Return `record` with another value at `path`."""
    step, *rest = path
    copy: Any = record.copy()
    copy[step] = changed(copy[step], tuple(rest), value) if rest else value
    return copy


def at(record: Json, path: Path) -> Any:
    """Return what stands at `path`."""
    found: Any = record
    for step in path:
        found = found[step]
    return found


def sealed_again(record: Json) -> Json:
    """Return `record` with a digest that fits it."""
    return {**record, "digest": digest(record)}


def pointer(path: Path) -> str:
    """Return `path` as a JSON pointer."""
    return "".join(f"/{step}" for step in path)


def names(wrong: InvalidRecord, path: Path) -> bool:
    """Tell whether the verifier points into the hand that the fact at `path` is in; facts outside the hands show anywhere."""
    hand = _HAND.match(pointer(path))
    return hand is None or f"{wrong.pointer}/".startswith(f"{hand[0]}/")


def wrong_with(record: Json) -> InvalidRecord | None:
    """Return what the verifier finds wrong, if anything."""
    try:
        verify(msgspec.json.encode(record))
    except InvalidRecord as wrong:
        return wrong
    return None
