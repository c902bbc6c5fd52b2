"""Typed access to the ASGI scope of a request: request headers, the route that matched, and the entries that the service adds."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from litestar import Request
from litestar.types import Scope

from service.application.caller import Caller

if TYPE_CHECKING:
    from service.rest.middleware.admission import Slot

T = TypeVar("T")

AnyRequest = Request[Any, Any, Any]


class ScopeEntry(Generic[T]):
    """An entry of the scope that holds a `T`; None where it was never set."""

    def __init__(self, name: str) -> None:
        self._name = name

    def get(self, scope: Scope) -> T | None:
        """Return the entry."""
        entries: Any = scope
        return entries.get(self._name)

    def set(self, scope: Scope, value: T) -> None:
        """Set the entry."""
        entries: Any = scope
        entries[self._name] = value


HEAD_ONLY = ScopeEntry[bool]("pocha.head_only")
"""True where a HEAD request is served as GET: an endless response must end after its headers."""

SLOT: "ScopeEntry[Slot]" = ScopeEntry("pocha.slot")
"""The request's slot of admission control."""

CALLER = ScopeEntry[Caller]("user")
"""The authenticated caller, where Litestar's `request.user` finds it."""

CREDENTIAL = ScopeEntry[Any]("auth")
"""The verified credential, where Litestar's `request.auth` finds it."""


def route_template(scope: Scope) -> str:
    """Return the path template of the matched route, such as `/v1/games/{game_id}`; empty where none matched."""
    entries: Any = scope
    return entries.get("path_template", "")


def route_options(scope: Scope) -> Mapping[str, Any]:
    """Return the `opt` of the matched route handler."""
    return scope["route_handler"].opt


def header(scope: Scope, name: bytes) -> str:
    """Return a header whose value is a comma-separated list, its lines joined; empty where it was not sent. `name` is lower case."""
    return ",".join(header_lines(scope, name))


def header_lines(scope: Scope, name: bytes) -> list[str]:
    """Return the value of each line of a header. `name` is lower case."""
    return [value.decode("latin-1") for found, value in scope["headers"] if found == name]
