"""A client that vanishes without a FIN, as a phone without signal does: what it holds is free again."""

import socket
from functools import partial

import pytest

from service.adapters.clock import SystemClock
from service.adapters.memory.store import MemoryStore
from service.application.shuffle import SeededShuffler
from service.bootstrap.service import Service
from service.cli import listening
from service.rest.streaming import sse
from tests.kit.network import SERVER, network, socket_in
from tests.kit.player import Api, Guest, Json, client_of
from tests.kit.raw_server import running
from tests.kit.waiting import PATIENCE_SECONDS, until

PROMISED_SECONDS = 45
"""What `docs/limits.md` says."""
STREAM = b"GET /v1/games/%s/stream HTTP/1.1\r\nhost: x\r\nauthorization: Bearer %s\r\naccept: text/event-stream\r\n\r\n"
WAITING = b"GET /v1/games/%s?after_version=%d&wait=30 HTTP/1.1\r\nhost: x\r\nauthorization: Bearer %s\r\n\r\n"


def asking(kind: str, guest: Guest, game: Json) -> bytes:
    """Return a request that is not answered to its end."""
    game_id, token = game["game_id"].encode(), guest.token.encode()
    return STREAM % (game_id, token) if kind == "stream" else WAITING % (game_id, game["version"], token)


async def is_connected(guest: Guest, game: Json) -> bool:
    """Tell what the table's view says of who made it."""
    return (await guest.look(game["game_id"]))["seats"][0]["presence"]["connected"]


@pytest.mark.parametrize("kind", ["stream", "waiting read"])
async def test_a_client_that_vanishes_is_noticed(monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    """While the service sends, nobody acknowledges it; while it waits, nobody answers its probes. Both are shortened here."""
    monkeypatch.setattr(listening, "IDLE_SECONDS", 1)
    monkeypatch.setattr(listening, "PROBE_SECONDS", 1)
    monkeypatch.setattr(listening, "UNACKNOWLEDGED_SECONDS", 1)
    monkeypatch.setattr(sse, "HEARTBEAT_SECONDS", 0.1)
    service = Service(MemoryStore(), SystemClock(), SeededShuffler(), b"a secret of 32 bytes or more, for a test")
    with network() as between:
        at_server = socket_in(between.server, partial(listening.listening_socket, SERVER, 0))
        at_client = socket_in(between.client, socket.socket)
        async with client_of(service.asgi) as client, running(service.asgi, listening=at_server) as server:
            guest = await Api(client).guest()
            game = await guest.create()
            _, writer = await server.connect(at_client)
            writer.write(asking(kind, guest, game))
            await until(lambda: len(service.waiters) == 1)
            assert await is_connected(guest, game)
            between.lose_client()
            await until(lambda: not server.server.server_state.connections)
            await until(lambda: len(service.waiters) == 0)
            assert not await is_connected(guest, game)
            writer.transport.abort()


def test_a_vanished_client_is_noticed_as_soon_as_is_promised() -> None:
    assert PATIENCE_SECONDS >= PROMISED_SECONDS
    assert sse.HEARTBEAT_SECONDS + listening.UNACKNOWLEDGED_SECONDS + listening.PROBE_SECONDS <= PROMISED_SECONDS
    assert listening.IDLE_SECONDS + listening.MAX_PROBES * listening.PROBE_SECONDS <= PROMISED_SECONDS
