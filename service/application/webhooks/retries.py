"""When a delivery that failed is tried again."""

from datetime import datetime, timedelta
from uuid import UUID

GIVE_UP_AFTER = timedelta(days=3)
"""How long after it happened an event is given up, if a delivery of it has failed by then."""
_FIRST = timedelta(seconds=5)
_MOST = timedelta(hours=2)
_FACTOR = 3
_MOST_DOUBLINGS = 10
_JITTER = 0.2


def next_attempt(attempts: int, now: datetime, occurred_at: datetime, delivery_id: UUID) -> datetime | None:
    """Return when to try again after so many failed `attempts`, the last one now; None when the event is given up.

    The pause grows from seconds to two hours. It is up to a fifth longer, by the id, so that what failed together is not tried together.
    """
    pause = min(_FIRST * _FACTOR ** min(attempts - 1, _MOST_DOUBLINGS), _MOST)
    due = now + pause * (1 + _JITTER * (delivery_id.int % 1000) / 1000)
    return due if due <= occurred_at + GIVE_UP_AFTER else None
