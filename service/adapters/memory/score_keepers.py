"""Score sheets in this process's memory."""

import heapq
from collections.abc import Sequence
from uuid import UUID

from msgspec.structs import replace

from service.application.ports import (
    AlreadyDone,
    Appended,
    CommandReused,
    NewEntry,
    Outcome,
    ScoreKeeper,
    VersionConflict,
    WrittenEntry,
)


class MemoryScoreKeepers:
    """Adapter of `service.application.ports.ScoreKeepers` that forgets everything when the process ends."""

    def __init__(self) -> None:
        self._keepers: dict[UUID, ScoreKeeper] = {}
        self._entries: dict[UUID, list[WrittenEntry]] = {}

    async def create(self, keeper: ScoreKeeper) -> ScoreKeeper:
        """See `ScoreKeepers.create`."""
        for known in self._keepers.values():
            if known.command_id == keeper.command_id:
                return known
        self._keepers[keeper.score_keeper_id] = keeper
        self._entries[keeper.score_keeper_id] = []
        return keeper

    async def read(self, score_keeper_id: UUID) -> tuple[ScoreKeeper, Sequence[WrittenEntry]] | None:
        """See `ScoreKeepers.read`."""
        keeper = self._keepers.get(score_keeper_id)
        return None if keeper is None else (keeper, tuple(self._entries[score_keeper_id]))

    async def append(self, entry: NewEntry) -> Outcome:
        """See `ScoreKeepers.append`."""
        keeper = self._keepers.get(entry.score_keeper_id)
        if keeper is None:
            return VersionConflict(0)
        entries = self._entries[entry.score_keeper_id]
        for done in entries:
            if done.command_id == entry.command_id:
                same = done.fingerprint == entry.fingerprint
                return AlreadyDone(done.version) if same else CommandReused(done.version)
        if entry.expected != len(entries) + 1:
            return VersionConflict(len(entries) + 1)
        entries.append(
            WrittenEntry(
                entry.expected + 1,
                entry.command_id,
                entry.fingerprint,
                entry.player_id,
                entry.recorded_at,
                entry.entry,
            )
        )
        self._keepers[entry.score_keeper_id] = replace(keeper, changed_at=entry.recorded_at)
        return Appended(entry.expected + 1)

    async def admit(self, score_keeper_id: UUID, player_id: str) -> None:
        """See `ScoreKeepers.admit`."""
        keeper = self._keepers.get(score_keeper_id)
        if keeper is not None and player_id not in keeper.members:
            self._keepers[score_keeper_id] = replace(keeper, members=(*keeper.members, player_id))

    async def listed(self, tenant: str, player_id: str, before: UUID | None, limit: int) -> Sequence[ScoreKeeper]:
        """See `ScoreKeepers.listed`."""
        own = (known for known in self._keepers.values() if known.tenant == tenant and player_id in known.members)
        older = (known for known in own if before is None or known.score_keeper_id < before)
        return heapq.nlargest(limit, older, key=lambda keeper: keeper.score_keeper_id)

    async def delete(self, score_keeper_id: UUID) -> None:
        """See `ScoreKeepers.delete`."""
        self._keepers.pop(score_keeper_id, None)
        self._entries.pop(score_keeper_id, None)

    async def forget(self, player_id: str) -> None:
        """See `ScoreKeepers.forget`."""
        for known in [each for each in self._keepers.values() if player_id in each.members]:
            if known.members[0] == player_id:
                await self.delete(known.score_keeper_id)
            else:
                left = tuple(member for member in known.members if member != player_id)
                self._keepers[known.score_keeper_id] = replace(known, members=left)
