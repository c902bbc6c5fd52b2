"""The ways in which clients use tables, each for as long as it is told to: what is measured is moves, whatever else they take."""

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from itertools import repeat

import msgspec

from tests.bench.listening import Audience
from tests.bench.load import Round, made, tokens
from tests.bench.postgres_cpu import PostgresCpu
from tests.bench.script import LONG, Step, script
from tests.bench.serving import Running
from tests.kit.wire import Wire, request

FASTEST = 3000
"""The moves a second that one table is prepared for; more would end the round too early."""
WAIT_SECONDS = 20

Play = Callable[["Game", float], Awaitable[list[float]]]
"""Plays a game until its end or until a time, and returns the latency of each move."""


class Game(msgspec.Struct, frozen=True):
    """A game that was started: its persons' tokens, its moves, and a connection for each person."""

    game_id: str
    tokens: Sequence[str]
    steps: Sequence[Step]
    wires: Sequence[Wire]

    def move(self, step: Step, key: str = "") -> bytes:
        """Return the request of a move."""
        path = f"/v1/games/{self.game_id}/{step.resource}"
        return request("POST", path, step.body, self.tokens[step.person], key=key)

    def keyed(self, number: int) -> bytes:
        """Return the request of move `number`, with an idempotency key."""
        return self.move(self.steps[number], f"{self.game_id}-{number}")


async def move(game: Game, end: float) -> list[float]:
    """Make moves and nothing else."""
    return await _in_turn(game.wires[0], ([game.move(step)] for step in game.steps), end)


async def get_and_move(game: Game, end: float) -> list[float]:
    """Read the view before each move, which has an idempotency key: what a client does that keeps nothing."""
    views = [request("GET", f"/v1/games/{game.game_id}", token=token) for token in game.tokens]
    asked = ([views[step.person], game.keyed(number)] for number, step in enumerate(game.steps))
    return await _in_turn(game.wires[0], asked, end)


async def bots(game: Game, end: float) -> list[float]:
    """Let each person wait for its turns by long polling, and move."""
    playing = [asyncio.create_task(_bot(game, person)) for person in range(len(game.tokens))]
    _, waiting = await asyncio.wait(playing, timeout=end - time.perf_counter(), return_when=asyncio.ALL_COMPLETED)
    for bot in waiting:
        bot.cancel()
    latencies: list[float] = []
    for found in await asyncio.gather(*playing):
        latencies += found
    return latencies


async def _bot(game: Game, person: int) -> list[float]:
    turns = request("GET", f"/v1/me/turns?wait={WAIT_SECONDS}", token=game.tokens[person])
    wire, latencies = game.wires[person], list[float]()
    try:
        for number, step in enumerate(game.steps):
            if step.person != person:
                continue
            while game.game_id.encode() not in (await wire.ask(turns)).body:
                pass
            began = time.perf_counter()
            answer = await wire.ask(game.keyed(number))
            assert answer.status == 200, answer
            latencies.append(time.perf_counter() - began)
    except asyncio.CancelledError:  # the time is over; what was done counts
        pass
    return latencies


async def _in_turn(wire: Wire, asked: Iterable[Sequence[bytes]], end: float) -> list[float]:
    latencies: list[float] = []
    for requests in asked:
        began = time.perf_counter()
        if began >= end:
            break
        for each in requests:
            answer = await wire.ask(each)
            assert answer.status == 200, answer
        latencies.append(time.perf_counter() - began)
    return latencies


class Trial(msgspec.Struct, frozen=True):
    """A way to use `tables` tables. With `streams`, each person also has a stream."""

    name: str
    play: Play
    streams: bool = False


TRIALS = (Trial("move", move), Trial("get+move", get_and_move), Trial("move+streams", move, True), Trial("bots", bots))


async def measure(server: Running, trial: Trial, tables: int, seconds: float, postgres: PostgresCpu) -> Round:
    """Play at `tables` tables at once, one game after the other at each, for so many seconds."""
    games = max(1, -(-round(FASTEST * seconds) // (len(await script(LONG.seats, LONG)) * tables)))
    async with _tables(server, tables, games) as found:
        audience = Audience(server)
        if trial.streams:
            for each in (game for table in found for game in table):
                await audience.attach([each.game_id], each.tokens)
        round_ = await _timed([_one_after_the_other(table, trial.play) for table in found], seconds, server, postgres)
        audience.close()
        return round_


async def writes(limit: Running, tables: int, seconds: float, postgres: PostgresCpu) -> Round:
    """Write at `tables` connections to the limit at once."""
    wires = [await Wire.open(limit.url) for _ in range(tables)]
    asked = [request("POST", f"/{time.time_ns()}-{table}", b'{"card":"oros-1"}') for table in range(tables)]
    for wire, each in zip(wires, asked, strict=True):
        assert (await wire.ask(each)).status == 200
    plays = [partial(_in_turn, wire, repeat([each])) for wire, each in zip(wires, asked, strict=True)]
    try:
        return await _timed(plays, seconds, limit, postgres)
    finally:
        for wire in wires:
            wire.close()


def _one_after_the_other(games: Sequence[Game], play: Play) -> Callable[[float], Awaitable[list[float]]]:
    async def played(end: float) -> list[float]:
        latencies: list[float] = []
        for game in games:
            if time.perf_counter() < end:
                latencies += await play(game, end)
        assert time.perf_counter() >= end, "too few games were prepared"
        return latencies

    return played


async def _timed(
    tables: Sequence[Callable[[float], Awaitable[list[float]]]], seconds: float, server: Running, postgres: PostgresCpu
) -> Round:
    cpu, pg_cpu, own, began = server.cpu_seconds(), postgres.seconds(), time.process_time(), time.perf_counter()
    found = await asyncio.gather(*(table(began + seconds) for table in tables))
    latencies = [latency for table in found for latency in table]
    return Round(
        len(latencies),
        time.perf_counter() - began,
        server.cpu_seconds() - cpu,
        time.process_time() - own,
        latencies,
        postgres.seconds() - pg_cpu,
    )


@asynccontextmanager
async def _tables(server: Running, tables: int, games: int) -> AsyncGenerator[list[list[Game]]]:
    steps = await script(LONG.seats, LONG)
    persons = await tokens(server, tables * games * LONG.seats)
    wires = [[await Wire.open(server.url) for _ in range(LONG.seats)] for _ in range(tables)]
    try:
        yield [
            [
                await _started(persons[LONG.seats * (table * games + game) :][: LONG.seats], steps, of_table)
                for game in range(games)
            ]
            for table, of_table in enumerate(wires)
        ]
    finally:
        for wire in (each for of_table in wires for each in of_table):
            wire.close()


async def _started(persons: Sequence[str], steps: Sequence[Step], wires: Sequence[Wire]) -> Game:
    new = {"ruleset": LONG.ruleset, "players": LONG.seats}
    game_id = (await made(wires[0], "/v1/games", new, persons[0]))["game_id"]
    for token in persons[1:]:
        await made(wires[0], f"/v1/games/{game_id}/seats", {}, token)
    return Game(game_id, persons, steps, wires)
