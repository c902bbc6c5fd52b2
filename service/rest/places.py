"""How many requests a process serves at once. Beyond that it says so at once: whom it does serve, it serves quickly, however many ask.

Reads and commands have places of their own, so that a crowd of readers keeps nobody from a move. Whoever only waits (a stream, a read that
waits for news) gives the place back and is counted by those who let it wait; probes of the service's health always find a place.
"""

import math
from typing import Any, cast

from litestar.types import HTTPScope, Scope

MOST_READS = 512
MOST_COMMANDS = 1024

_READS = frozenset({"GET", "HEAD"})
_PROBES = frozenset({"/healthz", "/readyz", "/metrics"})
_PLACE = "pocha.place"


class Room:
    """So many places."""

    def __init__(self, places: float) -> None:
        self.free = places


class Place:
    """A place that a request has taken in a room; it is free again after the first `give_back`."""

    __slots__ = ("_room",)

    def __init__(self, room: Room) -> None:
        self._room: Room | None = room
        room.free -= 1

    def give_back(self) -> None:
        """Let another request have the place. Further calls change nothing."""
        if self._room is not None:
            self._room.free += 1
            self._room = None


class Places:
    """All places of a process."""

    def __init__(self, reads: int = MOST_READS, commands: int = MOST_COMMANDS) -> None:
        self._reads = Room(reads)
        self._commands = Room(commands)
        self._probes = Room(math.inf)

    def take(self, scope: HTTPScope) -> Place | None:
        """Return a place for a request; none when all are taken."""
        room = self._room_for(scope)
        if room.free < 1:
            return None
        place = Place(room)
        cast("dict[str, Any]", scope)[_PLACE] = place
        return place

    def _room_for(self, scope: HTTPScope) -> Room:
        if scope["method"] not in _READS:
            return self._commands
        return self._probes if scope["path"] in _PROBES else self._reads


def give_place_back(scope: Scope) -> None:
    """Let another request have the place of this one, which from now on only waits."""
    place: Place | None = cast("dict[str, Any]", scope).get(_PLACE)
    if place is not None:
        place.give_back()
