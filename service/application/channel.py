"""A watched game: its last commits, the newest version heard of, and who waits for more."""

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Sequence

from service.application.ports import StoreUnavailable
from service.application.repository import Committed
from service.application.wakeup import Signal, new_signal, notify, wait_for

TAIL_LENGTH = 64
"""How many commits of a watched game are kept."""

_LOGGER = logging.getLogger(__name__)


class Channel:
    """A game while it is watched. `read` reads the log: every commit after a version, with the game after it.

    The tail is the game's last commits, without a hole. It grows by commits told of (`put`); where versions are missing and somebody
    waits for them, the log is read, once at a time however many wait. A read that fails is tried again at the next word of the game.
    """

    def __init__(self, read: Callable[[int], Awaitable[Sequence[Committed]]]) -> None:
        self.watches = 0
        self.version = 0
        """The newest version heard of; 0: none."""
        self._read = read
        self._tail: deque[Committed] = deque(maxlen=TAIL_LENGTH)
        self._commit_waiters: dict[Signal, int] = {}
        self._version_waiters: set[Signal] = set()
        self._reading: asyncio.Task[None] | None = None

    def add_commit(self, committed: Committed) -> None:
        """Take in a commit, which may come before older ones, and more than once."""
        if self._extends_tail(committed.commit.version):
            self._extend([committed])
        self.observe_version(committed.commit.version)

    def observe_version(self, version: int) -> None:
        """Take in that the game has reached a version, at least."""
        if version > self.version:
            self._set_version(version)
        self._catch_up()

    def reconcile(self, version: int, heard: int) -> None:
        """Take in what the log says when asked while `heard` was the newest version heard of. More than it says was never true."""
        if version < heard == self.version:
            self._set_version(version)
        else:
            self.observe_version(version)

    def commits_after(self, version: int) -> Sequence[Committed]:
        """Return the commits after `version`; only the newest if the tail does not reach back so far; empty if none is known."""
        missing = self._newest - version
        if missing <= 0:
            return ()
        return [self._tail[index] for index in range(-missing, 0)] if missing <= len(self._tail) else [self._tail[-1]]

    async def wait_for_commit(self, version: int, seconds: float) -> None:
        """Wait until `since(version)` is not empty, for at most `seconds`."""
        signal = new_signal()
        self._commit_waiters[signal] = version
        try:
            self._catch_up()
            await wait_for(signal, seconds)
        finally:
            del self._commit_waiters[signal]

    def subscribe(self, signal: Signal) -> None:
        """Have `signal` rung when a newer version is heard of."""
        self._version_waiters.add(signal)

    def unsubscribe(self, signal: Signal) -> None:
        """Forget `signal`."""
        self._version_waiters.discard(signal)

    @property
    def _newest(self) -> int:
        return self._tail[-1].commit.version if self._tail else 0

    @property
    def _read_from(self) -> int:
        """The version that the commits still needed come after."""
        return self._newest or min(self._commit_waiters.values(), default=self.version)

    def _set_version(self, version: int) -> None:
        self.version = version
        for signal in self._version_waiters:
            notify(signal)

    def _extends_tail(self, version: int) -> bool:
        if self._tail:
            return version == self._newest + 1
        return not self._commit_waiters or version <= self._read_from + 1

    def _extend(self, steps: Sequence[Committed]) -> None:
        for committed in steps:
            if committed.commit.version > self._newest:
                self._append(committed)
        for signal, version in self._commit_waiters.items():
            if version < self._newest:
                notify(signal)

    def _append(self, committed: Committed) -> None:
        if committed.commit.version != self._newest + 1:
            self._tail.clear()
        self._tail.append(committed)

    def _catch_up(self) -> None:
        if self._reading is None and self._is_behind():
            self._reading = asyncio.create_task(self._read_until_current())

    def _is_behind(self) -> bool:
        return self._newest < self.version and min(self._commit_waiters.values(), default=self.version) < self.version

    async def _read_until_current(self) -> None:
        try:
            while self._is_behind():
                await self._read_once(self.version)
        except StoreUnavailable:
            pass  # the log's connections have told the operator
        except Exception:
            _LOGGER.exception("a watched game cannot be read")
        finally:
            self._reading = None

    async def _read_once(self, heard: int) -> None:
        self._extend(await self._read(max(self._read_from, heard - TAIL_LENGTH)))
        self.reconcile(self._newest, heard)
