"""Admission control: how many requests a process serves at once.

Requests beyond the limit get 503 at once, so that admitted ones stay fast under any load. Reads and commands have separate limits: many
reads never keep a player from a move. Only a few reads run at the same moment, in order of arrival, so that a move waits for those few and
not for all of them. Requests that wait (streams, long polls) release their slot; `service.rest.streaming.waiters` limits those. Probes are
always admitted.
"""

import asyncio
import math

from litestar.types import HTTPScope, Scope

from service.rest.middleware.access_log import PROBES
from service.rest.scope import SLOT

MAX_READS = 512
MAX_COMMANDS = 1024
RUNNING_READS = 32
"""Enough to keep the connections to the database busy."""

READ_METHODS = frozenset({"GET", "HEAD"})


class ConcurrencyLimit:
    """`slots` concurrency slots, of which `running` run at once (None: all)."""

    def __init__(self, slots: float, running: int | None = None) -> None:
        self._slots = slots
        self.free = slots
        self.running = asyncio.Semaphore(running) if running else None

    def used(self) -> float:
        """Return the number of slots in use."""
        return self._slots - self.free


class Slot:
    """A slot that a request holds until the first `release`."""

    __slots__ = ("_limit", "_running")

    def __init__(self, limit: ConcurrencyLimit) -> None:
        self._limit: ConcurrencyLimit | None = limit
        self._running: asyncio.Semaphore | None = None
        limit.free -= 1

    async def start(self) -> None:
        """Wait until the request may run."""
        running = self._limit.running if self._limit else None
        if running is not None:
            await running.acquire()
            self._running = running

    def stop(self) -> None:
        """Let the next request run: the response is ready, and a client that reads slowly holds up no other."""
        if self._running is not None:
            self._running.release()
            self._running = None

    def release(self) -> None:
        """Stop, and free the slot. Further calls do nothing."""
        self.stop()
        if self._limit is not None:
            self._limit.free += 1
            self._limit = None


class Admission:
    """The concurrency limits of a process, for `reads` and for `commands`."""

    def __init__(
        self, reads: int = MAX_READS, commands: int = MAX_COMMANDS, running_reads: int = RUNNING_READS
    ) -> None:
        self.reads = ConcurrencyLimit(reads, running_reads)
        self.commands = ConcurrencyLimit(commands)
        self._probes = ConcurrencyLimit(math.inf)

    def admit(self, scope: HTTPScope) -> Slot | None:
        """Return a slot for a request; None where all are in use."""
        limit = self._limit_for(scope)
        if limit.free < 1:
            return None
        slot = Slot(limit)
        SLOT.set(scope, slot)
        return slot

    def _limit_for(self, scope: HTTPScope) -> ConcurrencyLimit:
        if scope["method"] not in READ_METHODS:
            return self.commands
        return self._probes if scope["path"] in PROBES else self.reads


def release_slot(scope: Scope) -> None:
    """Release the slot of a request that only waits from now on."""
    slot = SLOT.get(scope)
    if slot is not None:
        slot.release()
