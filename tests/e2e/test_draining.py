"""A service that is told to end, in the middle of everything: nothing is lost, nobody waits in vain, and it ends soon."""

import asyncio
import contextlib
import random
import signal
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from urllib.parse import urlsplit

import httpx
import pytest

from tests.e2e.process import ServiceProcess
from tests.e2e.test_whole_games import all_events
from tests.rest.api import Api, Guest, Json

MOST_SECONDS = 10
DRAIN_SECONDS = 2
TABLES = 8

Raw = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@pytest.fixture
def environment(environment: dict[str, str]) -> dict[str, str]:
    return {**environment, "POCHA_DRAIN_SECONDS": str(DRAIN_SECONDS)}


class Mover:
    """Plays at one table with two robots, on one kept connection, until the service is gone; remembers what was acknowledged."""

    def __init__(self, guest: Guest, game: Json) -> None:
        self.guest = guest
        self.games: dict[str, list[Json]] = {}
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


@asynccontextmanager
async def client_of(service: ServiceProcess) -> AsyncGenerator[httpx.AsyncClient]:
    async with httpx.AsyncClient(base_url=service.url, limits=httpx.Limits(max_connections=None)) as client:
        yield client


async def raw(service: ServiceProcess, sent: str) -> Raw:
    """Return a connection on which something was sent."""
    address = urlsplit(service.url)
    reader, writer = await asyncio.open_connection(address.hostname, address.port)
    writer.write(sent.encode())
    return reader, writer


def stream_of(guest: Guest, game: Json) -> str:
    return (
        f"GET /v1/games/{game['game_id']}/events HTTP/1.1\r\nhost: x\r\n"
        f"accept: text/event-stream\r\nauthorization: Bearer {guest.token}\r\n\r\n"
    )


async def told_to_end(service: ServiceProcess, how: signal.Signals = signal.SIGTERM) -> tuple[int, float]:
    """Return the exit code, and the seconds that the end took."""
    started = time.monotonic()
    code = await asyncio.to_thread(service.stop, how)
    return code, time.monotonic() - started


async def until_draining(client: httpx.AsyncClient) -> httpx.Response:
    """Return the first answer of `/readyz` that does not say ready."""
    for _ in range(100):
        response = await client.get("/readyz")
        if response.status_code != 200:
            return response
        await asyncio.sleep(0.02)
    raise AssertionError("the service stays ready")


async def test_whoever_moves_while_the_service_ends_loses_no_acknowledged_move(environment: dict[str, str]) -> None:
    service = ServiceProcess(environment)
    async with client_of(service) as client:
        guests = [await Api(client).guest() for _ in range(TABLES)]
        movers = [Mover(guest, await guest.create(robots=2)) for guest in guests]
        playing = [asyncio.create_task(mover.play()) for mover in movers]
        await asyncio.sleep(0.5)
        ending = asyncio.create_task(told_to_end(service))
        draining = await until_draining(client)
        assert (draining.status_code, draining.json()["code"]) == (503, "draining")
        assert draining.headers["retry-after"] == "1"
        assert draining.headers["connection"] == "close"
        assert (await client.get("/healthz")).status_code == 200
        before = [sum(map(len, mover.games.values())) for mover in movers]
        code, seconds = await ending
        await asyncio.gather(*playing)
    assert code == 0
    assert DRAIN_SECONDS <= seconds < MOST_SECONDS
    after = [sum(map(len, mover.games.values())) for mover in movers]
    assert all(later > earlier for earlier, later in zip(before, after, strict=True))
    assert not any("Traceback" in line for line in service.output)
    with ServiceProcess(environment) as again:
        async with client_of(again) as client:
            for mover in movers:
                await mover.find_everything(client)


async def test_neither_idle_nor_half_sent_nor_unread_requests_hold_up_the_end(environment: dict[str, str]) -> None:
    service = ServiceProcess(environment)
    half = "POST /v1/players HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 90\r\n\r\n{"
    large = "GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nhost: x\r\n\r\n"
    sent = ["", "GET /heal", half, "GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n", large * 100]
    connections = [await raw(service, text) for text in sent]
    code, seconds = await told_to_end(service)
    for _, writer in connections:
        writer.close()
    assert code == 0
    assert seconds < MOST_SECONDS
    assert not any("Traceback" in line for line in service.output)


async def test_streams_say_goodbye_and_waiting_reads_are_answered(environment: dict[str, str]) -> None:
    service = ServiceProcess(environment)
    async with client_of(service) as client:
        guest, idle = await Api(client).guest(), await Api(client).guest()
        game = await guest.create(robots=2)
        streams = [await raw(service, stream_of(guest, game)) for _ in range(3)]
        for reader, _ in streams:
            await asyncio.wait_for(reader.readuntil(b"event: snapshot"), MOST_SECONDS)
        path = f"/v1/games/{game['game_id']}"
        waiting = asyncio.create_task(guest.ask("GET", f"{path}?after_version={game['version']}&wait=30"))
        await asyncio.sleep(0.3)
        ending = asyncio.create_task(told_to_end(service))
        started = time.monotonic()
        for reader, writer in streams:
            rest = await asyncio.wait_for(reader.readuntil(b"\r\n0\r\n\r\n"), MOST_SECONDS)
            assert b"retry: 1000\n: draining\n\n" in rest
            writer.close()
        assert (await waiting).json()["version"] == game["version"]
        assert time.monotonic() - started < DRAIN_SECONDS
        for refused in (
            await guest.ask("GET", f"{path}/events", headers={"Accept": "text/event-stream"}),
            await guest.ask("GET", f"{path}?after_version={game['version']}&wait=30"),
            await idle.ask("GET", "/v1/me/turns?wait=30"),
        ):
            assert (refused.status_code, refused.json()["code"]) == (503, "draining")
            assert refused.headers["retry-after"] == str(refused.json()["retry_after"])
        assert (await guest.look(game["game_id"]))["version"] == game["version"]
        assert (await ending)[0] == 0


async def test_ctrl_c_ends_streams_and_the_service_at_once(environment: dict[str, str]) -> None:
    service = ServiceProcess(environment)
    async with client_of(service) as client:
        guest = await Api(client).guest()
        reader, writer = await raw(service, stream_of(guest, await guest.create(robots=2)))
        await asyncio.wait_for(reader.readuntil(b"event: snapshot"), MOST_SECONDS)
        code, seconds = await told_to_end(service, signal.SIGINT)
        assert b": draining" in await reader.read()
        writer.close()
    assert code == 0
    assert seconds < DRAIN_SECONDS
