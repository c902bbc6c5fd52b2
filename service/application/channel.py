"""A watched game: its last commits, the newest version heard of, and who waits for more."""

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Sequence

from service.application.ports import StoreUnavailable
from service.application.repository import Committed
from service.application.wakeup import Bell, new_bell, ring, rung

TAIL = 64
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
        self._tail: deque[Committed] = deque(maxlen=TAIL)
        self._waiting: dict[Bell, int] = {}
        self._listening: set[Bell] = set()
        self._reading: asyncio.Task[None] | None = None

    def put(self, done: Committed) -> None:
        """Take in a commit, which may come before older ones, and more than once."""
        if self._fits(done.commit.version):
            self._grow([done])
        self.hear(done.commit.version)

    def hear(self, version: int) -> None:
        """Take in that the game has reached a version, at least."""
        if version > self.version:
            self._heard_of(version)
        self._catch_up()

    def stand_at(self, version: int, heard: int) -> None:
        """Take in what the log says when asked while `heard` was the newest version heard of. More than it says was never true."""
        if version < heard == self.version:
            self._heard_of(version)
        else:
            self.hear(version)

    def since(self, version: int) -> Sequence[Committed]:
        """Return the commits after `version`; only the newest if the tail does not reach back so far; empty if none is known."""
        missing = self._newest - version
        if missing <= 0:
            return ()
        return [self._tail[index] for index in range(-missing, 0)] if missing <= len(self._tail) else [self._tail[-1]]

    async def more(self, version: int, seconds: float) -> None:
        """Wait until `since(version)` is not empty, for at most `seconds`."""
        bell = new_bell()
        self._waiting[bell] = version
        try:
            self._catch_up()
            await rung(bell, seconds)
        finally:
            del self._waiting[bell]

    def listen(self, bell: Bell) -> None:
        """Have `bell` rung when a newer version is heard of."""
        self._listening.add(bell)

    def unlisten(self, bell: Bell) -> None:
        """Forget `bell`."""
        self._listening.discard(bell)

    @property
    def _newest(self) -> int:
        return self._tail[-1].commit.version if self._tail else 0

    @property
    def _needed(self) -> int:
        """The version that the commits still needed come after."""
        return self._newest or min(self._waiting.values(), default=self.version)

    def _heard_of(self, version: int) -> None:
        self.version = version
        for bell in self._listening:
            ring(bell)

    def _fits(self, version: int) -> bool:
        if self._tail:
            return version == self._newest + 1
        return not self._waiting or version <= self._needed + 1

    def _grow(self, steps: Sequence[Committed]) -> None:
        for done in steps:
            if done.commit.version > self._newest:
                self._append(done)
        for bell, version in self._waiting.items():
            if version < self._newest:
                ring(bell)

    def _append(self, done: Committed) -> None:
        if done.commit.version != self._newest + 1:
            self._tail.clear()
        self._tail.append(done)

    def _catch_up(self) -> None:
        if self._reading is None and self._is_behind():
            self._reading = asyncio.create_task(self._read_on())

    def _is_behind(self) -> bool:
        return self._newest < self.version and min(self._waiting.values(), default=self.version) < self.version

    async def _read_on(self) -> None:
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
        self._grow(await self._read(max(self._needed, heard - TAIL)))
        self.stand_at(self._newest, heard)
