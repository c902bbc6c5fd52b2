"""How many requests a process serves at once. Beyond that it says so at once: whom it does serve, it serves quickly, however many ask.

Reads and commands have places of their own, so that a crowd of readers keeps nobody from a move; and only a few reads are worked at in
the same moment, in the order in which they came, so that a move waits for those few and not for the whole crowd. Whoever only waits (a
stream, a read that waits for news) gives the place back and is counted by those who let it wait; probes of the service's health always
find a place.
"""

import asyncio
import math
from typing import Any, cast

from litestar.types import HTTPScope, Scope

from service.rest.middleware.access_log import PROBES

MOST_READS = 512
MOST_COMMANDS = 1024
READS_AT_A_TIME = 32
"""Enough to keep the connections to the database busy."""

READS = frozenset({"GET", "HEAD"})
"""The methods that only read."""
_PLACE = "pocha.place"


class ConcurrencyLimit:
    """So many places; whoever has one is served in turn, so many `at_a_time` (none: all)."""

    def __init__(self, places: float, at_a_time: int | None = None) -> None:
        self._places = places
        self.free = places
        self.turns = asyncio.Semaphore(at_a_time) if at_a_time else None

    def taken(self) -> float:
        """Return how many are taken."""
        return self._places - self.free


class Slot:
    """A place that a request has taken in a room; it is free again after the first `give_back`."""

    __slots__ = ("_room", "_turns")

    def __init__(self, room: ConcurrencyLimit) -> None:
        self._room: ConcurrencyLimit | None = room
        self._turns: asyncio.Semaphore | None = None
        room.free -= 1

    async def turn(self) -> None:
        """Return when it is this request's turn; it lasts until `end_turn`."""
        turns = self._room.turns if self._room else None
        if turns is not None:
            await turns.acquire()
            self._turns = turns

    def end_turn(self) -> None:
        """Let the next one have its turn: the answer is made, and whoever is slow to take it holds up nobody."""
        if self._turns is not None:
            self._turns.release()
            self._turns = None

    def give_back(self) -> None:
        """Let another request have the place. Further calls change nothing."""
        self.end_turn()
        if self._room is not None:
            self._room.free += 1
            self._room = None


class Admission:
    """All places of a process: those for `reads`, and those for `commands`."""

    def __init__(
        self, reads: int = MOST_READS, commands: int = MOST_COMMANDS, reads_at_a_time: int = READS_AT_A_TIME
    ) -> None:
        self.reads = ConcurrencyLimit(reads, reads_at_a_time)
        self.commands = ConcurrencyLimit(commands)
        self._probes = ConcurrencyLimit(math.inf)

    def take(self, scope: HTTPScope) -> Slot | None:
        """Return a place for a request; none when all are taken."""
        room = self._room_for(scope)
        if room.free < 1:
            return None
        place = Slot(room)
        cast("dict[str, Any]", scope)[_PLACE] = place
        return place

    def _room_for(self, scope: HTTPScope) -> ConcurrencyLimit:
        if scope["method"] not in READS:
            return self.commands
        return self._probes if scope["path"] in PROBES else self.reads


def release_slot(scope: Scope) -> None:
    """Let another request have the place of this one, which from now on only waits."""
    place: Slot | None = cast("dict[str, Any]", scope).get(_PLACE)
    if place is not None:
        place.give_back()
