"""A client of a stream over a real socket."""

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import httpx

from tests.kit.player import Guest, Json
from tests.kit.waiting import PATIENCE_SECONDS


class Stream:
    """The events of a stream, as they come: name and data of each, in order."""

    def __init__(self, response: httpx.Response) -> None:
        self._lines = response.aiter_lines()
        self.last_id = ""

    async def next(self) -> tuple[str, Json]:
        """Return the next event."""
        name, data = "", ""
        async with asyncio.timeout(PATIENCE_SECONDS):
            async for line in self._lines:
                field, _, value = line.partition(": ")
                if field == "id":
                    self.last_id = value
                elif field == "event":
                    name = value
                elif field == "data":
                    data = value
                elif not line and name:
                    return name, json.loads(data)
        raise EOFError


@asynccontextmanager
async def watching(client: httpx.AsyncClient, guest: Guest, game: Json, **headers: str) -> AsyncGenerator[Stream]:
    """Open the stream of a game in the name of `guest`."""
    given: dict[str, Any] = {"Authorization": f"Bearer {guest.token}", **headers}
    path = f"/v1/games/{game['game_id']}/stream"
    async with client.stream("GET", path, headers=given, timeout=PATIENCE_SECONDS) as response:
        assert response.status_code == 200, await response.aread()
        yield Stream(response)
