"""Connection pool with a bounded queue of waiting callers.

asyncpg's own pool resets a connection at each release, which costs a third of the throughput; nothing here leaves anything to reset.
"""

import asyncio
from collections.abc import Sequence

from service.adapters.postgres.connection import Row
from service.adapters.postgres.reconnecting import ReconnectingConnection
from service.application.ports import StoreUnavailable

WAITING_BOUND = 1000
"""Limit of callers that wait for a connection of one pool; further ones are refused."""


class Pool:
    """A fixed number of connections, lent for one statement at a time, first come, first served."""

    def __init__(self, links: Sequence[ReconnectingConnection], waiting_bound: int = WAITING_BOUND) -> None:
        self._idle = list(links)
        self._number = len(self._idle)
        self._free = asyncio.Semaphore(self._number)
        self._bound = waiting_bound
        self._waiting = 0
        self._closed = False

    async def fetch(self, query: str, *args: object) -> Sequence[Row]:
        """Return the rows of an idempotent statement, which is retried when the connection is lost.

        Raises:
            StoreUnavailable: too many callers wait for a connection already, or the database cannot be reached.
        """
        link = await self._lend()
        try:
            return await link.fetch(query, *args)
        finally:
            self._take_back(link)

    def waiting(self) -> int:
        """Return the number of waiting callers."""
        return self._waiting

    async def close(self) -> None:
        """Serve the waiting callers, then close all connections."""
        if not self._closed:
            self._closed = True
            for _ in range(self._number):
                await self._free.acquire()
                await self._idle.pop().close()

    async def _lend(self) -> ReconnectingConnection:
        if self._closed:
            raise StoreUnavailable("the store is closed")
        if self._free.locked():
            await self._wait()
        else:
            await self._free.acquire()
        return self._idle.pop()

    async def _wait(self) -> None:
        if self._waiting >= self._bound:
            raise StoreUnavailable(f"{self._bound} callers are waiting for a connection to the database")
        self._waiting += 1
        try:
            await self._free.acquire()
        finally:
            self._waiting -= 1

    def _take_back(self, link: ReconnectingConnection) -> None:
        self._idle.append(link)
        self._free.release()
