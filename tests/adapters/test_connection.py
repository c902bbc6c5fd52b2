"""What a session asks for, and what holds in it."""

import asyncio
from collections.abc import AsyncGenerator

import pytest

from service.adapters.postgres.connection import connect
from service.adapters.postgres.reconnecting import SESSION
from service.application.ports import StoreUnavailable

# PgBouncer's own list, of parameters that it takes from a client without being told to: all others it refuses.
TAKEN_BY_A_POOLER = {"user", "database", "application_name", "client_encoding", "DateStyle", "TimeZone"}


@pytest.fixture
async def asked() -> AsyncGenerator[tuple[str, list[bytes]]]:
    """The address of a server that hangs up, and what it was asked for before."""
    requests: list[bytes] = []

    async def hang_up(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        size = int.from_bytes(await reader.readexactly(4), "big")
        requests.append(await reader.readexactly(size - 4))
        writer.close()

    server = await asyncio.start_server(hang_up, "127.0.0.1", 0)
    port: int = server.sockets[0].getsockname()[1]
    yield f"postgresql://pocha@127.0.0.1:{port}/pocha?sslmode=disable", requests
    server.close()
    await server.wait_closed()


async def test_a_pooler_is_asked_for_nothing_that_it_would_refuse(asked: tuple[str, list[bytes]]) -> None:
    address, requests = asked
    with pytest.raises(StoreUnavailable):
        await connect(address, SESSION)
    names = requests[0][4:].rstrip(b"\0").split(b"\0")[::2]
    assert {name.decode() for name in names} <= TAKEN_BY_A_POOLER


async def test_the_settings_of_a_session_hold_in_it(database_url: str) -> None:
    connection = await connect(database_url, SESSION)
    assert {name: await connection.fetchval(f"SHOW {name}") for name in SESSION} == SESSION
    await connection.close()


async def test_settings_that_the_database_refuses_end_the_session(database_url: str) -> None:
    with pytest.raises(StoreUnavailable, match="nonsense"):
        await connect(database_url, {"nonsense": "1"})
