from collections.abc import AsyncGenerator

import pytest

from service.adapters.memory.apps import MemoryApps
from service.adapters.postgres.apps import PostgresApps
from service.adapters.postgres.connection import connect
from service.application.ports import StoreUnavailable
from tests.adapters.apps_contract import AppsContract, good, key


class TestMemoryApps(AppsContract):
    @pytest.fixture
    def apps(self) -> MemoryApps:
        return MemoryApps()


class TestPostgresApps(AppsContract):
    @pytest.fixture
    async def apps(self, database_url: str) -> AsyncGenerator[PostgresApps]:
        apps = PostgresApps(database_url)
        yield apps
        await apps.close()


async def test_a_lost_connection_comes_back(database_url: str) -> None:
    apps = PostgresApps(database_url)
    assert await apps.create(key("a"))
    session = await connect(database_url)
    await session.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = current_database()"
    )
    await session.close()
    assert set(await good(apps)) == {"a"}
    await apps.close()


async def test_apps_of_a_database_that_is_not_there_are_unavailable(database_url: str) -> None:
    apps = PostgresApps(database_url.replace("?", "_not_there?", 1), patience=0)
    with pytest.raises(StoreUnavailable):
        await apps.listed()
    await apps.close()
