from collections.abc import AsyncGenerator

import pytest

from service.adapters.postgres.store import PostgresStore
from tests.adapters.store_contract import GameStoreContract


class TestPostgresLog(GameStoreContract):
    @pytest.fixture
    async def store(self, emptied_database_url: str) -> AsyncGenerator[PostgresStore]:
        store = await PostgresStore.open(emptied_database_url)
        yield store
        await store.close()
