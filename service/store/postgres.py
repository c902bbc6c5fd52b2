"""The log in Postgres."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from typing import Self
from uuid import UUID

from service.ports import Commit, ListedGame, LogUnavailable, NewCommit, Outcome
from service.store import codec, reader
from service.store.batch import Pending
from service.store.link import PATIENCE_SECONDS, Link
from service.store.reader import Readers
from service.store.writer import Intake, Writer

WRITERS = 2
READERS = 4
QUEUE_BOUND = 4096
CALL_SECONDS = 10.0
"""How long a call waits for a database that hangs."""
CHECK_SECONDS = 2.0
"""How long `check` does: whoever asks wants to know now."""


class PostgresLog:
    """Adapter of `service.ports.GameLog` to Postgres 13 or newer, whose schema `service.store.migrate` brought up to date.

    Commits of all callers are written in groups: one statement and one flush to disk for all that waited. Every outcome is the
    database's word: after a lost connection what became of a commit is looked up under its command id, on a new connection.
    """

    def __init__(
        self,
        dsn: str,
        *,
        queue_bound: int = QUEUE_BOUND,
        patience: float = PATIENCE_SECONDS,
        call_seconds: float = CALL_SECONDS,
        check_seconds: float = CHECK_SECONDS,
    ) -> None:
        self._call_seconds = call_seconds
        self._check_seconds = check_seconds
        self._intake = Intake(queue_bound)
        self._readers = Readers([Link(dsn, patience) for _ in range(READERS)])
        writers = [Writer(self._intake, Link(dsn, patience)) for _ in range(WRITERS)]
        self._writing = [asyncio.create_task(writer.run()) for writer in writers]

    @classmethod
    async def open(
        cls,
        dsn: str,
        *,
        queue_bound: int = QUEUE_BOUND,
        patience: float = PATIENCE_SECONDS,
        call_seconds: float = CALL_SECONDS,
        check_seconds: float = CHECK_SECONDS,
    ) -> Self:
        """Return a log that works: the database at `dsn` answers.

        `queue_bound` is how many commits may wait to be written before further ones are refused; `patience` how many seconds callers
        are kept waiting for a database that went away, `call_seconds` and `check_seconds` how long for one that hangs.

        Raises:
            LogUnavailable: the database cannot be reached.
        """
        log = cls(
            dsn, queue_bound=queue_bound, patience=patience, call_seconds=call_seconds, check_seconds=check_seconds
        )
        try:
            await log._ask()  # without a limit of its own: the first connection may take its time
        except BaseException:
            await log.close()
            raise
        return log

    async def append(self, commit: NewCommit) -> Outcome:
        """See `GameLog.append`.

        Raises:
            LogUnavailable: the queue is full, or the database cannot be reached; the commit may have been written.
            ValueError: the commit holds a value that no column can store.
        """
        pending = Pending(commit, codec.encode(commit.events), asyncio.get_running_loop().create_future())
        self._intake.put(pending)
        async with _within(self._call_seconds):
            return await pending.outcome

    async def read(self, game_id: UUID, after: int = 0, limit: int | None = None) -> Sequence[Commit]:
        """See `GameLog.read`.

        Raises:
            LogUnavailable: the database cannot be reached.
            Unreadable: a commit was written by a newer version of the service.
        """
        async with _within(self._call_seconds):
            return await reader.commits(self._readers, game_id, after, limit)

    async def listed(
        self, *, visibility: str, status: str | None, ruleset_id: str | None, before: UUID | None, limit: int
    ) -> Sequence[ListedGame]:
        """See `GameLog.listed`."""
        filters = {"visibility": visibility, "status": status, "ruleset_id": ruleset_id}
        equal = {column: value for column, value in filters.items() if value is not None}
        async with _within(self._call_seconds):
            return await reader.games(self._readers, equal=equal, before=before, limit=limit)

    async def check(self) -> None:
        """See `GameLog.check`."""
        async with _within(self._check_seconds):
            await self._ask()

    async def close(self) -> None:
        """See `GameLog.close`."""
        self._intake.close()
        await asyncio.wait(self._writing)  # unlike gather, leaves the writers at work if this call is cancelled
        await self._readers.close()

    async def _ask(self) -> None:
        self._intake.must_have_room()
        await self._readers.fetch("SELECT 1")


@asynccontextmanager
async def _within(seconds: float) -> AsyncGenerator[None]:
    limit = asyncio.timeout(seconds)
    try:
        async with limit:
            yield
    except TimeoutError:
        raise LogUnavailable(f"the database did not answer within {seconds:g} s") from None
