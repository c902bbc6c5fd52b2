"""The one kind of answer that handlers give: bytes, status, headers. Litestar passes it through as the small ASGI app it is."""

from collections.abc import Mapping
from typing import Any

import msgspec
from litestar.types import Receive, Scope, Send

_encode = msgspec.json.Encoder().encode
_NO_BODY = (204, 304)

PRIVATE = {"Cache-Control": "private, no-cache", "Vary": "Authorization"}
"""The headers of an answer that is for its viewer alone."""


class EncodedResponse:
    """An answer, encoded. Litestar's own response objects cost as much as all the rest of a small request."""

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
        if status not in _NO_BODY:
            self.headers.append((b"content-type", media_type.encode()))
            self.headers.append((b"content-length", str(len(body)).encode()))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002 - the ASGI signature
        """Send it."""
        await send({"type": "http.response.start", "status": self.status, "headers": self.headers})
        await send({"type": "http.response.body", "body": self.body, "more_body": False})


def json_response(value: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> EncodedResponse:
    """Return `value` as JSON."""
    return EncodedResponse(_encode(value), status, headers=headers)
