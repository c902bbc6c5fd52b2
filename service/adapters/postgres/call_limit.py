"""A time limit for calls that wait for a future."""

import asyncio
from typing import Any, TypeVar

from service.application.ports import StoreUnavailable

_Answer = TypeVar("_Answer")


class CallLimit:
    """Fails futures that are not done within `seconds`.

    One timer serves all of them: `asyncio.timeout` would make one for each call, which costs as much as the rest of a small one.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._ends: dict[
            asyncio.Future[Any], float
        ] = {}  # all wait for as long, so the first to begin is the first to end
        self._timer: asyncio.TimerHandle | None = None

    async def wait_for(self, answer: asyncio.Future[_Answer]) -> _Answer:
        """Return the result of `answer`.

        Raises:
            StoreUnavailable: the time is over.
        """
        loop = asyncio.get_running_loop()
        self._ends[answer] = loop.time() + self._seconds
        if self._timer is None:
            self._timer = loop.call_later(self._seconds, self._fail_overdue)
        try:
            return await answer
        finally:
            del self._ends[answer]

    def _fail_overdue(self) -> None:
        loop = asyncio.get_running_loop()
        self._timer = None
        for answer, end in self._ends.items():
            if end > loop.time():
                self._timer = loop.call_at(end, self._fail_overdue)
                return
            if not answer.done():
                answer.set_exception(too_late(self._seconds))


def too_late(seconds: float) -> StoreUnavailable:
    """Return the error that the database took longer than `seconds`."""
    return StoreUnavailable(f"the database did not answer within {seconds:g} s")
