"""The system clock."""

from datetime import UTC, datetime


class SystemClock:
    """Adapter of `service.application.ports.Clock` to the system clock."""

    def now(self) -> datetime:
        """Return the present time, UTC."""
        return datetime.now(UTC)
