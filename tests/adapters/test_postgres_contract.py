from collections.abc import AsyncGenerator

import pytest

from service.adapters.postgres.event_store import PostgresLog
from tests.adapters.contract import GameLogContract


class TestPostgresLog(GameLogContract):
    @pytest.fixture
    async def log(self, database_url: str) -> AsyncGenerator[PostgresLog]:
        log = await PostgresLog.open(database_url)
        yield log
        await log.close()
