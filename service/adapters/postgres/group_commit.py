"""Group commit: writers that write all queued commits in one statement, without a waiting window."""

import asyncio
import time
from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass

from service.adapters.postgres import commit_statements
from service.adapters.postgres.buckets import InBucket
from service.adapters.postgres.commit_statements import QueuedCommit
from service.adapters.postgres.connection import DATABASE_ERRORS, is_lost, is_unwritable, is_worker_lost, reason
from service.adapters.postgres.reconnecting import ReconnectingConnection
from service.application.ports import Appended, StoreUnavailable
from service.observability.metrics import Metrics

LARGEST_BATCH = 512
"""Limit of commits in one statement."""

_MOST_LOSSES = 3


@dataclass(slots=True)
class Batch:
    """Commits of one bucket, to be written in one statement."""

    bucket: str
    commits: list[QueuedCommit]


class CommitQueue:
    """The queue of all writers of a process. It holds at most `bound` commits.

    At most `writers_each` writers are at work for one bucket, so that a bucket whose server hangs does not hold them all.
    """

    def __init__(self, bound: int, writers_each: int) -> None:
        self._bound = bound
        self._writers_each = writers_each
        self._waiting: dict[str, deque[QueuedCommit]] = {}
        self._size = 0
        self._writing: Counter[str] = Counter()
        self._changed = asyncio.Event()
        self._closed = False

    def put(self, queued: QueuedCommit, bucket: str) -> None:
        """Queue a commit to a bucket.

        Raises:
            StoreUnavailable: the queue is full or closed.
        """
        self.must_have_room()
        self._waiting.setdefault(bucket, deque()).append(queued)
        self._size += 1
        self._changed.set()

    def must_have_room(self) -> None:
        """Raise `StoreUnavailable` when the queue is full or closed."""
        if self._closed:
            raise StoreUnavailable("the store is closed")
        if self._size >= self._bound:
            raise StoreUnavailable(f"{self._bound} commits are waiting to be written")

    @property
    def is_closed(self) -> bool:
        """Tell whether the queue is closed."""
        return self._closed

    def __len__(self) -> int:
        return self._size

    def close(self) -> None:
        """Close the queue; queued commits are still handed out."""
        self._closed = True
        self._changed.set()

    async def take(self) -> Batch | None:
        """Return the next batch, of the bucket whose turn it is; waits when there is none, and is None only at the end.

        Whoever took it calls `is_done` when all of it is answered.
        """
        while (bucket := self._next_bucket()) is None:
            if self._closed and not self._waiting:
                return None
            self._changed.clear()
            await self._changed.wait()
        self._writing[bucket] += 1
        return Batch(bucket, self._pop(bucket, LARGEST_BATCH))

    def fill(self, batch: Batch) -> None:
        """Add to a batch what else waits for its bucket."""
        batch.commits += self._pop(batch.bucket, LARGEST_BATCH - len(batch.commits))

    def is_done(self, batch: Batch) -> None:
        """Let another writer have the bucket of a batch."""
        self._writing[batch.bucket] -= 1
        if self._waiting or self._closed:
            self._changed.set()

    def _next_bucket(self) -> str | None:
        return next((bucket for bucket in self._waiting if self._writing[bucket] < self._writers_each), None)

    def _pop(self, bucket: str, room: int) -> list[QueuedCommit]:
        """Take at most `room` commits; what is left of the bucket goes behind the others."""
        waiting = self._waiting.pop(bucket, None)
        if waiting is None:
            return []
        taken = [waiting.popleft() for _ in range(min(room, len(waiting)))]
        self._size -= len(taken)
        if waiting:
            self._waiting[bucket] = waiting
        return taken


class Writer:
    """One connection that writes batch after batch."""

    def __init__(self, queue: CommitQueue, link: ReconnectingConnection, metrics: Metrics) -> None:
        self._queue = queue
        self._link = link
        self._metrics = metrics

    async def run(self) -> None:
        """Write until the queue is closed and empty."""
        while batch := await self._queue.take():
            batch.commits = await self._serve(batch.bucket, _unanswered(batch.commits))
            while batch.commits:
                self._queue.fill(batch)
                batch.commits = await self._serve(batch.bucket, _unanswered(batch.commits))
            self._queue.is_done(batch)
        await self._link.close()

    async def _serve(self, bucket: str, taken: list[QueuedCommit]) -> list[QueuedCommit]:
        """Resolve what can be resolved; return the rest, to be retried."""
        try:
            return await self._settle(InBucket(await self._link.get(), bucket), taken)
        except StoreUnavailable as error:
            _refuse(taken, error)
        except DATABASE_ERRORS as error:
            self._fail(taken, error)
        except Exception as error:  # noqa: BLE001 - a bug must reach the callers, and must not end the writer
            self._link.drop()
            _refuse(taken, error)
        return _unanswered(taken)

    async def _settle(self, connection: InBucket, taken: list[QueuedCommit]) -> list[QueuedCommit]:
        """Look up what an earlier connection may have written, write the rest, and find out why some were not written."""
        doubtful = [queued for queued in taken if queued.losses]
        certain = [queued for queued in taken if not queued.losses]
        writable = await _resolve(connection, doubtful) + certain
        await _write(connection, _first_of_each_game(writable), self._metrics)
        return await _resolve(connection, _unanswered(writable))

    def _fail(self, taken: list[QueuedCommit], error: Exception) -> None:
        if not is_worker_lost(error):
            self._link.drop()
        for queued in taken:
            queued.losses += 1
            if not is_lost(error) or queued.losses > _MOST_LOSSES:
                queued.refuse(StoreUnavailable(reason(error)))


async def _write(connection: InBucket, firsts: Sequence[QueuedCommit], metrics: Metrics) -> None:
    """Write `firsts` and resolve those written; invalid data fail alone, found by bisection."""
    if not firsts:
        return
    began = time.perf_counter()
    try:
        written = await commit_statements.write(connection, firsts)
    except DATABASE_ERRORS as error:
        if not is_unwritable(error):
            raise
        await _write_halves(connection, firsts, error, metrics)
    else:
        metrics.commit_batch_size.observe(len(written))
        metrics.commit_batch_seconds.observe(time.perf_counter() - began)
        _answer_written([queued for queued in firsts if queued.commit.game_id in written])


async def _write_halves(
    connection: InBucket, firsts: Sequence[QueuedCommit], error: Exception, metrics: Metrics
) -> None:
    if len(firsts) == 1:
        firsts[0].refuse(ValueError(f"the commit cannot be stored: {reason(error)}"))
        return
    middle = len(firsts) // 2
    await _write(connection, firsts[:middle], metrics)
    await _write(connection, firsts[middle:], metrics)


async def _resolve(connection: InBucket, commits: list[QueuedCommit]) -> list[QueuedCommit]:
    """Resolve those of the batch whose outcome the log already determines; return the others."""
    if commits:
        for queued, outcome in zip(commits, await commit_statements.classify(connection, commits), strict=True):
            if outcome is not None:
                queued.answer(outcome)
    return _unanswered(commits)


def _first_of_each_game(commits: Sequence[QueuedCommit]) -> list[QueuedCommit]:
    firsts = {queued.commit.game_id: queued for queued in reversed(commits)}
    return list(firsts.values())


def _answer_written(commits: Sequence[QueuedCommit]) -> None:
    for queued in commits:
        queued.answer(Appended(queued.commit.expected + 1))


def _unanswered(commits: Sequence[QueuedCommit]) -> list[QueuedCommit]:
    return [queued for queued in commits if not queued.outcome.done()]


def _refuse(commits: Sequence[QueuedCommit], error: Exception) -> None:
    for queued in commits:
        queued.refuse(error)
