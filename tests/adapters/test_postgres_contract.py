from collections.abc import AsyncGenerator

import pytest

from service.adapters.postgres.store import PostgresStore
from tests.adapters.store_contract import GameStoreContract


class TestPostgresLog(GameStoreContract):
    @pytest.fixture
    async def store(self, emptied_dsns: list[str]) -> AsyncGenerator[PostgresStore]:
        store = await PostgresStore.open(emptied_dsns[0])
        yield store
        await store.close()
