"""The command `pocha settings`: the table of all settings in Markdown, generated from `Settings`."""

import argparse
from collections.abc import Iterator
from types import UnionType
from typing import Annotated, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta
from msgspec.structs import FieldInfo

from service.bootstrap.settings import Settings, variable

_HEAD = ("| variable | default | meaning |", "|---|---|---|")


def add_arguments(_: argparse.ArgumentParser) -> None:
    """Add no arguments."""


def run(_: argparse.Namespace) -> None:
    """Print the table."""
    print(markdown_table(), end="")


def markdown_table() -> str:
    """Return the table in Markdown, one line a setting, in the order of `Settings`."""
    return "".join(f"{line}\n" for line in (*_HEAD, *_rows()))


def _rows() -> Iterator[str]:
    hints = get_type_hints(Settings, include_extras=True)
    for field in msgspec.structs.fields(Settings):
        yield f"| `{variable(field.name)}` | {_default(field)} | {_meaning(hints[field.name])} |"


def _meaning(hint: object) -> str:
    metas = list(_metas(hint))
    return " ".join(filter(None, (meta.description for meta in metas))) + "".join(map(_range, metas))


def _metas(hint: object) -> Iterator[Meta]:
    """Yield the annotations of a type and of the members of a union."""
    if get_origin(hint) in {Annotated, Union, UnionType}:
        for part in get_args(hint):
            yield from _metas(part)
    elif isinstance(hint, Meta):
        yield hint


def _range(meta: Meta) -> str:
    """Return the range of a number in words."""
    if meta.le is None:
        return ""
    least = f"above {meta.gt:g}, at most" if meta.ge is None and meta.gt is not None else f"{meta.ge or 0:g} to"
    return f"; {least} {meta.le:,}"


def _default(field: FieldInfo) -> str:
    match field.default:
        case None | "":
            return "none"
        case bool() as switch:
            return f"`{str(switch).lower()}`"
        case int() | float() as number:
            return f"`{number:g}`"
        case text:
            return f"`{text}`"
