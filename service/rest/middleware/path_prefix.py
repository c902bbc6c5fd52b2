"""Serving under a path prefix, such as `/pocha`, behind a proxy that takes it off or leaves it on.

The prefix is a setting, taken off the path of a request if it is there, or what a trusted proxy that has taken it off says in
`X-Forwarded-Prefix`. It is put before `Location`. What writes an absolute path into a body asks
`path_prefix`; all other links are relative.
"""

import re
from collections.abc import Sequence
from contextvars import ContextVar
from ipaddress import ip_address

from litestar.types import ASGIApp, HTTPScope, Message, Receive, Scope, Send

from service.rest.rate_limit.client_address import Network

PREFIX_PATTERN = r"(/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+"
_FORM = re.compile(PREFIX_PATTERN)
_LONGEST = 200
_HEADER = b"x-forwarded-prefix"
_ABSOLUTE = frozenset({b"location", b"content-location"})
_PREFIX = ContextVar("path_prefix", default="")


def path_prefix() -> str:
    """Return the prefix that the request in progress came under, empty where there is none."""
    return _PREFIX.get()


class PathPrefixMiddleware:
    """ASGI middleware, outermost. `prefix` is always there; `proxies` are the networks whose `X-Forwarded-Prefix` is believed."""

    def __init__(self, app: ASGIApp, prefix: str, proxies: Sequence[Network]) -> None:
        self._app = app
        self._prefix = prefix
        self._proxies = proxies

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        prefix = self._prefix_of(scope) if scope["type"] == "http" else ""
        if not prefix or scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        before = _PREFIX.set(prefix)
        try:
            await self._app(_below(scope, self._prefix), receive, _prefixing(send, prefix.encode()))
        finally:
            _PREFIX.reset(before)

    def _prefix_of(self, scope: Scope) -> str:
        if self._prefix:
            return self._prefix
        said = [value.decode("latin-1") for name, value in scope["headers"] if name == _HEADER]
        is_prefix = len(said) == 1 and len(said[0]) <= _LONGEST and _FORM.fullmatch(said[0])
        return said[0] if is_prefix and self._is_believed(scope) else ""

    def _is_believed(self, scope: Scope) -> bool:
        client = scope["client"]
        try:
            address = ip_address(client[0]) if client else None
        except ValueError:
            return False
        return address is not None and any(address in network for network in self._proxies)


def _below(scope: HTTPScope, prefix: str) -> HTTPScope:
    """Return the scope with `prefix` taken off its path, if it is there."""
    if not prefix or not f"{scope['path']}/".startswith(f"{prefix}/"):
        return scope
    below = scope.copy()
    below["path"] = scope["path"].removeprefix(prefix) or "/"
    below["raw_path"] = scope["raw_path"].removeprefix(prefix.encode()) or b"/"
    return below


def _prefixing(send: Send, prefix: bytes) -> Send:
    """Return `send` with the prefix put before the absolute paths of headers."""

    async def prefixing(message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [
                (name, prefix + value if name.lower() in _ABSOLUTE and value[:1] == b"/" else value)
                for name, value in message["headers"]
            ]
        await send(message)

    return prefixing
