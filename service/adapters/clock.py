"""The clock on the wall."""

from datetime import UTC, datetime


class SystemClock:
    """Adapter of `service.application.ports.Clock` to the system's clock."""

    def now(self) -> datetime:
        """Return the present moment, UTC."""
        return datetime.now(UTC)
