"""The adapters of the stores beside that of the games."""

from collections.abc import AsyncGenerator

import pytest

from service.adapters.memory.join_codes import MemoryJoinCodes
from service.adapters.memory.matches import MemoryMatches
from service.adapters.memory.score_keepers import MemoryScoreKeepers
from service.adapters.memory.statistics import MemoryStatistics
from service.adapters.memory.webhooks import MemoryWebhooks
from service.adapters.postgres.join_codes import PostgresJoinCodes
from service.adapters.postgres.matches import PostgresMatches
from service.adapters.postgres.pool import Pool
from service.adapters.postgres.reconnecting import ReconnectingConnection
from service.adapters.postgres.score_keepers import PostgresScoreKeepers
from service.adapters.postgres.statistics import PostgresStatistics
from service.adapters.postgres.webhooks import PostgresWebhooks
from tests.adapters.join_codes_contract import JoinCodesContract
from tests.adapters.matches_contract import MatchesContract
from tests.adapters.score_keepers_contract import ScoreKeepersContract
from tests.adapters.statistics_contract import StatisticsContract
from tests.adapters.webhooks_contract import WebhooksContract


@pytest.fixture
async def pool(database_url: str) -> AsyncGenerator[Pool]:
    pool = Pool([ReconnectingConnection(database_url) for _ in range(3)])
    yield pool
    await pool.close()


class TestMemoryScoreKeepers(ScoreKeepersContract):
    @pytest.fixture
    def keepers(self) -> MemoryScoreKeepers:
        return MemoryScoreKeepers()


class TestPostgresScoreKeepers(ScoreKeepersContract):
    @pytest.fixture
    def keepers(self, pool: Pool) -> PostgresScoreKeepers:
        return PostgresScoreKeepers(pool)


class TestMemoryJoinCodes(JoinCodesContract):
    @pytest.fixture
    def codes(self) -> MemoryJoinCodes:
        return MemoryJoinCodes()


class TestPostgresJoinCodes(JoinCodesContract):
    @pytest.fixture
    def codes(self, pool: Pool) -> PostgresJoinCodes:
        return PostgresJoinCodes(pool)


class TestMemoryStatistics(StatisticsContract):
    @pytest.fixture
    def statistics(self) -> MemoryStatistics:
        return MemoryStatistics()


class TestPostgresStatistics(StatisticsContract):
    @pytest.fixture
    def statistics(self, pool: Pool) -> PostgresStatistics:
        return PostgresStatistics(pool)


class TestMemoryMatches(MatchesContract):
    @pytest.fixture
    def matches(self) -> MemoryMatches:
        return MemoryMatches()


class TestPostgresMatches(MatchesContract):
    @pytest.fixture
    def matches(self, pool: Pool) -> PostgresMatches:
        return PostgresMatches(pool)


class TestMemoryWebhooks(WebhooksContract):
    @pytest.fixture
    def webhooks(self) -> MemoryWebhooks:
        return MemoryWebhooks()


class TestPostgresWebhooks(WebhooksContract):
    @pytest.fixture
    def webhooks(self, pool: Pool) -> PostgresWebhooks:
        return PostgresWebhooks(pool)
