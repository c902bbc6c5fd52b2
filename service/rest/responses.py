"""Responses with an encoded body.

Litestar sends any ASGI app that a handler returns as it is. Its own `Response` costs as much as the rest of a small request.
"""

from collections.abc import Mapping
from typing import Any

import msgspec
from litestar.types import ASGIApp, Receive, Scope, Send

from service.rest.scope import header

_encode = msgspec.json.Encoder().encode
_STATUSES_WITHOUT_BODY = (204, 304)

PRIVATE = {"Cache-Control": "private, no-cache", "Vary": "Authorization"}
"""Headers of a response that is for its caller alone."""


class EncodedResponse:
    """A response whose body is already encoded. It is an ASGI app."""

    __slots__ = ("body", "headers", "status")

    def __init__(
        self,
        body: bytes,
        status: int = 200,
        media_type: str = "application/json",
        headers: Mapping[str, str] | None = None,
    ) -> None:
        self.status = status
        self.body = body
        self.headers = [(name.lower().encode(), value.encode()) for name, value in (headers or {}).items()]
        if status not in _STATUSES_WITHOUT_BODY:
            self.headers.append((b"content-type", media_type.encode()))
            self.headers.append((b"content-length", str(len(body)).encode()))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002 - the ASGI signature
        """Send the response."""
        await send({"type": "http.response.start", "status": self.status, "headers": self.headers})
        await send({"type": "http.response.body", "body": self.body, "more_body": False})

    def to_asgi_response(self, *_: Any, **__: Any) -> ASGIApp:
        """Return the response itself; Litestar calls this on what an exception handler returns."""
        return self


def json_response(value: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> EncodedResponse:
    """Return `value` encoded as JSON."""
    return EncodedResponse(_encode(value), status, headers=headers)


def is_current(scope: Scope, etag: str) -> bool:
    """Return whether the client has the representation with this entity tag: `If-None-Match`, compared weakly (RFC 9110, 13.1.2)."""
    tags = {tag.strip().removeprefix("W/") for tag in header(scope, b"if-none-match").split(",")}
    return not tags.isdisjoint({"*", etag.removeprefix("W/")})
