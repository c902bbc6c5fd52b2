"""Tables where robots search without a pause: one person at each lets a robot make every move."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import msgspec

from tests.bench.load import made, tokens
from tests.bench.script import LONG
from tests.bench.serving import Running
from tests.kit.wire import Wire, request

_HARD = {"level": "hard"}


class Searching(msgspec.Struct):
    """How many moves the persons' robots have made; each was followed by those of the other robots."""

    moves: int = 0


@asynccontextmanager
async def hard_tables(server: Running, count: int) -> AsyncGenerator[Searching]:
    """Play at so many tables meanwhile. Every one has made a move before it begins, so the search is loaded."""
    found, begun = Searching(), [asyncio.Event() for _ in range(count)]
    persons = await tokens(server, count)
    playing = [asyncio.create_task(_play(server, *one, found)) for one in zip(persons, begun, strict=True)]
    try:
        await asyncio.gather(*(event.wait() for event in begun))
        yield found
    finally:
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)


async def _play(server: Running, token: str, begun: asyncio.Event, found: Searching) -> None:
    """Play one game after the other, until cancelled."""
    wire = await Wire.open(server.url)
    new = {"ruleset": LONG.ruleset, "players": LONG.seats, "robots": [_HARD] * (LONG.seats - 1)}
    try:
        while True:
            game_id = (await made(wire, "/v1/games", new, token))["game_id"]
            move = request("POST", f"/v1/games/{game_id}/robot-moves", msgspec.json.encode(_HARD), token)
            answer = await wire.ask(move)
            while answer.status == 200:
                found.moves += 1
                begun.set()
                answer = await wire.ask(move)
            assert answer.status == 409, answer  # the game is over
    finally:
        wire.close()
