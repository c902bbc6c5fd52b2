"""Kept connections to the processes of the service, shared by all clients; one that broke is replaced by a new one."""

import asyncio
from collections import defaultdict

from tests.chaos.wire import Answer, Line, Place

ANSWER_SECONDS = 40.0
"""No answer, a waiting read's included, may take longer than this, whatever is down."""


class Lines:
    """Lends a connection for each request."""

    def __init__(self) -> None:
        self._idle = defaultdict[Place, list[Line]](list)

    async def ask(self, place: Place, request: bytes, cut_after: int | None = None) -> Answer:
        """Send a request there and return the answer; see `Line.ask`.

        Raises:
            Broken: nobody listens there, or the connection ended before the answer did.
            TimeoutError: there was neither an answer nor an end.
        """
        line = await self._lend(place)
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                answer = await line.ask(request, cut_after)
        except BaseException:
            line.cut()
            raise
        self._idle[place].append(line)
        return answer

    def close(self) -> None:
        """End all of them."""
        for lines in self._idle.values():
            while lines:
                lines.pop().cut()

    async def _lend(self, place: Place) -> Line:
        while self._idle[place]:
            line = self._idle[place].pop()
            if line.is_usable:
                return line
            line.cut()
        return await Line.open(place)
