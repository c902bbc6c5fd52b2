"""Robots whose search runs in a worker thread, beside the event loop.

The search is compiled code that holds no lock of Python's, so requests are served meanwhile. Where many decisions wait, each tries less:
a long queue costs strength, never legality.
"""

import asyncio
import logging
import os
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from domain.pocha.rules.ruleset import Ruleset
from domain.robots import Choice, Observation, claims, robot
from domain.table.table import Level

_LOGGER = logging.getLogger(__name__)
_NICENESS = 10
_WAITING_AT_FULL_EFFORT = 4
"""Number of waiting decisions above which each gets less effort."""

Search = Callable[[Observation, Ruleset, int, float], Choice]
"""Takes beside a robot's arguments the share of the full effort to spend, above 0 to 1."""


def load_search() -> Search:
    """Import the compiler, and compile the search or load it from its cache: seconds, once a process."""
    from domain.robots import hard, warm_up  # noqa: PLC0415 - imports the compiler

    warm_up.warm_up()

    def search(observation: Observation, ruleset: Ruleset, luck: int, share: float) -> Choice:
        return hard.choose(observation, ruleset, luck, hard.reduced(share))

    return search


def _give_way() -> None:
    """Let requests and the database have the processor first: people feel how long a move takes, and expect a robot to think."""
    if sys.platform == "linux":  # elsewhere a priority is the whole process's
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICENESS)


class RobotPool:
    """Decides for `easy` and `normal` at once, and for `hard` in `threads` worker threads.

    The first decision of `hard` lets `run` load the search, which takes seconds of CPU and 100 MB that most processes never need. Until
    it is loaded, and where that fails, `hard` plays as `normal` does.
    """

    def __init__(self, threads: int = 1, load: Callable[[], Search] = load_search) -> None:
        self._executor = ThreadPoolExecutor(threads, "robots", _give_way)
        self._load = load
        self._search: Search | None = None
        self._waiting = 0
        self._is_wanted = asyncio.Event()
        self.is_loaded = asyncio.Event()
        """Set once loading the search has ended, well or not."""

    async def run(self) -> None:
        """Load the search once it is wanted; end its threads when cancelled."""
        try:
            await self._is_wanted.wait()
            await self._load_search()
            await asyncio.Event().wait()
        finally:
            self._executor.shutdown(wait=False, cancel_futures=True)

    async def _load_search(self) -> None:
        try:
            self._search = await asyncio.get_running_loop().run_in_executor(self._executor, self._load)
        except Exception:
            _LOGGER.exception("the search of hard robots cannot be loaded; they play as normal ones do")
        finally:
            self.is_loaded.set()

    def waiting(self) -> int:
        """Return the number of running and waiting decisions."""
        return self._waiting

    def prepare(self) -> None:
        """Let `run` load the search."""
        self._is_wanted.set()

    async def choose(self, level: Level, observation: Observation, ruleset: Ruleset, luck: int) -> Choice:
        """Return what the robot of `level` asks."""
        if level is Level.HARD:
            self.prepare()
        if level is not Level.HARD or self._search is None or observation.choices.is_forced:
            return robot(Level.NORMAL if level is Level.HARD else level)(observation, ruleset, luck)
        claim = claims.claim(observation, ruleset)
        if claim is not None:
            return claim
        share = min(1.0, _WAITING_AT_FULL_EFFORT / (self._waiting + 1))
        self._waiting += 1
        try:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._executor, self._search, observation, ruleset, luck, share)
        finally:
            self._waiting -= 1
