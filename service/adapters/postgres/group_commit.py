"""Group commit: writers that write all queued commits in one statement, without a waiting window."""

import asyncio
import time
from collections import deque
from collections.abc import Sequence

from service.adapters.postgres import commit_statements
from service.adapters.postgres.commit_statements import QueuedCommit
from service.adapters.postgres.connection import DATABASE_ERRORS, Connection, is_lost, is_unwritable, reason
from service.adapters.postgres.reconnecting import ReconnectingConnection
from service.application.ports import Appended, StoreUnavailable
from service.observability.metrics import Metrics

LARGEST_BATCH = 512
"""Limit of commits in one statement."""

_MOST_LOSSES = 3


class CommitQueue:
    """The queue of all writers of a process. It holds at most `bound` commits."""

    def __init__(self, bound: int) -> None:
        self._bound = bound
        self._waiting: deque[QueuedCommit] = deque()
        self._changed = asyncio.Event()
        self._closed = False

    def put(self, queued: QueuedCommit) -> None:
        """Queue a commit.

        Raises:
            StoreUnavailable: the queue is full or closed.
        """
        self.must_have_room()
        self._waiting.append(queued)
        self._changed.set()

    def must_have_room(self) -> None:
        """Raise `StoreUnavailable` when the queue is full or closed."""
        if self._closed:
            raise StoreUnavailable("the store is closed")
        if len(self._waiting) >= self._bound:
            raise StoreUnavailable(f"{self._bound} commits are waiting to be written")

    @property
    def is_closed(self) -> bool:
        """Tell whether the queue is closed."""
        return self._closed

    def __len__(self) -> int:
        return len(self._waiting)

    def close(self) -> None:
        """Close the queue; queued commits are still handed out."""
        self._closed = True
        self._changed.set()

    async def take(self, returned: list[QueuedCommit]) -> list[QueuedCommit]:
        """Return the next batch, `returned` first; waits when there is none, and is empty only at the end."""
        while not (returned or self._waiting or self._closed):
            self._changed.clear()
            await self._changed.wait()
        room = min(LARGEST_BATCH - len(returned), len(self._waiting))
        return returned + [self._waiting.popleft() for _ in range(room)]


class Writer:
    """One connection that writes batch after batch."""

    def __init__(self, queue: CommitQueue, link: ReconnectingConnection, metrics: Metrics) -> None:
        self._queue = queue
        self._link = link
        self._metrics = metrics

    async def run(self) -> None:
        """Write until the queue is closed and empty."""
        left: list[QueuedCommit] = []
        while taken := await self._queue.take(left):
            left = await self._serve(_unanswered(taken))
        await self._link.close()

    async def _serve(self, taken: list[QueuedCommit]) -> list[QueuedCommit]:
        """Resolve what can be resolved; return the rest, to be retried."""
        try:
            return await self._settle(await self._link.get(), taken)
        except StoreUnavailable as error:
            _refuse(taken, error)
        except DATABASE_ERRORS as error:
            self._fail(taken, error)
        except Exception as error:  # noqa: BLE001 - a bug must reach the callers, and must not end the writer
            self._link.drop()
            _refuse(taken, error)
        return _unanswered(taken)

    async def _settle(self, connection: Connection, taken: list[QueuedCommit]) -> list[QueuedCommit]:
        """Look up what an earlier connection may have written, write the rest, and find out why some were not written."""
        doubtful = [queued for queued in taken if queued.losses]
        certain = [queued for queued in taken if not queued.losses]
        writable = await _resolve(connection, doubtful) + certain
        await _write(connection, _first_of_each_game(writable), self._metrics)
        return await _resolve(connection, _unanswered(writable))

    def _fail(self, taken: list[QueuedCommit], error: Exception) -> None:
        self._link.drop()
        for queued in taken:
            queued.losses += 1
            if not is_lost(error) or queued.losses > _MOST_LOSSES:
                queued.refuse(StoreUnavailable(reason(error)))


async def _write(connection: Connection, firsts: Sequence[QueuedCommit], metrics: Metrics) -> None:
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
    connection: Connection, firsts: Sequence[QueuedCommit], error: Exception, metrics: Metrics
) -> None:
    if len(firsts) == 1:
        firsts[0].refuse(ValueError(f"the commit cannot be stored: {reason(error)}"))
        return
    middle = len(firsts) // 2
    await _write(connection, firsts[:middle], metrics)
    await _write(connection, firsts[middle:], metrics)


async def _resolve(connection: Connection, commits: list[QueuedCommit]) -> list[QueuedCommit]:
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
