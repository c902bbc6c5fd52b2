"""The load: many tables at once, each over one connection, no time to think, every answer checked."""

import asyncio
import math
import time
from collections.abc import Awaitable, Callable, Sequence

import msgspec

from tests.bench.script import SHORT, Step
from tests.bench.serving import Running
from tests.kit.wire import Wire, request

Requests = Sequence[bytes]
Prepare = Callable[[Wire], Awaitable[Requests]]


class Round(msgspec.Struct, frozen=True):
    """What was measured: acknowledged requests, seconds they took together, server's and our processor time, latency of each.

    `postgres_cpu` is the processor time of the database, where it was measured.
    """

    count: int
    seconds: float
    server_cpu: float
    own_cpu: float
    latencies: list[float]
    postgres_cpu: float = math.nan

    @property
    def rate(self) -> float:
        """Requests a second."""
        return self.count / self.seconds

    @property
    def cpu_each(self) -> float:
        """Server processor seconds a request."""
        return self.server_cpu / self.count

    @property
    def postgres_cpu_each(self) -> float:
        """Processor seconds of the database a request."""
        return self.postgres_cpu / self.count


class Pace(msgspec.Struct, frozen=True):
    """An open loop: each of `tables` tables makes its moves at times that are set beforehand, `rate` moves a second in all."""

    rate: float
    tables: int
    start: float

    async def due(self, table: int, move: int) -> float:
        """Return the time when a move is due, once it has come; at once when it is over, since the move before came late."""
        due = self.start + (move * self.tables + table) / self.rate
        await asyncio.sleep(max(0, due - time.perf_counter()))
        return due


async def round_of(servers: Sequence[Running], tables: int, prepare: Prepare, rate: float | None = None) -> Round:
    """Prepare `tables` tables, then send their requests, all tables at once, and measure that. The tables take turns among `servers`.

    Without `rate` a table sends as soon as it has the last answer; with it, at times set beforehand, and what is late there counts as
    latency.
    """
    wires = [await Wire.open(servers[table % len(servers)].url) for table in range(tables)]
    try:
        ready = await asyncio.gather(*(prepare(wire) for wire in wires))
        cpu, own, started = _cpu(servers), time.process_time(), time.perf_counter()
        pace = Pace(rate, tables, started) if rate else None
        sending = [
            _send(wire, requests, table, pace) for table, (wire, requests) in enumerate(zip(wires, ready, strict=True))
        ]
        latencies = await asyncio.gather(*sending)
        seconds = time.perf_counter() - started
        used, own_used = _cpu(servers) - cpu, time.process_time() - own
        every = [latency for table in latencies for latency in table]
        return Round(len(every), seconds, used, own_used, every)
    finally:
        for wire in wires:
            wire.close()


def _cpu(servers: Sequence[Running]) -> float:
    return sum(server.cpu_seconds() for server in servers)


async def _send(wire: Wire, requests: Requests, table: int, pace: Pace | None) -> list[float]:
    latencies: list[float] = []
    for number, asked in enumerate(requests):
        since = await pace.due(table, number) if pace else time.perf_counter()
        answer = await wire.ask(asked)
        latencies.append(time.perf_counter() - since)
        assert answer.status == 200, answer
    return latencies


class Tables:
    """Prepares games of the service: the same persons sit at every table, and make `moves` moves there by the script."""

    def __init__(self, tokens: Sequence[str], steps: Sequence[Step], moves: int) -> None:
        self._tokens = tokens
        self._steps = steps
        self._moves = moves

    @classmethod
    async def with_persons(cls, server: Running, persons: int, steps: Sequence[Step], moves: int) -> "Tables":
        """Make the persons."""
        return cls(await tokens(server, persons), steps, moves)

    async def prepare(self, wire: Wire) -> Requests:
        """Start as many games as it takes, and return the moves to be made in them."""
        moves: list[bytes] = []
        while len(moves) < self._moves:
            moves.extend(self.moves_of(await self.start(wire)))
        return moves[: self._moves]

    async def start(self, wire: Wire) -> str:
        """Start a game, and return its id."""
        robots = [{"level": "easy"}] * (SHORT.seats - len(self._tokens))
        new = {"ruleset": SHORT.ruleset, "players": SHORT.seats, "robots": robots}
        game_id = (await made(wire, "/v1/games", new, self._tokens[0]))["game_id"]
        for token in self._tokens[1:]:
            await made(wire, f"/v1/games/{game_id}/seats", {}, token)
        return game_id

    def moves_of(self, game_id: str) -> Requests:
        """Return all moves of a game."""
        return [
            request("POST", f"/v1/games/{game_id}/{step.resource}", step.body, self._tokens[step.person])
            for step in self._steps
        ]


class Writes:
    """Prepares writes of the limit: so many a table."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._tables = 0

    async def prepare(self, wire: Wire) -> Requests:
        """Return the writes of one table, after its first."""
        self._tables += 1
        asked = request("POST", f"/{self._tables}", b'{"card":"oros-1"}')
        assert (await wire.ask(asked)).status == 200
        return [asked] * self._count


async def tokens(server: Running, persons: int) -> list[str]:
    """Return the tokens of so many new persons."""
    wire = await Wire.open(server.url)
    names = [f"Person {person}" for person in range(persons)]
    players = [await made(wire, "/v1/players", {"display_name": name}) for name in names]
    wire.close()
    return [player["token"] for player in players]


async def made(wire: Wire, path: str, body: object, token: str = "") -> dict[str, str]:
    """Make something, and return it."""
    answer = await wire.ask(request("POST", path, msgspec.json.encode(body), token))
    assert answer.status == 201, answer
    return msgspec.json.decode(answer.body)
