"""One store over several buckets, each game wholly in one of them."""

import asyncio
import heapq
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import datetime
from itertools import islice
from typing import TypeVar
from uuid import UUID

from typing_extensions import override

from service.adapters.postgres.buckets import bucket_of
from service.application.ports import (
    BehindHook,
    Commit,
    Follower,
    GameStore,
    HookPosition,
    ListedGame,
    ListingQuery,
    NewCommit,
    Outcome,
    OverdueGame,
    PlayerQuery,
    Profile,
    StoreUnavailable,
)
from service.observability.metrics import Metrics

PATIENCE_SECONDS = 1.0
"""How long the answer of all buckets waits for the slowest one."""
REST_SECONDS = 5.0
"""How long a bucket that gave no answer is left out."""
WAITING_BOUND = 1
"""How many callers may wait for a game or key of a bucket that is left out: all buckets share a few connections."""

_Answer = TypeVar("_Answer")
_LOGGER = logging.getLogger(__name__)


class _Bucket:
    """One of the stores; one that gave no answer rests for a while."""

    def __init__(self, place: int, store: GameStore) -> None:
        self.place = place
        self.store = store
        self.waiting = 0
        self._rests_until: float | None = None

    @property
    def is_out(self) -> bool:
        """Tell whether it gave no answer when it was asked last."""
        return self._rests_until is not None

    def is_resting(self, now: float) -> bool:
        return self._rests_until is not None and now < self._rests_until

    def answered(self) -> None:
        if self._rests_until is not None:
            _LOGGER.warning("bucket %d answers again", self.place)
        self._rests_until = None

    def rest(self, until: float, why: Exception) -> None:
        if self._rests_until is None:
            _LOGGER.warning("bucket %d is left out: %s", self.place, why)
        self._rests_until = until


class BucketedStore(GameStore):
    """Adapter of `GameStore` to several buckets; `buckets.bucket_of` maps a game to its bucket.

    What concerns one game (`append`, `read`, `find`, `reschedule`) and a reservation's key (`reserve`) needs that bucket and no other. What
    concerns all is put together from the buckets that answer: while one is out (its server of a Citus cluster is away), its games are
    missing from `listed`, `seated`, `of_player`, `heads` and `overdue`, they cannot be claimed, and they cannot be played; all others can.
    `check` is content with one bucket. Only when none answers is the store unavailable. A bucket that failed, or took longer than
    `patience` seconds, is asked again after `rest` seconds; until then at most `waiting_bound` callers wait for a game or key of it, and
    further ones are refused at once: the connections are needed for the others. Names of players lie beside the buckets.
    """

    def __init__(
        self,
        stores: Sequence[GameStore],
        *,
        patience: float = PATIENCE_SECONDS,
        rest: float = REST_SECONDS,
        waiting_bound: int = WAITING_BOUND,
        metrics: Metrics | None = None,
    ) -> None:
        self._buckets = [_Bucket(place, store) for place, store in enumerate(stores)]
        self._patience = patience
        self._rest = rest
        self._waiting_bound = waiting_bound
        metrics = metrics or Metrics()
        metrics.buckets_unavailable.set_function(lambda: sum(bucket.is_out for bucket in self._buckets))

    @override
    async def append(self, commit: NewCommit) -> Outcome:
        return await self._at(commit.game_id, lambda store: store.append(commit))

    @override
    async def read(self, game_id: UUID, after: int = 0, limit: int | None = None) -> Sequence[Commit]:
        return await self._at(game_id, lambda store: store.read(game_id, after, limit))

    @override
    async def listed(self, query: ListingQuery) -> Sequence[ListedGame]:
        pages = (await self._ask_all(lambda store: store.listed(query))).values()
        return list(islice(heapq.merge(*pages, key=lambda row: row.game_id, reverse=True), query.limit))

    @override
    async def find(self, game_id: UUID, command_id: UUID) -> Commit | None:
        return await self._at(game_id, lambda store: store.find(game_id, command_id))

    @override
    async def heads(self, game_ids: Sequence[UUID]) -> Mapping[UUID, int]:
        """Games of a bucket that is out are left out too, as if they did not exist."""
        asked: dict[int, list[UUID]] = {}
        for game_id in game_ids:
            asked.setdefault(bucket_of(game_id, len(self._buckets)), []).append(game_id)
        found = await self._ask(
            [self._buckets[place] for place in asked], lambda bucket: bucket.store.heads(asked[bucket.place])
        )
        return {game_id: head for heads in found.values() for game_id, head in heads.items()}

    @override
    async def seated(self, player_id: str, limit: int, tenant: str = "") -> Sequence[UUID]:
        found = await self._ask_all(lambda store: store.seated(player_id, limit, tenant))
        return list(islice(heapq.merge(*found.values(), reverse=True), limit))

    @override
    async def of_player(self, query: PlayerQuery) -> Sequence[UUID]:
        found = await self._ask_all(lambda store: store.of_player(query))
        return list(islice(heapq.merge(*found.values(), reverse=True), query.limit))

    @override
    async def finished(self, after: UUID | None, limit: int) -> Sequence[UUID]:
        found = await self._ask_all(lambda store: store.finished(after, limit))
        return list(islice(heapq.merge(*found.values()), limit))

    @override
    async def profiles(self, player_ids: Sequence[str]) -> Sequence[Profile]:
        return await self._buckets[0].store.profiles(player_ids)

    @override
    async def keep_profile(self, profile: Profile) -> Profile:
        return await self._buckets[0].store.keep_profile(profile)

    @override
    async def changed_profiles(self, after: datetime | None) -> tuple[Sequence[Profile], datetime]:
        return await self._buckets[0].store.changed_profiles(after)

    @override
    async def delete_profile(self, player_id: str, tenant: str, now: datetime, erase_at: datetime) -> Profile:
        return await self._buckets[0].store.delete_profile(player_id, tenant, now, erase_at)

    @override
    async def deleted_players(self) -> Mapping[str, datetime]:
        return await self._buckets[0].store.deleted_players()

    @override
    async def claim_erasures(self, now: datetime, until: datetime, limit: int) -> Sequence[Profile]:
        return await self._buckets[0].store.claim_erasures(now, until, limit)

    @override
    async def put_erasure_off(self, player_id: str, erase_at: datetime | None) -> None:
        await self._buckets[0].store.put_erasure_off(player_id, erase_at)

    @override
    async def reserve(self, key: UUID, game_id: UUID) -> UUID:
        """The key says where it is kept, wherever the game will be."""
        return await self._at(key, lambda store: store.reserve(key, game_id))

    @override
    async def reserved(self, key: UUID) -> UUID | None:
        return await self._at(key, lambda store: store.reserved(key))

    @override
    async def claim(self, now: datetime, until: datetime, limit: int) -> Sequence[OverdueGame]:
        """Claim games of several buckets.

        The buckets first tell their deadlines, so that none claims games that would not be among the first `limit` of all. Others who
        claim meanwhile may leave fewer than that, or later ones.
        """
        due = await self._due(now, limit)
        shares = {place: [at for at, which in due if which == place] for _, place in due}
        claimed = await self._ask(
            [self._buckets[place] for place in shares],
            lambda bucket: bucket.store.claim(now, until, len(shares[bucket.place])),
        )
        dated = [
            (at, overdue) for place, games in claimed.items() for at, overdue in zip(shares[place], games, strict=False)
        ]
        return [overdue for _, overdue in sorted(dated, key=lambda each: each[0])]

    @override
    async def overdue(self, now: datetime, limit: int) -> Sequence[datetime]:
        return [at for at, _ in await self._due(now, limit)]

    @override
    async def reschedule(self, game: OverdueGame, deadline: datetime | None) -> None:
        await self._at(game.game_id, lambda store: store.reschedule(game, deadline))

    @override
    async def hooks_behind(self, followers: Sequence[Follower], now: datetime, limit: int) -> Sequence[BehindHook]:
        found = await self._ask_all(lambda store: store.hooks_behind(followers, now, limit))
        pages = (row for page in found.values() for row in page)
        return heapq.nsmallest(limit, pages, key=lambda row: (not row.is_free, row.lacks_since))

    @override
    async def hooks_due(self, now: datetime, limit: int) -> Sequence[tuple[UUID, UUID]]:
        """Of each bucket the earliest; those that are left out are due the next time."""
        found = await self._ask_all(lambda store: store.hooks_due(now, limit))
        return [due for page in found.values() for due in page][:limit]

    @override
    async def take_hook(
        self, game_id: UUID, webhook_id: UUID, owner: UUID, now: datetime, until: datetime
    ) -> HookPosition | None:
        return await self._at(game_id, lambda store: store.take_hook(game_id, webhook_id, owner, now, until))

    @override
    async def move_hook(self, position: HookPosition, until: datetime | None) -> bool:
        return await self._at(position.game_id, lambda store: store.move_hook(position, until))

    @override
    async def forget_hook(self, webhook_id: UUID) -> None:
        await self._ask_all(lambda store: store.forget_hook(webhook_id))

    @override
    async def settle_hooks(self, followers: Sequence[Follower], before: datetime, limit: int) -> None:
        await self._ask_all(lambda store: store.settle_hooks(followers, before, limit))

    @override
    async def under_way(self) -> Mapping[str, int]:
        found = await self._ask_all(lambda store: store.under_way())
        return sum(map(Counter, found.values()), Counter[str]())

    @override
    async def check(self) -> None:
        await self._ask_all(lambda store: store.check())

    @override
    def is_working(self) -> bool:
        return all(bucket.store.is_working() for bucket in self._buckets)

    @override
    async def close(self) -> None:
        await asyncio.gather(*(bucket.store.close() for bucket in self._buckets))

    async def _at(self, id_: UUID, ask: Callable[[GameStore], Awaitable[_Answer]]) -> _Answer:
        """Return what the bucket of a game or key answers."""
        bucket = self._buckets[bucket_of(id_, len(self._buckets))]
        if bucket.waiting >= self._waiting_bound and bucket.is_resting(asyncio.get_running_loop().time()):
            raise StoreUnavailable(f"bucket {bucket.place} does not answer, and {bucket.waiting} callers wait for it")
        bucket.waiting += 1
        try:
            answer = await ask(bucket.store)
        finally:
            bucket.waiting -= 1
        bucket.answered()
        return answer

    async def _due(self, now: datetime, limit: int) -> Sequence[tuple[datetime, int]]:
        """Return the earliest deadlines of all buckets, each with its bucket's place."""
        found = await self._ask_all(lambda store: store.overdue(now, limit))
        return heapq.nsmallest(limit, ((at, place) for place, deadlines in found.items() for at in deadlines))

    async def _ask_all(self, ask: Callable[[GameStore], Awaitable[_Answer]]) -> Mapping[int, _Answer]:
        return await self._ask(self._buckets, lambda bucket: ask(bucket.store))

    async def _ask(
        self, buckets: Sequence[_Bucket], ask: Callable[[_Bucket], Awaitable[_Answer]]
    ) -> Mapping[int, _Answer]:
        """Return what the buckets answer, by place, without those that are out.

        Raises:
            StoreUnavailable: none answers.
        """
        loop, found = asyncio.get_running_loop(), dict[int, _Answer]()
        awake = [bucket for bucket in buckets if not bucket.is_resting(loop.time())] or buckets

        async def ask_one(bucket: _Bucket) -> StoreUnavailable | None:
            try:
                async with asyncio.timeout(self._patience):
                    found[bucket.place] = await ask(bucket)
            except TimeoutError:
                error = StoreUnavailable(f"a bucket did not answer within {self._patience:g} s")
            except StoreUnavailable as unavailable:
                error = unavailable
            else:
                bucket.answered()
                return None
            bucket.rest(loop.time() + self._rest, error)
            return error

        errors = await asyncio.gather(*map(ask_one, awake))
        if errors and not found:
            raise next(filter(None, errors))
        return found
