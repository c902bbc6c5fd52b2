"""Statistics in this process's memory."""

import heapq
from collections.abc import Mapping, Sequence
from uuid import UUID

from service.application.ports import GameFacts, PlayerRecord, Position


class MemoryStatistics:
    """Adapter of `service.application.ports.Statistics` that forgets everything when the process ends."""

    def __init__(self) -> None:
        self._generation = 0
        self._journal: dict[UUID, GameFacts] = {}
        self._records: dict[tuple[int, str, str], PlayerRecord] = {}

    async def position(self) -> Position:
        """See `Statistics.position`."""
        return Position(self._generation, len(self._journal))

    async def is_counted(self, game_id: UUID) -> bool:
        """See `Statistics.is_counted`."""
        return game_id in self._journal

    async def records(self, generation: int, ruleset_id: str, player_ids: Sequence[str]) -> Mapping[str, PlayerRecord]:
        """See `Statistics.records`."""
        found = ((player_id, self._records.get((generation, ruleset_id, player_id))) for player_id in player_ids)
        return {player_id: record for player_id, record in found if record is not None}

    async def count(self, at: Position, facts: GameFacts, records: Sequence[PlayerRecord]) -> bool:
        """See `Statistics.count`."""
        if facts.game_id not in self._journal and at == await self.position():
            self._journal[facts.game_id] = facts
            await self.add(at.generation, records)
        return facts.game_id in self._journal

    async def journal(self, after: int, limit: int) -> Sequence[GameFacts]:
        """See `Statistics.journal`."""
        return list(self._journal.values())[after : after + limit]

    async def add(self, generation: int, records: Sequence[PlayerRecord]) -> None:
        """See `Statistics.add`."""
        self._records |= {(generation, each.ruleset_id, each.player_id): each for each in records}

    async def switch(self, at: Position, generation: int) -> bool:
        """See `Statistics.switch`."""
        if at == await self.position():
            self._generation = generation
            self._records = {key: record for key, record in self._records.items() if key[0] == generation}
        return self._generation == generation

    async def of_player(self, tenant: str, player_id: str) -> Sequence[PlayerRecord]:
        """See `Statistics.of_player`."""
        own = (each for each in self._present() if (each.tenant, each.player_id) == (tenant, player_id))
        return sorted(own, key=lambda each: each.ruleset_id)

    async def leaderboard(
        self, tenant: str, ruleset_id: str, after: tuple[float, str] | None, limit: int
    ) -> Sequence[PlayerRecord]:
        """See `Statistics.leaderboard`."""
        first = None if after is None else (-after[0], after[1])
        found = (each for each in self._present() if (each.tenant, each.ruleset_id) == (tenant, ruleset_id))
        return heapq.nsmallest(limit, (each for each in found if first is None or _order(each) > first), key=_order)

    async def forget(self, player_id: str) -> None:
        """See `Statistics.forget`."""
        self._records = {key: record for key, record in self._records.items() if key[2] != player_id}

    def _present(self) -> list[PlayerRecord]:
        return [record for key, record in self._records.items() if key[0] == self._generation]


def _order(record: PlayerRecord) -> tuple[float, str]:
    return -record.rating, record.player_id
