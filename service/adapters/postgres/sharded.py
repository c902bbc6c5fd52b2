"""One log over several, each game wholly in one of them."""

import asyncio
import heapq
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import datetime
from itertools import islice
from typing import TypeVar
from uuid import UUID

from service.adapters.postgres.shards import shard_of
from service.application.ports import Commit, GameStore, ListedGame, NewCommit, Outcome, Overdue, StoreUnavailable

PATIENCE_SECONDS = 1.0
"""How long the answer of all shards waits for the slowest one."""
REST_SECONDS = 5.0
"""How long a shard that gave no answer is left out."""
WAITING_BOUND = 100
"""How many callers may wait for one game or key each of a shard that is left out: the process needs its room for the others."""

_Answer = TypeVar("_Answer")
_LOGGER = logging.getLogger(__name__)


class _Shard:
    """One of the logs; one that gave no answer rests for a while."""

    def __init__(self, place: int, log: GameStore) -> None:
        self.place = place
        self.log = log
        self.waiting = 0
        self._rests_until: float | None = None

    def is_resting(self, now: float) -> bool:
        return self._rests_until is not None and now < self._rests_until

    def answered(self) -> None:
        if self._rests_until is not None:
            _LOGGER.warning("database %d answers again", self.place + 1)
        self._rests_until = None

    def rest(self, until: float, why: Exception) -> None:
        if self._rests_until is None:
            _LOGGER.warning("database %d is left out: %s", self.place + 1, why)
        self._rests_until = until


class ShardedStore:
    """Adapter of `GameStore` to several databases; `shards.shard_of` maps a game to its database.

    What concerns one game (`append`, `read`, `find`, `put_off`) and a reservation's key (`reserve`) needs that shard and no other. What
    concerns all is put together from the shards that answer: while one is out, its games are missing from `listed`, `seated`, `heads` and
    `overdue_since`, they cannot be claimed, and they cannot be played; all others can. `check` is content with one shard. Only when none
    answers is the log unavailable. A shard that failed, or took longer than `patience` seconds, is asked again after `rest` seconds;
    until then at most `waiting_bound` callers wait for a game or key of it, and further ones are refused at once.
    """

    def __init__(
        self,
        logs: Sequence[GameStore],
        *,
        patience: float = PATIENCE_SECONDS,
        rest: float = REST_SECONDS,
        waiting_bound: int = WAITING_BOUND,
    ) -> None:
        self._shards = [_Shard(place, log) for place, log in enumerate(logs)]
        self._patience = patience
        self._rest = rest
        self._waiting_bound = waiting_bound

    async def append(self, commit: NewCommit) -> Outcome:
        """See `GameStore.append`."""
        return await self._at(commit.game_id, lambda log: log.append(commit))

    async def read(self, game_id: UUID, after: int = 0, limit: int | None = None) -> Sequence[Commit]:
        """See `GameStore.read`."""
        return await self._at(game_id, lambda log: log.read(game_id, after, limit))

    async def listed(
        self,
        *,
        visibility: str | None,
        status: str | None,
        ruleset_id: str | None,
        before: UUID | None,
        limit: int,
        tenant: str = "",
    ) -> Sequence[ListedGame]:
        """See `GameStore.listed`."""

        def ask(log: GameStore) -> Awaitable[Sequence[ListedGame]]:
            return log.listed(
                visibility=visibility,
                status=status,
                ruleset_id=ruleset_id,
                before=before,
                limit=limit,
                tenant=tenant,
            )

        pages = (await self._ask_all(ask)).values()
        return list(islice(heapq.merge(*pages, key=lambda row: row.game_id, reverse=True), limit))

    async def find(self, game_id: UUID, command_id: UUID) -> Commit | None:
        """See `GameStore.find`."""
        return await self._at(game_id, lambda log: log.find(game_id, command_id))

    async def heads(self, game_ids: Sequence[UUID]) -> Mapping[UUID, int]:
        """See `GameStore.heads`. Games of a shard that is out are left out too, as if they did not exist."""
        asked: dict[int, list[UUID]] = {}
        for game_id in game_ids:
            asked.setdefault(shard_of(game_id, len(self._shards)), []).append(game_id)
        found = await self._ask(
            [self._shards[place] for place in asked], lambda shard: shard.log.heads(asked[shard.place])
        )
        return {game_id: head for heads in found.values() for game_id, head in heads.items()}

    async def seated(self, player_id: str, limit: int, tenant: str = "") -> Sequence[UUID]:
        """See `GameStore.seated`."""
        found = await self._ask_all(lambda log: log.seated(player_id, limit, tenant))
        return list(islice(heapq.merge(*found.values(), reverse=True), limit))

    async def reserve(self, key: UUID, game_id: UUID) -> UUID:
        """See `GameStore.reserve`. The key says where it is kept, wherever the game will be."""
        return await self._at(key, lambda log: log.reserve(key, game_id))

    async def claim_overdue(self, now: datetime, until: datetime, limit: int) -> Sequence[Overdue]:
        """See `GameStore.claim_overdue`.

        The shards first tell their deadlines, so that none claims games that would not be among the first `limit` of all. Others who
        claim meanwhile may leave fewer than that, or later ones.
        """
        due = await self._due(now, limit)
        shares = {place: [at for at, which in due if which == place] for _, place in due}
        claimed = await self._ask(
            [self._shards[place] for place in shares],
            lambda shard: shard.log.claim_overdue(now, until, len(shares[shard.place])),
        )
        dated = [
            (at, overdue) for place, games in claimed.items() for at, overdue in zip(shares[place], games, strict=False)
        ]
        return [overdue for _, overdue in sorted(dated, key=lambda each: each[0])]

    async def overdue_since(self, now: datetime, limit: int) -> Sequence[datetime]:
        """See `GameStore.overdue_since`."""
        return [at for at, _ in await self._due(now, limit)]

    async def put_off(self, overdue: Overdue, deadline: datetime | None) -> None:
        """See `GameStore.put_off`."""
        await self._at(overdue.game_id, lambda log: log.put_off(overdue, deadline))

    async def under_way(self) -> Mapping[str, int]:
        """See `GameStore.under_way`."""
        found = await self._ask_all(lambda log: log.under_way())
        return sum(map(Counter, found.values()), Counter[str]())

    async def check(self) -> None:
        """See `GameStore.check`."""
        await self._ask_all(lambda log: log.check())

    def is_at_work(self) -> bool:
        """See `GameStore.is_at_work`."""
        return all(shard.log.is_at_work() for shard in self._shards)

    async def close(self) -> None:
        """See `GameStore.close`."""
        await asyncio.gather(*(shard.log.close() for shard in self._shards))

    async def _at(self, id_: UUID, ask: Callable[[GameStore], Awaitable[_Answer]]) -> _Answer:
        """Return what the shard of a game or key answers."""
        shard = self._shards[shard_of(id_, len(self._shards))]
        if shard.waiting >= self._waiting_bound and shard.is_resting(asyncio.get_running_loop().time()):
            raise StoreUnavailable(f"shard {shard.place + 1} does not answer, and {shard.waiting} callers wait for it")
        shard.waiting += 1
        try:
            return await ask(shard.log)
        finally:
            shard.waiting -= 1

    async def _due(self, now: datetime, limit: int) -> Sequence[tuple[datetime, int]]:
        """Return the earliest deadlines of all shards, each with its shard's place."""
        found = await self._ask_all(lambda log: log.overdue_since(now, limit))
        return heapq.nsmallest(limit, ((at, place) for place, deadlines in found.items() for at in deadlines))

    async def _ask_all(self, ask: Callable[[GameStore], Awaitable[_Answer]]) -> Mapping[int, _Answer]:
        return await self._ask(self._shards, lambda shard: ask(shard.log))

    async def _ask(
        self, shards: Sequence[_Shard], ask: Callable[[_Shard], Awaitable[_Answer]]
    ) -> Mapping[int, _Answer]:
        """Return what the shards answer, by place, without those that are out.

        Raises:
            StoreUnavailable: none answers.
        """
        loop, found = asyncio.get_running_loop(), dict[int, _Answer]()
        awake = [shard for shard in shards if not shard.is_resting(loop.time())] or shards

        async def ask_one(shard: _Shard) -> StoreUnavailable | None:
            try:
                async with asyncio.timeout(self._patience):
                    found[shard.place] = await ask(shard)
            except TimeoutError:
                error = StoreUnavailable(f"a shard did not answer within {self._patience:g} s")
            except StoreUnavailable as unavailable:
                error = unavailable
            else:
                shard.answered()
                return None
            shard.rest(loop.time() + self._rest, error)
            return error

        errors = await asyncio.gather(*map(ask_one, awake))
        if errors and not found:
            raise next(filter(None, errors))
        return found
