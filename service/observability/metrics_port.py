"""What is worth counting, as a port: who counts need not know who adds up, nor for whom."""

from collections.abc import Callable
from enum import StrEnum, auto
from typing import Protocol


class Count(StrEnum):
    """What happens, and is counted."""

    MOVES = auto()
    CONFLICTS = auto()
    REPLAYS = auto()
    TURNS_EXPIRED = auto()
    TABLES_ABANDONED = auto()
    DEADLINE_FAILURES = auto()
    HINTS_SENT = auto()
    HINTS_RECEIVED = auto()
    HINT_CONNECTIONS_LOST = auto()


class Histogram(StrEnum):
    """What is measured each time that it happens. Times are in seconds."""

    BATCH_SIZE = auto()
    BATCH_SECONDS = auto()


class Gauge(StrEnum):
    """How something stands when it is asked for. Times are in seconds, moments in seconds since 1970."""

    READS_SERVED = auto()
    COMMANDS_SERVED = auto()
    STREAMS = auto()
    WAITING_READS = auto()
    WATCHED_GAMES = auto()
    WRITER_QUEUE = auto()
    WRITER_QUEUE_BOUND = auto()
    WAITING_FOR_READING = auto()
    WAITING_FOR_SMALL_WRITES = auto()
    DATABASE_UP = auto()
    TABLES_WAITING = auto()
    TABLES_PLAYING = auto()
    DEADLINE_LAG = auto()
    DEADLINE_WORKER_LAST_RUN = auto()
    DRAINING = auto()
    LOOP_LAG = auto()


Read = Callable[[], float | None]
"""Says how something stands; none when nobody knows."""


class MetricsSink(Protocol):
    """Takes counts. To count costs less than a microsecond or two, and never fails."""

    def count(self, what: Count) -> None:
        """Count that something has happened."""
        ...

    def measure(self, what: Histogram, value: float) -> None:
        """Note how much it was this time."""
        ...

    def served(self, method: str, route: str, status: int, seconds: float | None, refusal: str = "") -> None:
        """Count an answer: `route` is the template of its path, `refusal` why the request was turned away, if it was.

        `seconds` is how long it took; none where the caller had asked to wait.
        """
        ...

    def register_gauge(self, what: Gauge | Count, read: Read) -> None:
        """Have `read` called whenever somebody looks. What several say of one thing is added up."""
        ...


class NoMetrics:
    """Counts nothing."""

    def count(self, what: Count) -> None:
        """See `MetricsSink.count`."""

    def measure(self, what: Histogram, value: float) -> None:
        """See `MetricsSink.measure`."""

    def served(self, method: str, route: str, status: int, seconds: float | None, refusal: str = "") -> None:
        """See `MetricsSink.served`."""

    def register_gauge(self, what: Gauge | Count, read: Read) -> None:
        """See `MetricsSink.register_gauge`."""


NO_METRICS = NoMetrics()
"""For whoever is not watched."""
