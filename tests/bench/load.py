"""The load: many tables at once, each over one connection, no time to think, every answer checked."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence

import msgspec

from tests.bench.script import RULESET, SEATS, Step
from tests.bench.serving import Running
from tests.bench.wire import Wire, request

Requests = Sequence[bytes]
Prepare = Callable[[Wire], Awaitable[Requests]]


class Round(msgspec.Struct, frozen=True):
    """What was measured: acknowledged requests, seconds they took together, server's and our processor time, latency of each."""

    count: int
    seconds: float
    server_cpu: float
    own_cpu: float
    latencies: list[float]

    @property
    def rate(self) -> float:
        """Requests a second."""
        return self.count / self.seconds

    @property
    def cpu_each(self) -> float:
        """Server processor seconds a request."""
        return self.server_cpu / self.count


async def round_of(server: Running, tables: int, prepare: Prepare) -> Round:
    """Prepare `tables` tables, then send their requests, all tables at once, and measure that."""
    wires = [await Wire.open(server.url) for _ in range(tables)]
    try:
        ready = await asyncio.gather(*(prepare(wire) for wire in wires))
        cpu, own, started = server.cpu_seconds(), time.process_time(), time.perf_counter()
        latencies = await asyncio.gather(*(_send(wire, requests) for wire, requests in zip(wires, ready, strict=True)))
        seconds = time.perf_counter() - started
        used, own_used = server.cpu_seconds() - cpu, time.process_time() - own
        every = [latency for table in latencies for latency in table]
        return Round(len(every), seconds, used, own_used, every)
    finally:
        for wire in wires:
            wire.close()


async def _send(wire: Wire, requests: Requests) -> list[float]:
    latencies: list[float] = []
    for asked in requests:
        started = time.perf_counter()
        answer = await wire.ask(asked)
        latencies.append(time.perf_counter() - started)
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
        wire = await Wire.open(server.url)
        made = [await _made(wire, "/v1/players", {"display_name": f"Person {person}"}) for person in range(persons)]
        wire.close()
        return cls([player["token"] for player in made], steps, moves)

    async def prepare(self, wire: Wire) -> Requests:
        """Start as many games as it takes, and return the moves to be made in them."""
        moves: list[bytes] = []
        while len(moves) < self._moves:
            game_id = await self._started(wire)
            moves.extend(self._move(game_id, step) for step in self._steps)
        return moves[: self._moves]

    async def _started(self, wire: Wire) -> str:
        robots = [{"level": "easy"}] * (SEATS - len(self._tokens))
        new = {"ruleset": RULESET, "players": SEATS, "robots": robots}
        game_id = (await _made(wire, "/v1/games", new, self._tokens[0]))["game_id"]
        for token in self._tokens[1:]:
            await _made(wire, f"/v1/games/{game_id}/seats", {}, token)
        return game_id

    def _move(self, game_id: str, step: Step) -> bytes:
        return request("POST", f"/v1/games/{game_id}/{step.resource}", step.body, self._tokens[step.person])


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


async def _made(wire: Wire, path: str, body: object, token: str = "") -> dict[str, str]:
    answer = await wire.ask(request("POST", path, msgspec.json.encode(body), token))
    assert answer.status == 201, answer
    return msgspec.json.decode(answer.body)
