"""Writing to the log at many writers: by group commit, and by a statement a commit, each on a connection of its own."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence

from service.adapters.postgres import codec, commit_statements, layout
from service.adapters.postgres.buckets import InBucket, bucket_of, schemas
from service.adapters.postgres.commit_statements import QueuedCommit
from service.adapters.postgres.connection import Connection
from service.adapters.postgres.reconnecting import ReconnectingConnection
from service.adapters.postgres.store import open_store
from service.application.ids import new_game_id
from service.application.ports import Appended, NewCommit
from tests.bench.limit import commit

WRITERS = 64

Write = Callable[[NewCommit], Awaitable[bool]]


async def grouped(dsn: str, each: int, writers: int = WRITERS) -> float:
    """Return commits a second by the store; every writer makes `each`."""
    log = await open_store(dsn)

    async def write(new: NewCommit) -> bool:
        return isinstance(await log.append(new), Appended)

    try:
        return await _rate([write] * writers, each)
    finally:
        await log.close()


async def single(dsn: str, each: int, writers: int = WRITERS) -> float:
    """Return commits a second by the same statement for one commit at a time."""
    links = [ReconnectingConnection(dsn) for _ in range(writers)]
    try:
        connections = [await link.get() for link in links]
        places = schemas(await layout.count(connections[0]))
        return await _rate([_writer(connection, places) for connection in connections], each)
    finally:
        for link in links:
            await link.close()


def _writer(connection: Connection, places: Sequence[str]) -> Write:
    async def write(new: NewCommit) -> bool:
        bucket = InBucket(connection, places[bucket_of(new.game_id, len(places))])
        queued = QueuedCommit(new, codec.encode(new.events), asyncio.get_running_loop().create_future())
        return new.game_id in await commit_statements.write(bucket, [queued])

    return write


async def _rate(writers: list[Write], each: int) -> float:
    started = time.perf_counter()
    written = await asyncio.gather(*(_game(write, each) for write in writers))
    return sum(written) / (time.perf_counter() - started)


async def _game(write: Write, commits: int) -> int:
    game_id = new_game_id()
    for expected in range(commits):
        assert await write(commit(game_id, expected))
    return commits
