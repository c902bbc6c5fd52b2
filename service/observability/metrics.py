"""Prometheus metrics of a process, each declared once."""

from functools import cache
from importlib import metadata

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    GCCollector,
    Histogram,
    Info,
    PlatformCollector,
    ProcessCollector,
    disable_created_metrics,
    generate_latest,
)

MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"
"""The text format of Prometheus."""

_REQUEST_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
_COMMIT_SECONDS = (0.0005, *_REQUEST_SECONDS)
_COMMIT_SIZE = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512)

# Otherwise each series has a second one with its time of creation.
disable_created_metrics()


class Metrics:
    """The metrics of one service. Each instance has a registry of its own."""

    def __init__(self) -> None:
        self.registry = registry = CollectorRegistry()

        def counter(name: str, text: str, *labels: str) -> Counter:
            return Counter(f"pocha_{name}", text, labels, registry=registry)

        def gauge(name: str, text: str, *labels: str) -> Gauge:
            return Gauge(f"pocha_{name}", text, labels, registry=registry)

        def histogram(name: str, text: str, buckets: tuple[float, ...], *labels: str) -> Histogram:
            return Histogram(f"pocha_{name}", text, labels, buckets=buckets, registry=registry)

        self.requests = counter("requests", "Responses, by route and status.", "method", "route", "status")
        self.request_seconds = histogram(
            "request_seconds",
            "Duration of requests, except long polls and streams.",
            _REQUEST_SECONDS,
            "method",
            "route",
        )
        # `labels` looks a series up under a lock; there are as many as routes, methods and statuses.
        self._count_of, self._seconds_of = cache(self.requests.labels), cache(self.request_seconds.labels)
        self.requests_refused = counter("requests_refused", "Requests answered 429 or 503, by problem code.", "reason")
        self.requests_in_progress = gauge("requests_in_progress", "Requests that hold an admission slot.", "kind")
        self.waiting_requests = gauge("waiting_requests", "Open streams and long polls.", "kind")
        self.watched_games = gauge("watched_games", "Games with an open stream or long poll.")
        self.moves = counter("moves", "Committed moves of players.")
        self.score_keeper_entries = counter(
            "score_keeper_entries", "Entries in score sheets of tables with real cards."
        )
        self.version_conflicts = counter("version_conflicts", "Commands decided again after a concurrent commit.")
        self.idempotent_replays = counter("idempotent_replays", "Retries answered with the outcome of the first try.")
        self.turns_expired = counter("turns_expired", "Expired turns that this process played.")
        self.robot_moves = counter("robot_moves", "Moves of robots that take their time.")
        self.games_abandoned = counter("games_abandoned", "Idle games that this process abandoned.")
        self.deadline_failures = counter("deadline_failures", "Deadlines that could not be enforced; they are retried.")
        self.deadline_worker_last_run = gauge(
            "deadline_worker_last_run_timestamp_seconds", "When this process last looked for overdue games."
        )
        self.deadline_lag = gauge("deadline_lag_seconds", "Age of the oldest overdue deadline of all games.")
        self.active_games = gauge(
            "active_games", "Games of the whole service, by status; counted up to 100,000.", "status"
        )
        self.database_up = gauge("database_up", "Whether the database answered the last query (1) or not (0).")
        self.commit_batch_size = histogram("commit_batch_size", "Commits of one statement.", _COMMIT_SIZE)
        self.commit_batch_seconds = histogram("commit_batch_seconds", "Duration of that statement.", _COMMIT_SECONDS)
        self.writer_queue = gauge("writer_queue", "Commits waiting to be written.")
        self.writer_queue_bound = gauge("writer_queue_bound", "Length of that queue at which commits are refused.")
        self.buckets_unavailable = gauge(
            "buckets_unavailable", "Buckets of games that gave no answer: their server of a Citus cluster is away."
        )
        self.pool_waiting = gauge("pool_waiting", "Calls waiting for a database connection, by pool.", "pool")
        self.hints_sent = counter("hints_sent", "Hints sent to other processes.")
        self.hints_received = counter("hints_received", "Hints received from other processes.")
        self.hint_connections_lost = counter("hint_connections_lost", "Losses of the connection for hints.")
        self.players_deleted = counter("players_deleted", "Players that were deleted through this process.")
        self.webhook_attempts = counter(
            "webhook_attempts",
            "Attempts to deliver to web hooks: delivered, retried later, or failed for good.",
            "outcome",
        )
        for outcome in ("delivered", "retried", "failed"):  # known before the first attempt
            self.webhook_attempts.labels(outcome)
        self.webhooks_behind = gauge(
            "webhooks_behind", "Games whose newest commits a web hook lacks, at the last sweep; counted up to 1,000."
        )
        self.webhook_oldest = gauge(
            "webhook_oldest_seconds", "Age of the oldest commit that a web hook lacks, at the last sweep."
        )
        self.draining = gauge("draining", "Whether this process is draining (1) or not (0).")
        self.event_loop_lag = gauge("event_loop_lag_seconds", "How late the event loop was at the last measurement.")
        Info("pocha_build", "Version of the service.", registry=registry).info(
            {"version": metadata.version("pocha-service")}
        )
        for collector in (ProcessCollector, PlatformCollector, GCCollector):
            collector(registry=registry)

    def count_request(self, method: str, route: str, status: int, seconds: float | None, refusal: str = "") -> None:
        """Count a response. `route` is the path template; `seconds` is None for long polls and streams.

        `refusal` is the problem code of a request that was refused, else empty.
        """
        self._count_of(method, route, str(status)).inc()
        if seconds is not None:
            self._seconds_of(method, route).observe(seconds)
        if refusal:
            self.requests_refused.labels(refusal).inc()

    def page(self) -> bytes:
        """Return all metrics in the format of `MEDIA_TYPE`."""
        return generate_latest(self.registry)
