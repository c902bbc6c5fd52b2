"""The system clock."""

from datetime import UTC, datetime


class SystemClock:
    """Adapter of `service.application.ports.Clock` to the system clock."""

    def now(self) -> datetime:
        """Return the present time, UTC. Never a whole second: times are written with six digits, which those of a second would lack."""
        now = datetime.now(UTC)
        return now if now.microsecond else now.replace(microsecond=1)
