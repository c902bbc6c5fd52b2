"""The outermost layer, around the framework: what every answer has, whatever came of the request.

Request ids, the access log and security headers; HEAD wherever GET is, OPTIONS and `Allow` with all methods of a path, and 404 for
doubled and trailing slashes, which the framework's router would pass. Here too a request finds its place, or hears that there is none.
"""

import logging
import re
import secrets
import time
from collections.abc import Iterable, Mapping, Sequence

from litestar.types import ASGIApp, HTTPScope, Message, Receive, Scope, Send

from service.draining import Draining
from service.rest.connections import note_head
from service.rest.negotiation import header_of
from service.rest.places import Places
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
_CLOSE = (b"connection", b"close")


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
    """ASGI middleware around the framework's app. While the process drains, every answer ends its connection, so that clients move on."""

    def __init__(self, app: ASGIApp, allowed: Allowed, draining: Draining, places: Places) -> None:
        self._app = app
        self._allowed = allowed
        self._draining = draining
        self._places = places

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        answer = _Answer(send, self._draining, is_head=scope["method"] == "HEAD")
        started = time.perf_counter()
        try:
            await self._serve(scope, receive, answer)
        finally:
            _log(scope, answer, time.perf_counter() - started)

    async def _serve(self, scope: HTTPScope, receive: Receive, answer: "_Answer") -> None:
        path = scope["path"]
        if "//" in path or (path.endswith("/") and path != "/"):
            await _problem(scope, Code.NOT_FOUND)(scope, receive, answer.send)
        elif scope["method"] == "OPTIONS":
            await self._options(scope)(scope, receive, answer.send)
        else:
            await self._serve_in_place(scope, receive, answer)

    async def _serve_in_place(self, scope: HTTPScope, receive: Receive, answer: "_Answer") -> None:
        place = self._places.take(scope)
        if place is None:
            await _problem(scope, Code.OVERLOADED)(scope, receive, answer.send)
            return
        try:
            await self._app(_as_get(scope) if answer.is_head else scope, receive, answer.send)
        finally:
            place.give_back()

    def _options(self, scope: HTTPScope) -> Reply:
        allow = self._allowed.at(scope["path"])
        return Reply(b"", 204, headers={"Allow": allow}) if allow else _problem(scope, Code.NOT_FOUND)


class _Answer:
    """Completes the headers of an answer on its way out, drops the body where HEAD was asked, and remembers the status."""

    def __init__(self, send: Send, draining: Draining, *, is_head: bool) -> None:
        self._send = send
        self._draining = draining
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
        if self._draining.begun:
            yield _CLOSE


def _as_get(scope: HTTPScope) -> HTTPScope:
    as_get = scope.copy()
    as_get["method"] = "GET"
    note_head(as_get)
    return as_get


def _problem(scope: HTTPScope, code: Code) -> Reply:
    return problem_of(ApiError(code), language_of(header_of(scope, b"accept-language")))


def _log(scope: HTTPScope, answer: _Answer, seconds: float) -> None:
    if _ACCESS.isEnabledFor(logging.INFO):
        # The raw path is ASCII without control characters, and without the query.
        path = scope["raw_path"].decode("ascii", "replace")
        line = f"{scope['method']} {path} {answer.status} {seconds * 1000:.1f}ms {answer.request_id}"
        # Made here, the record need not look for its caller.
        _ACCESS.handle(logging.LogRecord(_ACCESS.name, logging.INFO, __file__, 0, line, (), None))
