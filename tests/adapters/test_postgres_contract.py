from collections.abc import AsyncGenerator

import pytest

from service.adapters.postgres.event_store import PostgresStore
from tests.adapters.contract import GameLogContract


class TestPostgresLog(GameLogContract):
    @pytest.fixture
    async def log(self, database_url: str) -> AsyncGenerator[PostgresStore]:
        log = await PostgresStore.open(database_url)
        yield log
        await log.close()
