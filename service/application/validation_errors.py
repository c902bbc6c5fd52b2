"""Turns a msgspec ValidationError into a JSON pointer and a message."""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

from msgspec import inspect

_ERROR = re.compile(r"(?P<message>.*?)(?: - at (?P<key>`key` in )?`\$(?P<path>.*)`)?", re.DOTALL)
_PATTERN = re.compile(r"Expected `str` matching regex '(?P<pattern>.*)'", re.DOTALL)
_LIST = re.compile(r"\^\((?P<values>[a-z_|-]+)\)\$")
_WITHOUT_CONTROL_CHARACTERS = re.compile(r"\^\[\^\\x00-\\x1f[^]]*\]\*\$")
_STEP = re.compile(r"\.([^.\[\]]+)|\[([^\]]*)\]")
_ANY_MEMBER = "..."
_MAX_LENGTH = 200
_MAX_VALUES = 60


def pointer_and_message(error: Exception, kind: Any) -> tuple[str, str]:
    """Return a JSON pointer to the wrong value of a document that should be a `kind`, and what is wrong with it.

    msgspec does not name the member of a map: the pointer is then the map's. The message does not repeat the value, except the name of
    an unknown field.
    """
    found = _ERROR.fullmatch(str(error))
    steps = tuple(name or index for name, index in _STEP.findall((found["path"] if found else None) or ""))
    pointer = "".join(f"/{step}" for step in steps if step != _ANY_MEMBER)
    if found and found["key"]:
        steps += (_ANY_MEMBER,)
    return pointer, _message(found["message"] if found else str(error), kind, steps)


def _message(message: str, kind: Any, steps: tuple[str, ...]) -> str:
    if message.startswith("Invalid enum value"):
        return _expected(_values_at(kind, steps))
    return in_words(message)


def in_words(message: str) -> str:
    """Return a message of msgspec, with a pattern said in words or as the contract writes it, and not too long."""
    if found := _PATTERN.fullmatch(message):
        return _of_the_form(found["pattern"].replace("\\\\", "\\").replace(r"\Z", "$"))
    return message if len(message) <= _MAX_LENGTH else f"{message[:_MAX_LENGTH]} …"


def _of_the_form(pattern: str) -> str:
    """Say in words what a pattern lists or leaves out; other patterns are shown as the contract writes them."""
    if listed := _LIST.fullmatch(pattern):
        return _expected(listed["values"].split("|"))
    if _WITHOUT_CONTROL_CHARACTERS.fullmatch(pattern):
        return "Expected text without control characters."
    return f"Expected text of the form {pattern}"


def _expected(values: Sequence[str]) -> str:
    if 0 < len(values) <= _MAX_VALUES:
        return f"Expected one of {', '.join(values)}."
    return "Expected one of the values that the contract lists."


@cache
def _values_at(kind: Any, steps: tuple[str, ...]) -> tuple[str, ...]:
    """Return the values of the enum that `kind` has at the end of the path."""
    types: list[inspect.Type] = [inspect.type_info(kind)]
    for step in steps:
        types = [inner for outer in types for inner in _inside(outer, step)]
    return tuple(str(value) for found in types for value in _values(found))


def _inside(outer: inspect.Type, step: str) -> Iterator[inspect.Type]:
    match outer:
        case inspect.UnionType(types=types):
            for each in types:
                yield from _inside(each, step)
        case inspect.Metadata(type=inner):
            yield from _inside(inner, step)
        case inspect.StructType(fields=fields):
            yield from (field.type for field in fields if field.encode_name == step)
        case inspect.DictType(key_type=key, value_type=value):
            yield from (key, value)
        case inspect.VarTupleType(item_type=item) | inspect.ListType(item_type=item):
            yield item
        case _:
            return


def _values(found: inspect.Type) -> Iterator[object]:
    match found:
        case inspect.UnionType(types=types):
            for each in types:
                yield from _values(each)
        case inspect.Metadata(type=inner):
            yield from _values(inner)
        case inspect.EnumType(cls=cls):
            yield from (member.value for member in cls)
        case inspect.LiteralType(values=values):
            yield from values
        case _:
            return
