"""The access log: what is known of a request while it is served, and at its end a log line and metrics."""

import logging
import re
import secrets
import time
from collections.abc import Mapping
from datetime import UTC, datetime

from litestar.types import HTTPScope

from service.observability import log_format
from service.observability.metrics import Metrics
from service.observability.scrubbing import Scrubber, escape_control, escape_invisible
from service.rest.scope import header

PROBES = frozenset({"/healthz", "/readyz", "/metrics"})
"""The paths that machines request all the time."""

_LOGGER = logging.getLogger("pocha.access")
_EPOCH = datetime.fromtimestamp(0, UTC)
_REQUEST_ID = re.compile(r"[0-9A-Za-z][0-9A-Za-z_.:-]{0,63}")
_PLAIN_PATH = re.compile(r"[a-z0-9/.-]{1,120}")
_MAX_SCRUBBED_LENGTH = 2000
_MAX_PATH_LENGTH = 200
_SCRUBBER = Scrubber()
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_NO_ROUTE = "none"
_TURNED_AWAY = frozenset({429, 503})


class RequestLog(log_format.PreparedLine, omit_defaults=True):
    """A request, as its line in the log tells of it. Handlers add what they find out.

    `route` is the path template, `bytes` the length of the response body, `problem` the code of a problem document, and `status` 0 where
    the client disconnected before a response. `player_id` is the caller, of `tenant`, and `seat` the caller's in `game_id`. `waited` is
    true for streams and reads that waited for news; `trace_id` is set where requests are traced.
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
    score_keeper_id: str = ""
    webhook_id: str = ""
    player_id: str = ""
    seat: int | None = None
    problem: str = ""
    waited: bool = False
    trace_id: str = ""

    def __str__(self) -> str:
        """Return a summary."""
        return f"{self.method} {self.path} {self.status} {self.duration_ms:.1f}ms {self.request_id}"

    def fields(self) -> Mapping[str, object]:
        """Return the fields of log records that belong to the request; see `log_format.LogContext`."""
        known = {"request_id": self.request_id, "trace_id": self.trace_id, "game_id": self.game_id}
        return {name: value for name, value in known.items() if value}


def start_request(scope: HTTPScope) -> RequestLog:
    """Return the log of a new request."""
    return RequestLog(_EPOCH, "info", _LOGGER.name, "request", _request_id(scope), scope["method"], _path(scope))


def current_request() -> RequestLog:
    """Return the log of the request that is being served; outside of one, a log that nothing reads."""
    context = log_format.current_context()
    return context if isinstance(context, RequestLog) else RequestLog(_EPOCH, "", "", "", "", "", "")


def finish_request(request: RequestLog, seconds: float, metrics: Metrics) -> None:
    """Count a request, and write its line. Probes are logged at the level DEBUG."""
    request.duration_ms = round(seconds * 1000, 3)
    _count(request, seconds, metrics)
    level = logging.DEBUG if request.route in PROBES else logging.INFO
    if _LOGGER.isEnabledFor(level):
        request.timestamp = datetime.fromtimestamp(time.time(), UTC)
        request.level = "debug" if level == logging.DEBUG else "info"
        log_format.write(request, level)


def _count(request: RequestLog, seconds: float, metrics: Metrics) -> None:
    method = request.method if request.method in _METHODS else "other"
    refusal = request.problem if request.status in _TURNED_AWAY else ""
    metrics.count_request(
        method, request.route or _NO_ROUTE, request.status, None if request.waited else seconds, refusal
    )


def _request_id(scope: HTTPScope) -> str:
    """Return the `X-Request-Id` of a proxy, where it looks like an id and not like a secret; else a new id."""
    given = header(scope, b"x-request-id")
    if given and _REQUEST_ID.fullmatch(given) and _SCRUBBER.scrub(given) == given:
        return given
    return secrets.token_hex(8)


def _path(scope: HTTPScope) -> str:
    path = scope["raw_path"].decode("ascii", "replace")
    if _PLAIN_PATH.fullmatch(path):
        return path
    # Scrubbed before it is cut: half a secret is not recognised.
    return escape_control(escape_invisible(_SCRUBBER.scrub(path[:_MAX_SCRUBBED_LENGTH])[:_MAX_PATH_LENGTH]))
