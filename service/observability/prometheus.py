"""The figures of a process as Prometheus reads them: the adapter of `service.observability.metrics_port.MetricsSink`.

Every name begins with `pocha_`, but for those of the process itself. The registry is this object's own: several may live in one process.
"""

from collections.abc import Iterable, Iterator, Mapping
from importlib import metadata

from prometheus_client import (
    CollectorRegistry,
    Counter,
    GCCollector,
    PlatformCollector,
    ProcessCollector,
    generate_latest,
)
from prometheus_client import Histogram as PrometheusHistogram
from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from service.observability.metrics_port import Count, Gauge, Histogram, Read

MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"
"""The text format of Prometheus, which every version of it reads."""

_REQUEST_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
_BATCH_SECONDS = (0.0005, *_REQUEST_SECONDS)
_BATCH_SIZE = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512)

_COUNTS: Mapping[Count, tuple[str, str]] = {
    Count.MOVES: ("moves", "Moves that players made, and that are on disk."),
    Count.CONFLICTS: (
        "version_conflicts",
        "Commands that lost to another commit of their game, and were decided again.",
    ),
    Count.REPLAYS: ("replays", "Repeated requests, answered as they were the first time."),
    Count.TURNS_EXPIRED: (
        "turns_expired",
        "Turns whose time was over, and that this process played for their players.",
    ),
    Count.TABLES_ABANDONED: ("tables_abandoned", "Tables that this process gave up because nobody came any more."),
    Count.DEADLINE_FAILURES: (
        "deadline_failures",
        "Deadlines that could not be kept when they were due; they are tried again.",
    ),
    Count.HINTS_SENT: ("hints_sent", "Notifier to other processes."),
    Count.HINTS_RECEIVED: ("hints_received", "Notifier from other processes."),
    Count.HINT_CONNECTIONS_LOST: ("hint_connections_lost", "How often the connection for hints was lost."),
}
_PULLED_COUNTS = (Count.HINTS_SENT, Count.HINTS_RECEIVED, Count.HINT_CONNECTIONS_LOST)
_AMOUNTS: Mapping[Histogram, tuple[str, str, tuple[float, ...]]] = {
    Histogram.BATCH_SIZE: ("commit_batch_size", "Commits that one statement wrote.", _BATCH_SIZE),
    Histogram.BATCH_SECONDS: (
        "commit_batch_seconds",
        "How long such a statement took, to the disk and back.",
        _BATCH_SECONDS,
    ),
}
_LEVELS: Mapping[str, tuple[str, str, Mapping[str, Gauge]]] = {
    "requests_in_progress": (
        "Requests that hold a place, by kind.",
        "kind",
        {"reads": Gauge.READS_SERVED, "commands": Gauge.COMMANDS_SERVED},
    ),
    "waiting": (
        "Callers that wait for news, by kind.",
        "kind",
        {"streams": Gauge.STREAMS, "reads": Gauge.WAITING_READS},
    ),
    "pool_waiting": (
        "Callers that wait for a connection to the database, by pool.",
        "pool",
        {"reading": Gauge.WAITING_FOR_READING, "small_writes": Gauge.WAITING_FOR_SMALL_WRITES},
    ),
    "live_tables": (
        "Tables of the whole service, by status; counted at most twice a minute, and no further than 100,000.",
        "status",
        {"waiting": Gauge.TABLES_WAITING, "playing": Gauge.TABLES_PLAYING},
    ),
    "watched_games": ("Games that somebody here waits for.", "", {"": Gauge.WATCHED_GAMES}),
    "writer_queue": ("Commits that wait to be written.", "", {"": Gauge.WRITER_QUEUE}),
    "writer_queue_bound": ("How many may wait before further ones are refused.", "", {"": Gauge.WRITER_QUEUE_BOUND}),
    "database_up": (
        "Whether the database answered when it was last asked (1) or not (0).",
        "",
        {"": Gauge.DATABASE_UP},
    ),
    "deadline_lag_seconds": (
        "For how long the deadline kept last of all has been over, in the whole service.",
        "",
        {"": Gauge.DEADLINE_LAG},
    ),
    "keeper_last_round_timestamp_seconds": (
        "When this process last looked for deadlines that are over.",
        "",
        {"": Gauge.DEADLINE_WORKER_LAST_RUN},
    ),
    "draining": ("Whether this process is about to end (1) or not (0).", "", {"": Gauge.DRAINING}),
    "event_loop_lag_seconds": ("How late the event loop was when it was last looked at.", "", {"": Gauge.LOOP_LAG}),
}


class Metrics:
    """Adds up what is counted; `page` shows it."""

    def __init__(self) -> None:
        self.registry = registry = CollectorRegistry()
        pushed = [count for count in Count if count not in _PULLED_COUNTS]
        self._counts = {count: _counter(registry, *_COUNTS[count]) for count in pushed}
        self._amounts = {amount: _histogram(registry, *_AMOUNTS[amount]) for amount in Histogram}
        self._requests = Counter(
            "pocha_requests", "Answers, by route and status.", ("method", "route", "status"), registry=registry
        )
        self._seconds = PrometheusHistogram(
            "pocha_request_seconds",
            "How long requests took; those that asked to wait are left out.",
            ("method", "route"),
            buckets=_REQUEST_SECONDS,
            registry=registry,
        )
        self._refused = Counter(
            "pocha_requests_refused", "Requests turned away, by reason.", ("reason",), registry=registry
        )
        self._of_answer: dict[tuple[str, str, int], Counter] = {}
        self._of_route: dict[tuple[str, str], PrometheusHistogram] = {}
        self._pulled = _Pulled()
        registry.register(self._pulled)
        registry.register(_BuildInfo())
        for collector in (ProcessCollector, PlatformCollector, GCCollector):
            collector(registry=registry)

    def count(self, what: Count) -> None:
        """See `MetricsSink.count`."""
        self._counts[what].inc()

    def measure(self, what: Histogram, value: float) -> None:
        """See `MetricsSink.measure`."""
        self._amounts[what].observe(value)

    def served(self, method: str, route: str, status: int, seconds: float | None, refusal: str = "") -> None:
        """See `MetricsSink.served`."""
        answer = (method, route, status)
        counter = self._of_answer.get(answer)
        if counter is None:
            counter = self._of_answer[answer] = self._requests.labels(method, route, str(status))
        counter.inc()
        if seconds is not None:
            self._took(method, route, seconds)
        if refusal:
            self._refused.labels(refusal).inc()

    def register_gauge(self, what: Gauge | Count, read: Read) -> None:
        """See `MetricsSink.register_gauge`."""
        self._pulled.add(what, read)

    def page(self) -> bytes:
        """Return all figures, in the format that `MEDIA_TYPE` names."""
        return generate_latest(_Plain(self.registry))

    def _took(self, method: str, route: str, seconds: float) -> None:
        histogram = self._of_route.get((method, route))
        if histogram is None:
            histogram = self._of_route[method, route] = self._seconds.labels(method, route)
        histogram.observe(seconds)


class _Plain(Collector):
    """A registry without the moments at which each of its series began: half as many lines, and nobody reads those."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._registry = registry

    def collect(self) -> Iterator[Metric]:
        for metric in self._registry.collect():
            metric.samples = [sample for sample in metric.samples if not sample.name.endswith("_created")]
            yield metric


class _Pulled(Collector):
    """What is asked for when somebody looks."""

    def __init__(self) -> None:
        self._readers: dict[Gauge | Count, list[Read]] = {}

    def add(self, what: Gauge | Count, read: Read) -> None:
        self._readers.setdefault(what, []).append(read)

    def collect(self) -> Iterator[Metric]:
        for name, (text, label, levels) in _LEVELS.items():
            family = GaugeMetricFamily(f"pocha_{name}", text, labels=[label] if label else None)
            for value, figure in self._figures(levels):
                family.add_metric([value] if label else [], figure)
            yield family
        for count in _PULLED_COUNTS:
            name, text = _COUNTS[count]
            yield CounterMetricFamily(f"pocha_{name}", text, value=self._sum(count) or 0)

    def _figures(self, levels: Mapping[str, Gauge]) -> Iterable[tuple[str, float]]:
        for value, level in levels.items():
            figure = self._sum(level)
            if figure is not None:
                yield value, figure

    def _sum(self, what: Gauge | Count) -> float | None:
        figures = [figure for read in self._readers.get(what, ()) if (figure := read()) is not None]
        return sum(figures) if figures else None


class _BuildInfo(Collector):
    """Which version of the service this is."""

    def collect(self) -> Iterator[Metric]:
        family = GaugeMetricFamily("pocha_build_info", "The version of the service.", labels=["version"])
        family.add_metric([metadata.version("pocha-service")], 1)
        yield family


def _counter(registry: CollectorRegistry, name: str, text: str) -> Counter:
    return Counter(f"pocha_{name}", text, registry=registry)


def _histogram(registry: CollectorRegistry, name: str, text: str, buckets: tuple[float, ...]) -> PrometheusHistogram:
    return PrometheusHistogram(f"pocha_{name}", text, buckets=buckets, registry=registry)
