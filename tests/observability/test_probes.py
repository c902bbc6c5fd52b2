"""What the probes say, beside a real Postgres that is stopped, hangs, or has another schema."""

import asyncio
import contextlib
import os
import signal
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import NoReturn

import httpx
import pytest

from service.adapters.clock import SystemClock
from service.adapters.embedded_postgres import EmbeddedPostgres
from service.adapters.postgres import migrate
from service.adapters.postgres.connection import connect
from service.adapters.postgres.migrate import Migration
from service.adapters.postgres.store import PostgresStore
from service.application.shuffle import SeededShuffler
from service.bootstrap.service import Service
from tests.kit.player import Api, client_of
from tests.kit.waiting import PATIENCE_SECONDS, until
from tests.observability.conftest import Written
from tests.rest.conftest import SECRET

LATER = Migration("9999_of_a_later_version", "-- compatible: yes\nALTER TABLE game ADD COLUMN later text;")
OTHER = Migration("9999_of_another_world", "ALTER TABLE game RENAME TO match;")


@asynccontextmanager
async def serving(address: str, seconds: float = PATIENCE_SECONDS) -> AsyncGenerator[httpx.AsyncClient]:
    """Serve over the database, which may take so long for an answer, and give a client."""
    log = await PostgresStore.open(address, patience=0.1, call_seconds=seconds, check_seconds=seconds)
    try:
        async with client_of(Service(log, SystemClock(), SeededShuffler(), SECRET).asgi) as client:
            yield client
    finally:
        await log.close()


async def said(client: httpx.AsyncClient, path: str) -> tuple[int, str]:
    response = await client.get(path)
    body = response.json()
    return response.status_code, body.get("status") if response.status_code == 200 else body["code"]


async def until_ready(client: httpx.AsyncClient) -> None:
    async def is_ready() -> bool:
        return (await said(client, "/readyz"))[0] == 200

    await until(is_ready)


def reasons(written: Written) -> list[str]:
    return [each["event"] for each in written.records() if each["logger"] == "service.rest.routes.health"]


@contextmanager
def frozen(*pids: int) -> Generator[None]:
    """Let these processes hang meanwhile."""
    for number in (signal.SIGSTOP, signal.SIGCONT):
        for pid in pids:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, number)
        if number is signal.SIGSTOP:
            yield


async def test_a_database_that_is_stopped_is_told_and_so_is_its_return(settled: Path, written: Written) -> None:
    with EmbeddedPostgres(settled) as address:
        await migrate.migrate(address)
    with EmbeddedPostgres(settled) as address:
        serving_it = serving(address)
        client = await serving_it.__aenter__()
        assert await said(client, "/readyz") == (200, "ready")
    assert await said(client, "/readyz") == (503, "overloaded")
    assert await said(client, "/readyz") == (503, "overloaded")
    assert await said(client, "/healthz") == (200, "ok")
    assert b"pocha_database_up 0.0" in (await client.get("/metrics")).content
    with EmbeddedPostgres(settled):
        await until_ready(client)
        assert b"pocha_database_up 1.0" in (await client.get("/metrics")).content
        await serving_it.__aexit__(None, None, None)
    first, last = reasons(written)
    assert first.startswith("not ready: ")
    assert last == "ready again"


async def test_a_database_that_hangs_is_told(settled: Path) -> None:
    with EmbeddedPostgres(settled) as address:
        await migrate.migrate(address)
        async with serving(address, seconds=0.5) as client:
            await until_ready(client)
            connection = await connect(address)
            pids = [row["pid"] for row in await connection.fetch("SELECT pid FROM pg_stat_activity")]
            await connection.close()
            postmaster = int((settled / "postgres/data/postmaster.pid").read_text().split()[0])
            with frozen(postmaster, *pids):
                async with asyncio.timeout(PATIENCE_SECONDS):
                    assert await said(client, "/readyz") == (503, "overloaded")
                    assert await said(client, "/healthz") == (200, "ok")
                    assert b"pocha_database_up 0.0" in (await client.get("/metrics")).content
            await until_ready(client)


async def test_a_schema_that_is_behind_makes_nobody_ready_until_it_is_migrated(
    empty_database_url: str, written: Written
) -> None:
    async with serving(empty_database_url) as client:
        for applied in range(len(migrate.known())):
            await migrate.migrate(empty_database_url, migrate.known()[:applied])
            assert await said(client, "/readyz") == (503, "overloaded")
        await migrate.migrate(empty_database_url)
        assert await said(client, "/readyz") == (200, "ready")
    assert "the database is behind: it lacks" in reasons(written)[0]
    assert reasons(written)[-1] == "ready again"


async def test_a_schema_that_is_ahead_serves_as_before(database_url: str) -> None:
    async with serving(database_url) as client:
        await migrate.migrate(database_url, [*migrate.known(), LATER])
        assert await said(client, "/readyz") == (200, "ready")
        guests, game = await Api(client).full_table()
        assert (await guests[0].look(game["game_id"]))["status"] == "playing"
    await migrate.check(database_url)


async def test_a_schema_that_is_ahead_by_what_this_version_cannot_bear_makes_nobody_ready(database_url: str) -> None:
    async with serving(database_url) as client:
        await migrate.migrate(database_url, [*migrate.known(), OTHER])
        assert await said(client, "/readyz") == (503, "overloaded")


async def test_a_script_that_was_changed_makes_nobody_ready(database_url: str) -> None:
    async with serving(database_url) as client:
        connection = await connect(database_url)
        await connection.execute("UPDATE schema_migration SET checksum = 'another' WHERE name LIKE '0001%'")
        await connection.close()
        assert await said(client, "/readyz") == (503, "overloaded")


async def test_a_service_whose_writers_ended_does_not_live(database_url: str) -> None:
    async with serving(database_url) as client:
        assert await said(client, "/healthz") == (200, "ok")
        writers = [task for task in asyncio.all_tasks() if "Writer.run" in repr(task.get_coro())]
        writers[0].cancel()
        await asyncio.wait(writers[:1])
        assert await said(client, "/healthz") == (500, "internal-error")


async def test_a_log_that_was_closed_has_ended_as_it_should(database_url: str) -> None:
    log = await PostgresStore.open(database_url)
    await log.close()
    assert log.is_working()


class Failing:
    async def run(self) -> NoReturn:
        """Fail."""
        raise ZeroDivisionError


async def test_a_service_that_no_longer_does_its_work_does_not_live(
    service: Service, api: Api, written: Written
) -> None:
    assert await said(api.client, "/healthz") == (200, "ok")
    with pytest.raises(ExceptionGroup):
        await service.supervisor.run(Failing())
    assert await said(api.client, "/healthz") == (500, "internal-error")
    assert any(
        "task failed" in each["event"] and "ZeroDivisionError" in each["exception"] for each in written.records()
    )


async def test_a_service_that_is_told_to_end_lives_until_it_does(service: Service, api: Api) -> None:
    life = asyncio.create_task(service.run_background())
    await asyncio.sleep(0.01)
    assert await said(api.client, "/healthz") == (200, "ok")
    life.cancel()
    await asyncio.wait([life])
    assert await said(api.client, "/healthz") == (200, "ok")
