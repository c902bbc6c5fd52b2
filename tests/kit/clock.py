"""Time as tests want it."""

from datetime import UTC, datetime, timedelta


class SetClock:
    """A clock that tests set."""

    def __init__(self) -> None:
        self.time = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)

    def now(self) -> datetime:
        """Return the time it was set to."""
        return self.time

    def pass_by(self, **span: float) -> None:
        """Let time go by."""
        self.time += timedelta(**span)
