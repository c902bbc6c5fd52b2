"""The outermost layer, around the framework: what every answer has, whatever came of the request.

Request ids, the access log and security headers; HEAD wherever GET is, OPTIONS and `Allow` with all methods of a path, and 404 for
doubled and trailing slashes, which the framework's router would pass.
"""

import logging
import re
import secrets
import time
from collections.abc import Iterable, Mapping, Sequence

from litestar.types import ASGIApp, HTTPScope, Message, Receive, Scope, Send

from service.rest.negotiation import header_of
from service.rest.problems import ApiError, Code, problem_of
from service.rest.replies import Reply
from service.rest.words import language_of

_ACCESS = logging.getLogger("pocha.access")
_PARAMETER = re.compile(r"\{[^}]*\}")
_HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
)
_STRICT_POLICY = (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'")
_NO_STORE = (b"cache-control", b"no-store")


class Allowed:
    """Which methods each path has; `routes` maps path templates such as `/v1/games/{game_id}` to methods."""

    def __init__(self, routes: Mapping[str, Iterable[str]]) -> None:
        # `/v1/rulesets/validate` is no `/v1/rulesets/{ruleset_id}`: the template with fewer parameters goes first, as in the router.
        closest_first = sorted(routes.items(), key=lambda route: route[0].count("{"))
        self._routes: Sequence[tuple[re.Pattern[str], str]] = [
            (re.compile(_PARAMETER.sub("[^/]+", template)), _allow(methods)) for template, methods in closest_first
        ]

    def at(self, path: str) -> str | None:
        """Return the value of `Allow` for `path`; none when there is nothing there."""
        return next((allow for pattern, allow in self._routes if pattern.fullmatch(path)), None)


def _allow(methods: Iterable[str]) -> str:
    all_methods = {*methods, "OPTIONS"}
    return ", ".join(sorted(all_methods | {"HEAD"} if "GET" in all_methods else all_methods))


class Shell:
    """ASGI middleware around the framework's app."""

    def __init__(self, app: ASGIApp, allowed: Allowed) -> None:
        self._app = app
        self._allowed = allowed

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        answer = _Answer(send, is_head=scope["method"] == "HEAD")
        started = time.perf_counter()
        try:
            await self._serve(scope, receive, answer)
        finally:
            _log(scope, answer, time.perf_counter() - started)

    async def _serve(self, scope: HTTPScope, receive: Receive, answer: "_Answer") -> None:
        path = scope["path"]
        if "//" in path or (path.endswith("/") and path != "/"):
            await _nothing_here(scope)(scope, receive, answer.send)
        elif scope["method"] == "OPTIONS":
            await self._options(scope)(scope, receive, answer.send)
        else:
            await self._app(_as_get(scope) if answer.is_head else scope, receive, answer.send)

    def _options(self, scope: HTTPScope) -> Reply:
        allow = self._allowed.at(scope["path"])
        return Reply(b"", 204, headers={"Allow": allow}) if allow else _nothing_here(scope)


class _Answer:
    """Completes the headers of an answer on its way out, drops the body where HEAD was asked, and remembers the status."""

    def __init__(self, send: Send, *, is_head: bool) -> None:
        self._send = send
        self.is_head = is_head
        self.status = 0
        self.request_id = secrets.token_hex(8)

    async def send(self, message: Message) -> None:
        """Pass one message of the answer on."""
        if message["type"] == "http.response.start":
            self.status = message["status"]
            message["headers"] = [*message["headers"], *self._more_headers({name for name, _ in message["headers"]})]
        elif message["type"] == "http.response.body" and self.is_head:
            message["body"] = b""
        await self._send(message)

    def _more_headers(self, present: set[bytes]) -> Iterable[tuple[bytes, bytes]]:
        yield from _HEADERS
        yield (b"x-request-id", self.request_id.encode())
        for header in (_STRICT_POLICY, _NO_STORE):
            if header[0] not in present:
                yield header


def _as_get(scope: HTTPScope) -> HTTPScope:
    as_get = scope.copy()
    as_get["method"] = "GET"
    return as_get


def _nothing_here(scope: HTTPScope) -> Reply:
    return problem_of(ApiError(Code.NOT_FOUND), language_of(header_of(scope, b"accept-language")))


def _log(scope: HTTPScope, answer: _Answer, seconds: float) -> None:
    # The raw path is ASCII without control characters, and without the query.
    path = scope["raw_path"].decode("ascii", "replace")
    _ACCESS.info("%s %s %d %.1fms %s", scope["method"], path, answer.status, seconds * 1000, answer.request_id)
