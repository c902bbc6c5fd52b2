"""The time, as data."""

from datetime import datetime
from typing import Protocol


class Clock(Protocol):
    """A clock."""

    def now(self) -> datetime:
        """Return the current time, UTC, with time zone."""
        ...
