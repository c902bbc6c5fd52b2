"""CORS: browsers let pages of the allowed origins read responses.

Litestar's own does not see the responses that are made around it (404, 405, 503, OPTIONS), and replaces `Vary`.
"""

from collections.abc import Sequence

from litestar.types import ASGIApp, Message, Receive, Scope, Send

from service.rest.scope import header, header_lines

ORIGIN_PATTERN = r"https?://[a-z0-9.-]+(:[0-9]{1,5})?"
"""The form of an origin, as browsers send it: scheme and host, and the port unless it is the scheme's."""

_ALLOWED_METHODS = b"GET, HEAD, POST, PUT, PATCH, DELETE"
_ALLOWED_HEADERS = b"Authorization, Content-Type, Idempotency-Key, If-None-Match, Last-Event-ID, X-Request-Id"
_EXPOSED_HEADERS = (
    b"Content-Disposition, Content-Language, ETag, Idempotency-Replayed, Location, RateLimit, RateLimit-Policy, Retry-After, "
    b"WWW-Authenticate, X-Request-Id"
)
_PREFLIGHT_SECONDS = b"600"


class CorsMiddleware:
    """Adds the headers of CORS to every response to a page of one of `origins`. There are no cookies, so credentials stay off."""

    def __init__(self, app: ASGIApp, origins: Sequence[str]) -> None:
        self._app = app
        self._origins = frozenset(origins)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        added = self._headers(scope) if scope["type"] == "http" else []

        async def adding(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *added]
            await send(message)

        await self._app(scope, receive, adding)

    def _headers(self, scope: Scope) -> list[tuple[bytes, bytes]]:
        origins = header_lines(scope, b"origin")
        vary = (b"vary", b"Origin")
        if len(origins) != 1 or origins[0] not in self._origins:
            return [vary]
        allowed = [vary, (b"access-control-allow-origin", origins[0].encode())]
        if header(scope, b"access-control-request-method"):
            return [
                *allowed,
                (b"access-control-allow-methods", _ALLOWED_METHODS),
                (b"access-control-allow-headers", _ALLOWED_HEADERS),
                (b"access-control-max-age", _PREFLIGHT_SECONDS),
            ]
        return [*allowed, (b"access-control-expose-headers", _EXPOSED_HEADERS)]
