import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from uuid import uuid4

import pytest

from service.adapters.postgres.connection import Connection, Row, connect
from service.adapters.postgres.pool import Pool
from service.adapters.postgres.reconnecting import ReconnectingConnection
from service.adapters.postgres.store import PostgresStore
from service.application.ports import Appended, GameStore, StoreUnavailable
from tests.adapters.samples import WHEN, commit

SLOW = "SELECT pg_advisory_xact_lock_shared(1)"
"""Lasts until `Gate.open` is called."""


class Gate:
    """Keeps `SLOW` queries waiting."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def shut(self) -> None:
        """Let queries wait from now on."""
        await self._connection.execute("SELECT pg_advisory_lock(1)")

    async def open(self) -> None:
        """Let them end."""
        await self._connection.execute("SELECT pg_advisory_unlock(1)")


@pytest.fixture
async def gate(database_url: str) -> AsyncGenerator[Gate]:
    connection = await connect(database_url)
    gate = Gate(connection)
    await gate.shut()
    yield gate
    await connection.close()


@pytest.fixture
async def pool(database_url: str) -> AsyncGenerator[Pool]:
    """Two connections, for which at most three may wait."""
    pool = Pool([ReconnectingConnection(database_url) for _ in range(2)], waiting_bound=3)
    yield pool
    await pool.close()


async def start(pool: Pool, queries: list[str]) -> list[asyncio.Task[Sequence[Row]]]:
    calls = [asyncio.create_task(pool.fetch(query)) for query in queries]
    await asyncio.sleep(0)
    return calls


async def test_beyond_the_bound_of_those_who_wait_callers_are_refused_at_once(pool: Pool, gate: Gate) -> None:
    calls = await start(pool, [SLOW] * 5)
    with pytest.raises(StoreUnavailable, match=r"^3 callers are waiting for a connection to the database$"):
        await pool.fetch("SELECT 1")
    await gate.open()
    assert [len(rows) for rows in await asyncio.gather(*calls)] == [1] * 5
    assert len(await pool.fetch("SELECT 1")) == 1


async def test_who_stops_waiting_makes_room(pool: Pool, gate: Gate) -> None:
    calls = await start(pool, [SLOW] * 5)
    for call in calls[2:4]:
        call.cancel()
    await asyncio.wait(calls[2:4])
    late = await start(pool, ["SELECT 1"] * 3)
    await gate.open()
    outcomes = await asyncio.gather(*calls, *late, return_exceptions=True)
    assert [type(outcome) for outcome in outcomes[2:4]] == [asyncio.CancelledError] * 2
    assert [isinstance(outcome, StoreUnavailable) for outcome in outcomes] == [False] * 7 + [True]


async def test_callers_are_served_in_the_order_they_came(database_url: str) -> None:
    pool = Pool([ReconnectingConnection(database_url)], waiting_bound=3)
    served: list[int] = []

    async def ask(number: int) -> None:
        await pool.fetch("SELECT 1")
        served.append(number)

    for _ in range(2):
        await asyncio.gather(*(ask(number) for number in range(4)))
    assert served == [0, 1, 2, 3] * 2
    await pool.close()


async def test_a_pool_that_closes_serves_who_waits_already(pool: Pool, gate: Gate) -> None:
    calls = await start(pool, [SLOW] * 5)
    closing = asyncio.create_task(pool.close())
    await asyncio.sleep(0)
    await gate.open()
    await closing
    assert [len(call.result()) for call in calls] == [1] * 5
    with pytest.raises(StoreUnavailable, match="closed"):
        await pool.fetch("SELECT 1")


READS: dict[str, Callable[[GameStore], Awaitable[object]]] = {
    "read": lambda log: log.read(uuid4()),
    "find": lambda log: log.find(uuid4(), uuid4()),
    "heads": lambda log: log.heads([uuid4()]),
    "seated": lambda log: log.seated("ana", 9),
    "reserve": lambda log: log.reserve(uuid4(), uuid4()),
    "claim": lambda log: log.claim(WHEN, WHEN, 9),
}


@pytest.mark.parametrize("name", READS)
async def test_a_log_refuses_readers_beyond_its_bound_and_writes_all_the_same(database_url: str, name: str) -> None:
    log = await PostgresStore.open(database_url, waiting_bound=5)
    calls = [asyncio.ensure_future(READS[name](log)) for _ in range(40)]
    assert await log.append(commit(uuid4())) == Appended(1)
    outcomes = await asyncio.gather(*calls, return_exceptions=True)
    refused = [outcome for outcome in outcomes if isinstance(outcome, StoreUnavailable)]
    assert len(refused) >= 25
    assert {str(error).partition(" for ")[0] for error in refused} == {"5 callers are waiting"}
    assert len(outcomes) - len(refused) >= 5
    await READS[name](log)
    await log.close()
