"""Live feed of one watched game: its last commits, its newest known version, and the callers that wait for more."""

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Sequence

from service.application.outlasting import outlasting
from service.application.repository import Committed

Deliver = Callable[[Sequence[Committed]], bool]
"""Takes new commits for a caller that waits, without waking it; returns whether it did."""

TAIL_LENGTH = 64
"""How many commits of a watched game are kept in memory."""

_LOGGER = logging.getLogger(__name__)


class _Waiter:
    """A caller that waits for commits after `version`."""

    __slots__ = ("deliver", "event", "version")

    def __init__(self, version: int, deliver: Deliver | None) -> None:
        self.version = version
        self.deliver = deliver
        self.event = asyncio.Event()


class Channel:
    """Feed of one game. `read` returns every commit after a version, each with the game after it.

    The tail holds the game's last commits without a gap. Commits of this process extend it directly. When commits are missing and a
    caller waits for them, the channel reads the log: one read at a time, however many wait. A failed read is retried at the next sign
    of a new version.
    """

    def __init__(self, read: Callable[[int], Awaitable[Sequence[Committed]]]) -> None:
        self.watches = 0
        self.version = 0
        """Newest known version; 0 when none is known."""
        self._read = read
        self._tail: deque[Committed] = deque(maxlen=TAIL_LENGTH)
        self._commit_waiters: dict[_Waiter, None] = {}
        self._delivery: asyncio.Handle | None = None
        self._version_waiters: set[asyncio.Event] = set()
        self._reading: asyncio.Task[None] | None = None

    def add_commit(self, committed: Committed) -> None:
        """Add a commit of this process. Commits may arrive out of order and more than once."""
        if self._extends_tail(committed.commit.version):
            self._extend([committed])
        self.observe_version(committed.commit.version)

    def observe_version(self, version: int) -> None:
        """Note that the game has reached `version`, or a later one."""
        if version > self.version:
            self._set_version(version)
        self._start_reading()

    def reconcile(self, version: int, previous: int) -> None:
        """Note that the log's head was `version` while `previous` was the newest known version; a hint beyond the head was false."""
        if version < previous == self.version:
            self._set_version(version)
        else:
            self.observe_version(version)

    def commits_after(self, version: int) -> Sequence[Committed]:
        """Return the commits after `version`: only the newest if the tail does not reach back that far, none if none is known."""
        missing = self._newest - version
        if missing <= 0:
            return ()
        return [self._tail[index] for index in range(-missing, 0)] if missing <= len(self._tail) else [self._tail[-1]]

    async def wait_for_commit(self, version: int, seconds: float, deliver: Deliver | None = None) -> None:
        """Wait until `commits_after(version)` is not empty, for at most `seconds`; go on waiting while `deliver` takes what comes."""
        waiter = _Waiter(version, deliver)
        self._commit_waiters[waiter] = None
        # `asyncio.timeout`, which cancels and catches, costs three times as much.
        timer = asyncio.get_running_loop().call_later(seconds, waiter.event.set)
        try:
            self._start_reading()
            await waiter.event.wait()
        finally:
            timer.cancel()
            del self._commit_waiters[waiter]

    def subscribe(self, event: asyncio.Event) -> None:
        """Set `event` when a newer version becomes known."""
        self._version_waiters.add(event)

    def unsubscribe(self, event: asyncio.Event) -> None:
        """End the subscription of `event`."""
        self._version_waiters.discard(event)

    @property
    def _newest(self) -> int:
        return self._tail[-1].commit.version if self._tail else 0

    @property
    def _read_from(self) -> int:
        """The version after which the log must be read."""
        return self._newest or self._oldest_awaited

    @property
    def _oldest_awaited(self) -> int:
        return min((waiter.version for waiter in self._commit_waiters), default=self.version)

    def _set_version(self, version: int) -> None:
        self.version = version
        for event in self._version_waiters:
            event.set()

    def _extends_tail(self, version: int) -> bool:
        if self._tail:
            return version == self._newest + 1
        return not self._commit_waiters or version <= self._read_from + 1

    def _extend(self, commits: Sequence[Committed]) -> None:
        for committed in commits:
            if committed.commit.version > self._newest:
                self._append(committed)
        if self._commit_waiters and self._delivery is None:  # not now: who made the commit is answered first
            self._delivery = asyncio.get_running_loop().call_soon(self._deliver)

    def _deliver(self) -> None:
        self._delivery = None
        for waiter in tuple(self._commit_waiters):
            if waiter.version < self._newest:
                if waiter.deliver is not None and waiter.deliver(self.commits_after(waiter.version)):
                    waiter.version = self._newest
                else:
                    waiter.event.set()

    def _append(self, committed: Committed) -> None:
        if committed.commit.version != self._newest + 1:
            self._tail.clear()
        self._tail.append(committed)

    def _start_reading(self) -> None:
        if self._reading is None and self._is_behind():
            self._reading = asyncio.create_task(self._read_until_current())

    def _is_behind(self) -> bool:
        return self._newest < self.version and self._oldest_awaited < self.version

    async def _read_until_current(self) -> None:
        try:
            with outlasting(_LOGGER, "failed to read a watched game"):
                while self._is_behind():
                    await self._read_once(self.version)
        finally:
            self._reading = None

    async def _read_once(self, known: int) -> None:
        self._extend(await self._read(max(self._read_from, known - TAIL_LENGTH)))
        self.reconcile(self._newest, known)
