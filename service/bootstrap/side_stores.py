"""The stores beside that of the games. They lie beside the buckets of games."""

from typing import Self

import msgspec

from service.adapters.memory.join_codes import MemoryJoinCodes
from service.adapters.memory.matches import MemoryMatches
from service.adapters.memory.score_keepers import MemoryScoreKeepers
from service.adapters.memory.statistics import MemoryStatistics
from service.adapters.memory.webhooks import MemoryWebhooks
from service.adapters.postgres.join_codes import PostgresJoinCodes
from service.adapters.postgres.matches import PostgresMatches
from service.adapters.postgres.pool import Pool
from service.adapters.postgres.score_keepers import PostgresScoreKeepers
from service.adapters.postgres.statistics import PostgresStatistics
from service.adapters.postgres.webhooks import PostgresWebhooks
from service.application.ports import JoinCodes, Matches, ScoreKeepers, Statistics, Webhooks


class SideStores(msgspec.Struct, frozen=True):
    """Score sheets, codes to join by, requests for quick matches, web hooks, and what players achieved."""

    score_keepers: ScoreKeepers
    join_codes: JoinCodes
    matches: Matches
    webhooks: Webhooks
    statistics: Statistics

    @classmethod
    def in_memory(cls) -> Self:
        """Return stores that forget everything when the process ends."""
        return cls(MemoryScoreKeepers(), MemoryJoinCodes(), MemoryMatches(), MemoryWebhooks(), MemoryStatistics())

    @classmethod
    def over(cls, pool: Pool) -> Self:
        """Return stores over connections to one database; whoever made the pool closes it."""
        return cls(
            PostgresScoreKeepers(pool),
            PostgresJoinCodes(pool),
            PostgresMatches(pool),
            PostgresWebhooks(pool),
            PostgresStatistics(pool),
        )
