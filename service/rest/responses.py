"""Responses with an encoded body.

Litestar sends any ASGI app that a handler returns as it is. Its own `Response` costs as much as the rest of a small request.
"""

import asyncio
import gzip
import hashlib
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import msgspec
from litestar.types import ASGIApp, Receive, Scope, Send

from service.rest.negotiation import accepts_gzip
from service.rest.scope import header

_encode = msgspec.json.Encoder().encode
_STATUSES_WITHOUT_BODY = (204, 304)

COMPRESSED_BYTES = 1000
"""Shorter bodies are sent as they are. Streams are too: they are no `EncodedResponse`."""
_LONG_BODY = 50_000
_COMPRESSION_LEVEL = 4

PRIVATE = {"Cache-Control": "private, no-cache", "Vary": "Authorization"}
"""Headers of a response that is for its caller alone."""


NO_HEADERS: Mapping[str, str] = MappingProxyType({})
_REPLAYED: Mapping[str, str] = MappingProxyType({"Idempotency-Replayed": "true"})

CACHED_FOR_AN_HOUR = {"Cache-Control": "public, max-age=3600"}
"""Headers of a response that is the same for all, and changes with a new version of the service."""


def replay_header(*, is_replay: bool) -> Mapping[str, str]:
    """Return the header that tells that an earlier request with the same idempotency key did it; none otherwise."""
    return _REPLAYED if is_replay else NO_HEADERS


_Headers = list[tuple[bytes, bytes]]


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
        """Send the response, compressed where that is worth it and the client can read it."""
        headers, body = self.headers, self.body
        if len(body) >= COMPRESSED_BYTES and _is_text(headers):
            headers = _varying_by_encoding(headers)
            if accepts_gzip(header(scope, b"accept-encoding")):
                body = await _compress(body)
                headers = _of_compressed(headers, len(body))
        await send({"type": "http.response.start", "status": self.status, "headers": headers})
        await send({"type": "http.response.body", "body": body, "more_body": False})

    def to_asgi_response(self, *_: Any, **__: Any) -> ASGIApp:
        """Return the response itself; Litestar calls this on what an exception handler returns."""
        return self


def _is_text(headers: _Headers) -> bool:
    media_type = next((value for name, value in headers if name == b"content-type"), b"")
    return media_type.startswith((b"text/", b"application/json", b"application/problem+json", b"image/svg"))


def _varying_by_encoding(headers: _Headers) -> _Headers:
    """Return the headers with `Accept-Encoding` in `Vary`."""
    vary = [value for name, value in headers if name == b"vary"]
    return [*(each for each in headers if each[0] != b"vary"), (b"vary", b", ".join([*vary, b"Accept-Encoding"]))]


def _of_compressed(headers: _Headers, length: int) -> _Headers:
    plain = [each for each in headers if each[0] != b"content-length"]
    return [*plain, (b"content-encoding", b"gzip"), (b"content-length", str(length).encode())]


async def _compress(body: bytes) -> bytes:
    # In a thread where it takes longer than a hop to one: zlib lets go of the interpreter.
    if len(body) < _LONG_BODY:
        return gzip.compress(body, _COMPRESSION_LEVEL, mtime=0)
    return await asyncio.to_thread(gzip.compress, body, _COMPRESSION_LEVEL, mtime=0)


def json_response(value: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> EncodedResponse:
    """Return `value` encoded as JSON."""
    return EncodedResponse(_encode(value), status, headers=headers)


class CachedJson:
    """A body that is the same for all callers, encoded once, with its entity tag."""

    def __init__(self, value: Any) -> None:
        self._body = _encode(value)
        # Weak: the compressed body is another one.
        self._etag = f'W/"{hashlib.sha256(self._body).hexdigest()[:16]}"'

    def response(self, scope: Scope) -> EncodedResponse:
        """Return the response; 304 where the client has the body."""
        headers = CACHED_FOR_AN_HOUR | {"ETag": self._etag}
        if is_current(scope, self._etag):
            return EncodedResponse(b"", 304, headers=headers | {"Vary": "Accept-Encoding"})
        return EncodedResponse(self._body, headers=headers)


def is_current(scope: Scope, etag: str) -> bool:
    """Return whether the client has the representation with this entity tag: `If-None-Match`, compared weakly (RFC 9110, 13.1.2)."""
    tags = {tag.strip().removeprefix("W/") for tag in header(scope, b"if-none-match").split(",")}
    return not tags.isdisjoint({"*", etag.removeprefix("W/")})
