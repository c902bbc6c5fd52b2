"""A service that is told to end, in the middle of everything: nothing is lost, and nobody waits in vain."""

import asyncio
import contextlib
import logging
import random
import re
import signal
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from urllib.parse import urlsplit

import httpx
import pytest

from service.adapters.clock import SystemClock
from service.adapters.postgres.store import PostgresStore
from service.application.draining import Draining
from service.application.shuffle import SeededShuffler
from service.bootstrap.service import Service
from tests.e2e.conftest import SECRET
from tests.kit.player import Api, Guest, Json, all_events
from tests.kit.raw_server import RawServer, Streams, running
from tests.kit.service_process import ServiceProcess
from tests.kit.waiting import PATIENCE_SECONDS, WAITS, until

FOR_EVER = 3600.0
TABLES = 8


class Mover:
    """Plays at one table with two robots, on one kept connection, until the service is gone; remembers what was acknowledged."""

    def __init__(self, guest: Guest, game: Json) -> None:
        self.guest = guest
        self.games: dict[str, list[Json]] = {}
        self.moves = 0
        self._game = game
        self._luck = random.Random(game["game_id"])

    async def play(self) -> None:
        """Move until nobody listens any more."""
        with contextlib.suppress(httpx.TransportError):
            while True:
                if self._game["status"] != "playing":
                    self._game = await self.guest.create(robots=2)
                done = await self.guest.move(self._game, self._luck.randrange(1000))
                self.games.setdefault(self._game["game_id"], []).extend(done["events"])
                self.moves += 1
                self._game = done["game"]

    async def find_everything(self, client: httpx.AsyncClient) -> None:
        """Check that every acknowledged move is in the log, once."""
        guest = Guest(client, {"player_id": self.guest.player_id, "token": self.guest.token})
        for game_id, acknowledged in self.games.items():
            events = await all_events(guest, game_id)
            versions = [event["version"] for event in events]
            assert sorted(set(versions)) == list(range(1, versions[-1] + 1))
            last = acknowledged[-1]["version"]
            assert [event for event in events if 1 < event["version"] <= last] == acknowledged


def client_of(url: str) -> httpx.AsyncClient:
    return httpx.AsyncClient(base_url=url, limits=httpx.Limits(max_connections=None))


def stream_of(guest: Guest, game: Json) -> bytes:
    return (
        f"GET /v1/games/{game['game_id']}/stream HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {guest.token}\r\n\r\n"
    ).encode()


@asynccontextmanager
async def draining_for_ever(database_url: str) -> AsyncGenerator[RawServer]:
    """Serve in this process. Once told to end, the server drains until it is told again."""
    log = await PostgresStore.open(database_url)
    draining = Draining()
    service = Service(log, SystemClock(), SeededShuffler(), SECRET.encode(), draining=draining)
    life = asyncio.create_task(service.run_background())
    async with running(service.asgi, FOR_EVER, draining=draining) as server:
        yield server
    life.cancel()
    await asyncio.wait([life])
    await log.close()


async def drain(server: RawServer) -> None:
    """Tell the server that it will end, and return when it drains."""
    server.server.handle_exit(signal.SIGTERM, None)
    await asyncio.wait_for(server.draining.wait(), PATIENCE_SECONDS)


async def end(server: RawServer) -> None:
    """Let the server end now."""
    server.server.handle_exit(signal.SIGINT, None)
    await server.ends()


async def test_whoever_moves_while_the_service_ends_loses_no_acknowledged_move(
    database_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with draining_for_ever(database_url) as server, client_of(await server.url()) as client:
        guests = [await Api(client).guest() for _ in range(TABLES)]
        movers = [Mover(guest, await guest.create(robots=2)) for guest in guests]
        playing = [asyncio.create_task(mover.play()) for mover in movers]
        await until(lambda: all(mover.moves for mover in movers))
        await drain(server)
        answer = await client.get("/readyz")
        assert (answer.status_code, answer.json()["code"]) == (503, "draining")
        assert answer.headers["retry-after"] in WAITS
        assert answer.headers["connection"] == "close"
        assert (await client.get("/healthz")).status_code == 200
        before = [mover.moves for mover in movers]
        await until(lambda: all(mover.moves > earlier for earlier, mover in zip(before, movers, strict=True)))
        await end(server)
        await asyncio.gather(*playing)
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]
    async with draining_for_ever(database_url) as again, client_of(await again.url()) as client:
        for mover in movers:
            await mover.find_everything(client)


async def test_streams_say_goodbye_and_waiting_reads_are_answered(database_url: str) -> None:
    async with draining_for_ever(database_url) as server, client_of(await server.url()) as client:
        guest, idle = await Api(client).guest(), await Api(client).guest()
        game = await guest.create(robots=2)
        streams = [await server.connect() for _ in range(3)]
        for reader, writer in streams:
            writer.write(stream_of(guest, game))
            await asyncio.wait_for(reader.readuntil(b"event: snapshot"), PATIENCE_SECONDS)
        path = f"/v1/games/{game['game_id']}"
        waiting = asyncio.create_task(guest.ask("GET", f"{path}?after_version={game['version']}&wait=30"))
        await until(lambda: _waiting(client, 4))
        await drain(server)
        for reader, writer in streams:
            rest = await asyncio.wait_for(reader.readuntil(b"\r\n0\r\n\r\n"), PATIENCE_SECONDS)
            assert re.search(rb"retry: [1-4][0-9]{3}\n: draining\n\n", rest)
            writer.close()
        assert (await waiting).json()["version"] == game["version"]
        for refused in (
            await guest.ask("GET", f"{path}/stream"),
            await guest.ask("GET", f"{path}?after_version={game['version']}&wait=30"),
            await idle.ask("GET", "/v1/me/turns?wait=30"),
        ):
            assert (refused.status_code, refused.json()["code"]) == (503, "draining")
            assert refused.headers["retry-after"] == str(refused.json()["retry_after"])
        assert (await guest.look(game["game_id"]))["version"] == game["version"]
        await end(server)


async def _waiting(client: httpx.AsyncClient, count: int) -> bool:
    """Tell whether so many streams and reads wait for news."""
    page = (await client.get("/metrics")).text
    return (
        sum(float(line.split()[1]) for line in page.splitlines() if line.startswith("pocha_waiting_requests{")) == count
    )


async def raw(service: ServiceProcess, sent: bytes) -> Streams:
    """Return a connection on which something was sent."""
    address = urlsplit(service.url)
    reader, writer = await asyncio.open_connection(address.hostname, address.port)
    writer.write(sent)
    return reader, writer


async def test_neither_idle_nor_half_sent_nor_unread_requests_hold_up_the_end(environment: dict[str, str]) -> None:
    service = ServiceProcess(environment)
    half = b"POST /v1/players HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 90\r\n\r\n{"
    large = b"GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nhost: x\r\n\r\n"
    sent = [b"", b"GET /heal", half, b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n", large * 100]
    connections = [await raw(service, data) for data in sent]
    assert await asyncio.to_thread(service.stop, signal.SIGTERM) == 0
    for _, writer in connections:
        writer.close()
    assert not any("Traceback" in line for line in service.output)


async def test_nor_do_tables_that_everybody_leaves(environment: dict[str, str]) -> None:
    service = ServiceProcess(environment)
    long = [{"kind": "normal", "first": "4", "last": "4", "times": "20"}] * 10
    rules = {"players": {"allowed": [10], "occasional": []}, "schedule": {"blocks": long}}
    async with client_of(service.url) as client:
        guest = await Api(client).guest()
        games = [await guest.create("clasica", 10, robots=9, house_rules=rules) for _ in range(20)]
        leaving = [asyncio.create_task(guest.ask("DELETE", f"/v1/games/{game['game_id']}/seats/0")) for game in games]
        await asyncio.wait(leaving, return_when=asyncio.FIRST_COMPLETED)
        assert await asyncio.to_thread(service.stop, signal.SIGTERM) == 0
        await asyncio.gather(*leaving, return_exceptions=True)
    assert not any("Traceback" in line for line in service.output)


@pytest.mark.parametrize(("how", "drain_seconds"), [(signal.SIGTERM, "0.2"), (signal.SIGINT, "4")])
async def test_a_process_that_is_told_to_end_ends_its_streams_and_itself(
    environment: dict[str, str], how: signal.Signals, drain_seconds: str
) -> None:
    service = ServiceProcess({**environment, "POCHA_DRAIN_SECONDS": drain_seconds})
    async with client_of(service.url) as client:
        guest = await Api(client).guest()
        reader, writer = await raw(service, stream_of(guest, await guest.create(robots=2)))
        await asyncio.wait_for(reader.readuntil(b"event: snapshot"), PATIENCE_SECONDS)
        assert await asyncio.to_thread(service.stop, how) == 0
        assert b": draining" in await reader.read()
        writer.close()
