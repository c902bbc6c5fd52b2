"""What is known of a request while it is served: its id, who asks about what, and in the end the line in the log and the figures."""

import logging
import re
import secrets
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import cast

from litestar.types import HTTPScope, Scope

from service.observability import log_format
from service.observability.metrics import Metrics
from service.observability.scrubbing import Scrubber, escape_control, escape_invisible
from service.rest.negotiation import header_of

PROBES = frozenset({"/healthz", "/readyz", "/metrics"})
"""The paths that are asked for all the time, by machines."""

_ACCESS = logging.getLogger("pocha.access")
_START = datetime.fromtimestamp(0, UTC)
_SANE_ID = re.compile(r"[0-9A-Za-z][0-9A-Za-z_.:-]{0,63}")
_PLAIN_PATH = re.compile(r"[a-z0-9/.-]{1,120}")
_LONGEST_READ = 2000
_LONGEST_PATH = 200
_HIDING = Scrubber()
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_NO_ROUTE = "none"
_REFUSED = frozenset({429, 503})


class RequestLog(log_format.PreparedLine, omit_defaults=True):
    """A request, as its line in the log tells of it. Handlers add what they find out.

    `route` is the template of its path, `bytes` the length of the answer's body, `problem` the code of an answer that is one, `status` 0
    where the client went away before there was an answer. `player_id` is who asks, of `tenant`, and `seat` where they sit in `game_id`.
    `waited` is true where the caller had asked to wait for news; `trace_id` is there when requests are traced.
    """

    request_id: str
    method: str
    path: str
    route: str = ""
    status: int = 0
    duration_ms: float = 0.0
    bytes: int = 0
    tenant: str = ""
    game_id: str = ""
    player_id: str = ""
    seat: int | None = None
    problem: str = ""
    waited: bool = False
    trace_id: str = ""

    def __str__(self) -> str:
        """Return the request in short."""
        return f"{self.method} {self.path} {self.status} {self.duration_ms:.1f}ms {self.request_id}"

    def fields(self) -> Mapping[str, object]:
        """See `logs.Bound`."""
        known = {"request_id": self.request_id, "trace_id": self.trace_id, "game_id": self.game_id}
        return {name: value for name, value in known.items() if value}


def begun(scope: HTTPScope) -> RequestLog:
    """Return what is known of a request when it comes."""
    return RequestLog(_START, "info", _ACCESS.name, "request", _id_of(scope), scope["method"], _path_of(scope))


def current_request() -> RequestLog:
    """Return what is known of the request that is served now; what is said of none is forgotten."""
    to = log_format.current_context()
    return to if isinstance(to, RequestLog) else RequestLog(_START, "", "", "", "", "", "")


def route_of(served: Scope) -> str:
    """Return the template of the path of a request that was served; empty when it has no route."""
    return cast("Mapping[str, str]", served).get("path_template", "")


def ended(request: RequestLog, seconds: float, metrics: Metrics) -> None:
    """Count a request, and write its line."""
    request.duration_ms = round(seconds * 1000, 3)
    _count(request, seconds, metrics)
    level = logging.DEBUG if request.route in PROBES else logging.INFO
    if _ACCESS.isEnabledFor(level):
        request.timestamp = datetime.fromtimestamp(time.time(), UTC)
        request.level = "debug" if level == logging.DEBUG else "info"
        # Made here, the record need not look for its caller.
        _ACCESS.handle(logging.LogRecord(_ACCESS.name, level, __file__, 0, request, (), None))


def _count(request: RequestLog, seconds: float, metrics: Metrics) -> None:
    method = request.method if request.method in _METHODS else "other"
    refusal = request.problem if request.status in _REFUSED else ""
    metrics.count_request(
        method, request.route or _NO_ROUTE, request.status, None if request.waited else seconds, refusal
    )


def _id_of(scope: HTTPScope) -> str:
    """Return the id that whoever passed the request on has given it, if it looks like one and like no secret; else a fresh one."""
    given = header_of(scope, b"x-request-id")
    if given and _SANE_ID.fullmatch(given) and _HIDING.scrub(given) == given:
        return given
    return secrets.token_hex(8)


def _path_of(scope: HTTPScope) -> str:
    path = scope["raw_path"].decode("ascii", "replace")
    if _PLAIN_PATH.fullmatch(path):
        return path
    # To hide comes first: of half a secret nobody can tell what it was.
    return escape_control(escape_invisible(_HIDING.scrub(path[:_LONGEST_READ])[:_LONGEST_PATH]))
