"""Admission of requests that wait: streams and long polls. Each holds a connection, so their number is limited."""

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

MAX_PER_PLAYER = 8
MAX_PER_APP = 400
"""An app's server may follow many tables at once."""
MAX_WAITERS = 10_000


class WaiterRegistry:
    """The waiters of one process. Players who wait count as connected; all waiters end when the process drains."""

    def __init__(self, draining: Draining, presence: Presence) -> None:
        self.draining = draining
        self.presence = presence
        self._waiters: set[Waiter] = set()
        self._per_caller: Counter[str] = Counter()

    def admit(self, caller: Caller, scope: Scope, *, is_stream: bool = False) -> "Waiter":
        """Return a waiter, to be entered by `async with`; the request's slot of admission control is released then.

        Raises:
            ApiError: the process drains or has too many waiters (503), or the caller has (429).
        """
        if self.draining.begun:
            raise ApiError(ErrorCode.DRAINING)
        if len(self._waiters) >= MAX_WAITERS:
            raise ApiError(ErrorCode.OVERLOADED)
        if self._per_caller[caller.id] >= (MAX_PER_APP if caller.is_app else MAX_PER_PLAYER):
            raise ApiError(ErrorCode.RATE_LIMITED)
        return Waiter(self, caller, scope, is_stream=is_stream)

    async def run(self) -> None:
        """End all waiters once the process drains."""
        await self.draining.wait()
        for waiter in list(self._waiters):
            waiter.end()

    def add(self, waiter: "Waiter") -> None:
        """Count a waiter."""
        self._waiters.add(waiter)
        self._per_caller[waiter.caller_id] += 1

    def remove(self, waiter: "Waiter") -> None:
        """Stop counting a waiter."""
        self._waiters.discard(waiter)
        self._per_caller[waiter.caller_id] -= 1
        if not self._per_caller[waiter.caller_id]:
            del self._per_caller[waiter.caller_id]

    def __len__(self) -> int:
        return len(self._waiters)

    def streams(self) -> int:
        """Return the number of streams."""
        return sum(waiter.is_stream for waiter in self._waiters)


class Waiter:
    """A request that waits, as a context manager. `end` interrupts what its block awaits, and leaves the block without an error."""

    def __init__(self, registry: WaiterRegistry, caller: Caller, scope: Scope, *, is_stream: bool) -> None:
        self.caller_id = caller.id
        self.is_stream = is_stream
        self._scope = scope
        self._registry = registry
        self._timeout = asyncio.timeout(None)
        self._connection = registry.presence.connection(caller.id) if caller.player else nullcontext()

    def end(self) -> None:
        """Leave the block. Further calls do nothing."""
        if not self._timeout.expired():
            self._timeout.reschedule(0)

    @asynccontextmanager
    async def ends_on_disconnect(self, receive: Receive) -> AsyncGenerator[None]:
        """End when the client disconnects."""
        watching = asyncio.create_task(self._end_on_disconnect(receive))
        try:
            yield
        finally:
            watching.cancel()

    async def _end_on_disconnect(self, receive: Receive) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        self.end()

    async def __aenter__(self) -> Self:
        self._registry.add(self)
        release_slot(self._scope)
        current_request().waited = True
        self._connection.__enter__()
        await self._timeout.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        self._registry.remove(self)
        self._connection.__exit__(None, None, None)
        try:
            await self._timeout.__aexit__(kind, error, trace)
        except TimeoutError:
            return True
        return False
