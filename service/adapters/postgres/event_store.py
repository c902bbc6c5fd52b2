"""The log in Postgres."""

import asyncio
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Self
from uuid import UUID

from service.adapters.postgres import codec, deadline_queue, migrate, queries
from service.adapters.postgres.commit_statements import Pending
from service.adapters.postgres.group_commit import CommitQueue, Writer
from service.adapters.postgres.migrate import SchemaMismatch
from service.adapters.postgres.pool import WAITING_BOUND, Pool
from service.adapters.postgres.reconnecting import PATIENCE_SECONDS, ReconnectingConnection
from service.application.ports import Commit, ListedGame, NewCommit, Outcome, Overdue, StoreUnavailable
from service.observability.metrics_port import NO_METRICS, Gauge, MetricsSink

WRITERS = 2
READERS = 4
ERRANDS = 2
"""How many connections there are for the small writes beside the log."""
QUEUE_BOUND = 4096
CALL_SECONDS = 10.0
"""How long a call waits for a database that hangs."""
CHECK_SECONDS = 2.0
"""How long `check` does: whoever asks wants to know now."""


class PostgresStore:
    """Adapter of `GameStore` to Postgres 13 or newer, with the schema that `migrate` applied.

    Commits of all callers are written in groups: one statement and one flush to disk for all that waited. Every outcome is the
    database's word: after a lost connection what became of a commit is looked up under its command id, on a new connection.
    """

    def __init__(
        self,
        dsn: str,
        *,
        queue_bound: int = QUEUE_BOUND,
        waiting_bound: int = WAITING_BOUND,
        patience: float = PATIENCE_SECONDS,
        call_seconds: float = CALL_SECONDS,
        check_seconds: float = CHECK_SECONDS,
        meters: MetricsSink = NO_METRICS,
    ) -> None:
        self._call_seconds = call_seconds
        self._check_seconds = check_seconds
        self._queue = CommitQueue(queue_bound)
        self._reading = Pool([ReconnectingConnection(dsn, patience) for _ in range(READERS)], waiting_bound)
        self._errands = Pool([ReconnectingConnection(dsn, patience) for _ in range(ERRANDS)], waiting_bound)
        meters.register_gauge(Gauge.WRITER_QUEUE, self._queue.__len__)
        meters.register_gauge(Gauge.WRITER_QUEUE_BOUND, lambda: queue_bound)
        meters.register_gauge(Gauge.WAITING_FOR_READING, self._reading.waiting)
        meters.register_gauge(Gauge.WAITING_FOR_ERRANDS, self._errands.waiting)
        writers = [Writer(self._queue, ReconnectingConnection(dsn, patience), meters) for _ in range(WRITERS)]
        self._writing = [asyncio.create_task(writer.run()) for writer in writers]

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
        meters: MetricsSink = NO_METRICS,
    ) -> Self:
        """Return a log that works: the database at `dsn` answers.

        `queue_bound` is how many commits may wait to be written before further ones are refused; `waiting_bound` how many callers
        may wait for a connection to read by, and as many to reserve, claim or put off; `patience` how many seconds callers are kept
        waiting for a database that went away, `call_seconds` and `check_seconds` how long for one that hangs; `meters` takes the figures.

        Raises:
            StoreUnavailable: the database cannot be reached.
        """
        log = cls(
            dsn,
            queue_bound=queue_bound,
            waiting_bound=waiting_bound,
            patience=patience,
            call_seconds=call_seconds,
            check_seconds=check_seconds,
            meters=meters,
        )
        try:
            await log._ask()  # without a limit of its own: the first connection may take its time
        except BaseException:
            await log.close()
            raise
        return log

    async def append(self, commit: NewCommit) -> Outcome:
        """See `GameStore.append`.

        Raises:
            StoreUnavailable: the queue is full, or the database cannot be reached; the commit may have been written.
            ValueError: the commit holds a value that no column can store.
        """
        pending = Pending(commit, codec.encode(commit.events), asyncio.get_running_loop().create_future())
        self._queue.put(pending)
        async with _within(self._call_seconds):
            return await pending.outcome

    async def read(self, game_id: UUID, after: int = 0, limit: int | None = None) -> Sequence[Commit]:
        """See `GameStore.read`.

        Raises:
            StoreUnavailable: the database cannot be reached.
            Unreadable: a commit was written by a newer version of the service.
        """
        async with _within(self._call_seconds):
            return await queries.commits(self._reading, game_id, after, limit)

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
        wanted = queries.Wanted(tenant, visibility, status, ruleset_id, before, limit)
        async with _within(self._call_seconds):
            return await queries.games(self._reading, wanted)

    async def find(self, game_id: UUID, command_id: UUID) -> Commit | None:
        """See `GameStore.find`.

        Raises:
            StoreUnavailable: the database cannot be reached.
            Unreadable: the commit was written by a newer version of the service.
        """
        async with _within(self._call_seconds):
            return await queries.find(self._reading, game_id, command_id)

    async def heads(self, game_ids: Sequence[UUID]) -> Mapping[UUID, int]:
        """See `GameStore.heads`."""
        async with _within(self._call_seconds):
            return await queries.heads(self._reading, game_ids)

    async def seated(self, player_id: str, limit: int, tenant: str = "") -> Sequence[UUID]:
        """See `GameStore.seated`."""
        async with _within(self._call_seconds):
            return await queries.seated(self._reading, player_id, limit, tenant)

    async def reserve(self, key: UUID, game_id: UUID) -> UUID:
        """See `GameStore.reserve`."""
        async with _within(self._call_seconds):
            return await deadline_queue.reserve(self._errands, key, game_id)

    async def claim_overdue(self, now: datetime, until: datetime, limit: int) -> Sequence[Overdue]:
        """See `GameStore.claim_overdue`."""
        async with _within(self._call_seconds):
            return await deadline_queue.claim_overdue(self._errands, now, until, limit)

    async def overdue_since(self, now: datetime, limit: int) -> Sequence[datetime]:
        """See `GameStore.overdue_since`."""
        async with _within(self._call_seconds):
            return await deadline_queue.overdue_since(self._errands, now, limit)

    async def put_off(self, overdue: Overdue, deadline: datetime | None) -> None:
        """See `GameStore.put_off`."""
        async with _within(self._call_seconds):
            await deadline_queue.put_off(self._errands, overdue, deadline)

    async def under_way(self) -> Mapping[str, int]:
        """See `GameStore.under_way`."""
        async with _within(self._check_seconds):
            return await queries.under_way(self._reading)

    async def check(self) -> None:
        """See `GameStore.check`. The schema may be ahead by what is compatible, while a newer version is rolled out, but not behind."""
        async with _within(self._check_seconds):
            self._queue.must_have_room()
            try:
                await migrate.check_by(self._reading)
            except SchemaMismatch as mismatch:
                raise StoreUnavailable(str(mismatch)) from None

    def is_at_work(self) -> bool:
        """See `GameStore.is_at_work`. A log that was closed has nothing more to do."""
        return self._queue.is_closed or not any(writing.done() for writing in self._writing)

    async def close(self) -> None:
        """See `GameStore.close`."""
        self._queue.close()
        await asyncio.wait(self._writing)  # unlike gather, leaves the writers at work if this call is cancelled
        await self._reading.close()
        await self._errands.close()

    async def _ask(self) -> None:
        self._queue.must_have_room()
        await self._reading.fetch("SELECT 1")


@asynccontextmanager
async def _within(seconds: float) -> AsyncGenerator[None]:
    limit = asyncio.timeout(seconds)
    try:
        async with limit:
            yield
    except TimeoutError:
        raise StoreUnavailable(f"the database did not answer within {seconds:g} s") from None
