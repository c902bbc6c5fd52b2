"""What a handler can do with a connection, beyond reading and sending, and what it should know about it."""

from collections.abc import Callable
from typing import Any, cast

from litestar.types import Scope

from service.server.transport import ABORT

_HEAD = "pocha.head"


def cut_off(scope: Scope) -> None:
    """Break the connection at once, also when its reader takes nothing: to close it would wait for such a reader for ever.

    Does nothing where the server cannot do that; what ends without an end of its answer is closed there.
    """
    extensions: dict[str, Any] = cast("dict[str, Any]", scope).get("extensions") or dict[str, Any]()
    abort: Callable[[], None] | None = extensions.get(ABORT)
    if abort is not None:
        abort()


def note_head(scope: Scope) -> None:
    """Keep in mind that only the head of the answer is wanted, while the request is served as if it were GET."""
    cast("dict[str, Any]", scope)[_HEAD] = True


def is_head(scope: Scope) -> bool:
    """Tell whether only the head of the answer is wanted: there is no point in an answer that goes on and on."""
    return _HEAD in scope
