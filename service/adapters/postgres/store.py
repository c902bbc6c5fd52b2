"""The store in Postgres."""

import asyncio
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Self
from uuid import UUID

from typing_extensions import override

from service.adapters.postgres import (
    codec,
    deadline_queue,
    hook_positions,
    layout,
    migrate,
    profiles,
    queries,
    reservations,
)
from service.adapters.postgres.bucketed import BucketedStore
from service.adapters.postgres.buckets import InBucket, schemas
from service.adapters.postgres.call_limit import CallLimit, too_late
from service.adapters.postgres.commit_statements import QueuedCommit
from service.adapters.postgres.connection import connect
from service.adapters.postgres.group_commit import CommitQueue, Writer
from service.adapters.postgres.head_reader import HeadReader
from service.adapters.postgres.migrate import SchemaMismatch
from service.adapters.postgres.pool import WAITING_BOUND, Pool
from service.adapters.postgres.reconnecting import PATIENCE_SECONDS, ReconnectingConnection
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

WRITERS = 2
READERS = 4
WRITERS_OF_BUCKETS = 4
"""Writers of a database with several buckets, at most one at work for each bucket."""
SMALL_WRITERS = 2
"""Connections for deadlines, reservations, profiles and the positions of web hooks."""
QUEUE_BOUND = 4096
CALL_SECONDS = 10.0
"""How long a call waits for a database that hangs."""
CHECK_SECONDS = 2.0
"""How long `check` and `under_way` wait; a probe needs its answer soon."""


class PostgresStore(GameStore):
    """Store in Postgres 13 or newer, with the schema of `migrate`: all games of a database, or those of one bucket.

    Commits of all callers are written in groups: one statement and one flush to disk for all that are queued. Versions are looked up in
    groups too. Every outcome comes from the database: after a lost connection, a commit is looked up by its command id on a new connection.
    """

    def __init__(
        self,
        connections: "Connections",
        bucket: str = "",
        *,
        call_seconds: float = CALL_SECONDS,
        check_seconds: float = CHECK_SECONDS,
    ) -> None:
        self._connections = connections
        self._bucket = bucket
        self._readers = InBucket(connections.readers, bucket)
        self._small_writers = InBucket(connections.small_writers, bucket)
        self._call_seconds = call_seconds
        self._check_seconds = check_seconds
        self._heads = connections.head_reader(bucket)
        self._limit = CallLimit(call_seconds)

    @classmethod
    async def open(
        cls,
        dsn: str,
        *,
        queue_bound: int = QUEUE_BOUND,
        waiting_bound: int = WAITING_BOUND,
        patience: float = PATIENCE_SECONDS,
        call_seconds: float = CALL_SECONDS,
        check_seconds: float = CHECK_SECONDS,
        metrics: Metrics | None = None,
    ) -> Self:
        """Return a working store over a database with one bucket: the database at `dsn` answers.

        `call_seconds` and `check_seconds` say how long callers wait for a database that hangs; for the others see `Connections`.

        Raises:
            StoreUnavailable: the database cannot be reached.
        """
        connections = Connections(
            dsn, queue_bound=queue_bound, waiting_bound=waiting_bound, patience=patience, metrics=metrics
        )
        await connections.open()
        return cls(connections, call_seconds=call_seconds, check_seconds=check_seconds)

    @override
    async def append(self, commit: NewCommit) -> Outcome:
        """Queue the commit for the writers, and wait for its outcome.

        Raises:
            StoreUnavailable: the queue is full, or the database cannot be reached; the commit may have been written.
            ValueError: the commit holds a value that no column can store.
        """
        queued = QueuedCommit(commit, codec.encode(commit.events), asyncio.get_running_loop().create_future())
        self._connections.queue.put(queued, self._bucket)
        return await self._limit.wait_for(queued.outcome)

    @override
    async def read(self, game_id: UUID, after: int = 0, limit: int | None = None) -> Sequence[Commit]:
        """Return the commits after a version.

        Raises:
            StoreUnavailable: the database cannot be reached.
            Unreadable: a commit was written by a newer version of the service.
        """
        async with _within(self._call_seconds):
            return await queries.commits(self._readers, game_id, after, limit)

    @override
    async def find(self, game_id: UUID, command_id: UUID) -> Commit | None:
        """Return the commit of a command.

        Raises:
            StoreUnavailable: the database cannot be reached.
            Unreadable: the commit was written by a newer version of the service.
        """
        async with _within(self._call_seconds):
            return await queries.find(self._readers, game_id, command_id)

    @override
    async def heads(self, game_ids: Sequence[UUID]) -> Mapping[UUID, int]:
        return await self._limit.wait_for(self._heads.ask(game_ids))

    @override
    async def listed(self, query: ListingQuery) -> Sequence[ListedGame]:
        async with _within(self._call_seconds):
            return await queries.listed(self._readers, query)

    @override
    async def seated(self, player_id: str, limit: int, tenant: str = "") -> Sequence[UUID]:
        async with _within(self._call_seconds):
            return await queries.seated(self._readers, player_id, limit, tenant)

    @override
    async def of_player(self, query: PlayerQuery) -> Sequence[UUID]:
        async with _within(self._call_seconds):
            return await queries.of_player(self._readers, query)

    @override
    async def finished(self, after: UUID | None, limit: int) -> Sequence[UUID]:
        async with _within(self._call_seconds):
            return await queries.finished(self._readers, after, limit)

    @override
    async def under_way(self) -> Mapping[str, int]:
        async with _within(self._check_seconds):
            return await queries.under_way(self._readers)

    @override
    async def reserve(self, key: UUID, game_id: UUID) -> UUID:
        async with _within(self._call_seconds):
            return await reservations.reserve(self._small_writers, key, game_id)

    @override
    async def reserved(self, key: UUID) -> UUID | None:
        async with _within(self._call_seconds):
            return await reservations.reserved(self._readers, key)

    @override
    async def profiles(self, player_ids: Sequence[str]) -> Sequence[Profile]:
        async with _within(self._call_seconds):
            return await profiles.profiles(self._readers, player_ids)

    @override
    async def keep_profile(self, profile: Profile) -> Profile:
        async with _within(self._call_seconds):
            return await profiles.keep(self._small_writers, profile)

    @override
    async def changed_profiles(self, after: datetime | None) -> tuple[Sequence[Profile], datetime]:
        async with _within(self._call_seconds):
            return await profiles.changed(self._readers, after)

    @override
    async def delete_profile(self, player_id: str, tenant: str, now: datetime, erase_at: datetime) -> Profile:
        async with _within(self._call_seconds):
            return await profiles.delete(self._small_writers, player_id, tenant, now, erase_at)

    @override
    async def deleted_players(self) -> Mapping[str, datetime]:
        async with _within(self._call_seconds):
            return await profiles.deleted(self._readers)

    @override
    async def claim_erasures(self, now: datetime, until: datetime, limit: int) -> Sequence[Profile]:
        async with _within(self._call_seconds):
            return await profiles.claim_erasures(self._small_writers, now, until, limit)

    @override
    async def put_erasure_off(self, player_id: str, erase_at: datetime | None) -> None:
        async with _within(self._call_seconds):
            await profiles.put_erasure_off(self._small_writers, player_id, erase_at)

    @override
    async def claim(self, now: datetime, until: datetime, limit: int) -> Sequence[OverdueGame]:
        async with _within(self._call_seconds):
            return await deadline_queue.claim(self._small_writers, now, until, limit)

    @override
    async def overdue(self, now: datetime, limit: int) -> Sequence[datetime]:
        async with _within(self._call_seconds):
            return await deadline_queue.overdue(self._small_writers, now, limit)

    @override
    async def reschedule(self, game: OverdueGame, deadline: datetime | None) -> None:
        async with _within(self._call_seconds):
            await deadline_queue.reschedule(self._small_writers, game, deadline)

    @override
    async def hooks_behind(self, followers: Sequence[Follower], now: datetime, limit: int) -> Sequence[BehindHook]:
        async with _within(self._call_seconds):
            return await hook_positions.behind(self._readers, followers, now, limit)

    @override
    async def hooks_due(self, now: datetime, limit: int) -> Sequence[tuple[UUID, UUID]]:
        async with _within(self._call_seconds):
            return await hook_positions.due(self._readers, now, limit)

    @override
    async def take_hook(
        self, game_id: UUID, webhook_id: UUID, owner: UUID, now: datetime, until: datetime
    ) -> HookPosition | None:
        async with _within(self._call_seconds):
            return await hook_positions.take(self._small_writers, game_id, webhook_id, owner, now, until)

    @override
    async def move_hook(self, position: HookPosition, until: datetime | None) -> bool:
        async with _within(self._call_seconds):
            return await hook_positions.move(self._small_writers, position, until)

    @override
    async def forget_hook(self, webhook_id: UUID) -> None:
        async with _within(self._call_seconds):
            await hook_positions.forget(self._small_writers, webhook_id)

    @override
    async def settle_hooks(self, followers: Sequence[Follower], before: datetime, limit: int) -> None:
        async with _within(self._call_seconds):
            await hook_positions.settle(self._small_writers, followers, before, limit)

    @override
    async def check(self) -> None:
        """Check the queue, the connection and the schema, which may be ahead by compatible migrations during a rolling update."""
        async with _within(self._check_seconds):
            self._connections.queue.must_have_room()
            try:
                await migrate.check_by(self._connections.readers)
            except SchemaMismatch as mismatch:
                raise StoreUnavailable(str(mismatch)) from None

    @override
    def is_working(self) -> bool:
        return self._connections.are_working()

    @override
    async def close(self) -> None:
        """Close the connections; further stores over them need not be closed."""
        await self._connections.close()


class Connections:
    """The connections to a database that all its buckets share, and the writers with their queue.

    `queue_bound` limits the commits queued for writing, `waiting_bound` the callers that wait for a connection of each pool; more are
    refused. `patience` is how many seconds callers wait for a database that went away.
    """

    def __init__(
        self,
        dsn: str,
        *,
        buckets: int = 1,
        queue_bound: int = QUEUE_BOUND,
        waiting_bound: int = WAITING_BOUND,
        patience: float = PATIENCE_SECONDS,
        metrics: Metrics | None = None,
    ) -> None:
        self.queue = CommitQueue(queue_bound, writers_each=WRITERS if buckets == 1 else 1)
        self.readers = Pool([ReconnectingConnection(dsn, patience) for _ in range(READERS)], waiting_bound)
        self.small_writers = Pool([ReconnectingConnection(dsn, patience) for _ in range(SMALL_WRITERS)], waiting_bound)
        metrics = metrics or Metrics()
        metrics.writer_queue.set_function(self.queue.__len__)
        metrics.writer_queue_bound.set_function(lambda: queue_bound)
        metrics.pool_waiting.labels("readers").set_function(self._waiting_readers)
        metrics.pool_waiting.labels("small_writers").set_function(self.small_writers.waiting)
        self._waiting_bound = waiting_bound
        self._head_readers: list[HeadReader] = []
        number = WRITERS if buckets == 1 else WRITERS_OF_BUCKETS
        writers = [Writer(self.queue, ReconnectingConnection(dsn, patience), metrics) for _ in range(number)]
        self._writing = [asyncio.create_task(writer.run()) for writer in writers]

    def head_reader(self, bucket: str) -> HeadReader:
        """Return a new reader of the versions of a bucket's games."""
        reader = HeadReader(InBucket(self.readers, bucket), self._waiting_bound)
        self._head_readers.append(reader)
        return reader

    async def open(self) -> None:
        """Return when the database answers; without a time limit, since the first connection may be slow.

        Raises:
            StoreUnavailable: the database cannot be reached. All is closed.
        """
        try:
            self.queue.must_have_room()
            await self.readers.fetch("SELECT 1")
        except BaseException:
            await self.close()
            raise

    def are_working(self) -> bool:
        """Tell whether the writers are at work, or were closed."""
        return self.queue.is_closed or not any(writing.done() for writing in self._writing)

    async def close(self) -> None:
        """Write what is queued, and end every connection."""
        self.queue.close()
        await asyncio.wait(self._writing)  # unlike gather, leaves the writers running if this call is cancelled
        for reader in self._head_readers:
            await reader.close()
        await self.readers.close()
        await self.small_writers.close()

    def _waiting_readers(self) -> int:
        return self.readers.waiting() + sum(reader.waiting() for reader in self._head_readers)


async def open_store(dsn: str, metrics: Metrics | None = None) -> GameStore:
    """Return a working store over all buckets of the database at `dsn`.

    Raises:
        StoreUnavailable: the database cannot be reached.
    """
    metrics = metrics or Metrics()
    connection = await connect(dsn)
    try:
        buckets = await layout.count(connection)
    finally:
        await connection.close()
    if buckets == 1:
        return await PostgresStore.open(dsn, metrics=metrics)
    connections = Connections(dsn, buckets=buckets, metrics=metrics)
    await connections.open()
    return BucketedStore([PostgresStore(connections, name) for name in schemas(buckets)], metrics=metrics)


@asynccontextmanager
async def _within(seconds: float) -> AsyncGenerator[None]:
    limit = asyncio.timeout(seconds)
    try:
        async with limit:
            yield
    except TimeoutError:
        raise too_late(seconds) from None
