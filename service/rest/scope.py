"""Typed access to the keys that this service adds to an ASGI scope."""

from typing import Any, cast

from litestar.types import Scope

_HEAD = "pocha.head"


def note_head(scope: Scope) -> None:
    """Keep in mind that only the head of the answer is wanted, while the request is served as if it were GET."""
    cast("dict[str, Any]", scope)[_HEAD] = True


def is_head(scope: Scope) -> bool:
    """Tell whether only the head of the answer is wanted: there is no point in an answer that goes on and on."""
    return _HEAD in scope
