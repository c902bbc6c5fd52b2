"""What live tables cost: many streams in one process, and news from one process to a stream of another."""

import asyncio
import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager

import msgspec

from tests.bench.listening import Audience
from tests.bench.load import Requests, Tables, tokens
from tests.bench.script import SHORT, script
from tests.bench.serving import Running
from tests.kit.wire import Wire

STREAMS_PER_CALLER = 8


class FanOut(msgspec.Struct, frozen=True):
    """Streams of one process: memory that each of them takes there (bytes), and for every move how long after its ack each had it."""

    games: int
    streams: int
    memory: float
    delays: Sequence[Sequence[float]]


@asynccontextmanager
async def _games(server: Running, count: int) -> AsyncGenerator[tuple[list[str], list[Requests], list[Wire]]]:
    """Give new games: their ids, their moves, and a connection each."""
    tables = await Tables.with_persons(server, SHORT.seats, await script(SHORT.seats), 0)
    wires = [await Wire.open(server.url) for _ in range(count)]
    try:
        ids = [await tables.start(wire) for wire in wires]
        yield ids, [tables.moves_of(game_id) for game_id in ids], wires
    finally:
        for wire in wires:
            wire.close()


async def fan_out(server: Running, games: int, streams: int, moves: int) -> FanOut:
    """Make `moves` moves in every game, in all games at once, while `streams` streams of spectators look on."""
    callers = await tokens(server, -(-streams // STREAMS_PER_CALLER))
    audience = Audience(server)
    async with _games(server, games) as (ids, scripts, wires):
        before = server.memory()
        await audience.attach(ids, (callers * STREAMS_PER_CALLER)[:streams])
        memory = (server.memory() - before) / streams
        delays: list[list[float]] = []
        for number in range(moves):
            asked = zip(wires, [requests[number] for requests in scripts], strict=True)
            acked = await asyncio.gather(*(_acked(wire, move) for wire, move in asked))
            await audience.hear(streams)
            delays.append([heard - acked[place % games] for place, heard in enumerate(audience.last_heard())])
    audience.close()
    return FanOut(games, streams, memory, delays)


async def across(one: Running, other: Running, moves: int) -> list[float]:
    """Return for each move, made at one process, how long after its ack a stream of the other had it."""
    callers = await tokens(other, 1)
    audience = Audience(other)
    delays: list[float] = []
    async with _games(one, 1) as ((game_id,), (requests,), (wire,)):
        await audience.attach([game_id], callers)
        for move in requests[:moves]:
            acked = await _acked(wire, move)
            await audience.hear(1)
            delays += [heard - acked for heard in audience.last_heard()]
    audience.close()
    return delays


async def _acked(wire: Wire, move: bytes) -> float:
    """Make a move, and return when it was acknowledged."""
    answer = await wire.ask(move)
    assert answer.status == 200, answer
    return time.perf_counter()
