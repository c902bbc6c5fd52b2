"""Admission for callers that wait: streams, and reads that wait for news. Each holds a connection, so there are only so many."""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, nullcontext
from types import TracebackType
from typing import Self

from litestar.types import Receive, Scope

from service.application.caller import Caller
from service.application.draining import Draining
from service.application.presence import Presence
from service.rest.errors import ApiError, ErrorCode
from service.rest.middleware.access_log import current_request
from service.rest.middleware.admission import release_slot

MOST_PER_PLAYER = 8
MOST_PER_APP = 400
"""An app's own server may follow many tables at once."""
MOST_IN_ALL = 10_000


class WaiterRegistry:
    """The places of one process. A player who has one counts as connected; when the process is about to end, all are sent away."""

    def __init__(self, draining: Draining, presence: Presence) -> None:
        self.draining = draining
        self.presence = presence
        self._stays: set[Waiter] = set()
        self._taken: Counter[str] = Counter()

    def place(self, caller: Caller, scope: Scope, *, is_stream: bool = False) -> "Waiter":
        """Return a place for the caller whose request `scope` is, to be taken by `async with` instead of the place of those who are served.

        Raises:
            ApiError: the process is about to end, or has no place left (503), or the caller has as many as they may have (429).
        """
        if self.draining.begun:
            raise ApiError(ErrorCode.DRAINING)
        if len(self._stays) >= MOST_IN_ALL:
            raise ApiError(ErrorCode.OVERLOADED)
        if self._taken[caller.id] >= (MOST_PER_APP if caller.is_app else MOST_PER_PLAYER):
            raise ApiError(ErrorCode.RATE_LIMITED)
        return Waiter(self, caller, scope, is_stream=is_stream)

    async def run(self) -> None:
        """Send everybody away once the process is about to end."""
        await self.draining.wait()
        for stay in list(self._stays):
            stay.end()

    def enter(self, stay: "Waiter") -> None:
        """Count a stay that begins."""
        self._stays.add(stay)
        self._taken[stay.caller_id] += 1

    def leave(self, stay: "Waiter") -> None:
        """Count a stay that is over."""
        self._stays.discard(stay)
        self._taken[stay.caller_id] -= 1
        if not self._taken[stay.caller_id]:
            del self._taken[stay.caller_id]

    def __len__(self) -> int:
        return len(self._stays)

    def streams(self) -> int:
        """Return how many of those who wait are streamed to."""
        return sum(stay.is_stream for stay in self._stays)


class Waiter:
    """The time that a caller waits for. `end`, called from anywhere, breaks off what is being awaited in its block, and the block."""

    def __init__(self, room: WaiterRegistry, caller: Caller, scope: Scope, *, is_stream: bool) -> None:
        self.caller_id = caller.id
        self.is_stream = is_stream
        self._scope = scope
        self._room = room
        self._limit = asyncio.timeout(None)
        self._connected = room.presence.connection(caller.id) if caller.player else nullcontext()

    def end(self) -> None:
        """Let the stay be over; further calls change nothing."""
        if not self._limit.expired():
            self._limit.reschedule(0)

    async def __aenter__(self) -> Self:
        self._room.enter(self)
        release_slot(self._scope)
        current_request().waited = True
        self._connected.__enter__()
        await self._limit.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        self._room.leave(self)
        self._connected.__exit__(None, None, None)
        try:
            await self._limit.__aexit__(kind, error, trace)
        except TimeoutError:
            return True
        return False


@asynccontextmanager
async def noticing(receive: Receive, stay: Waiter) -> AsyncGenerator[None]:
    """Let the stay be over when the client goes away."""
    leaving = asyncio.create_task(_gone(receive, stay))
    try:
        yield
    finally:
        leaving.cancel()


async def _gone(receive: Receive, stay: Waiter) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    stay.end()
