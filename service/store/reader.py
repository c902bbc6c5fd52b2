"""Reading the log, over a few kept connections.

asyncpg's own pool resets a connection at each release, which costs a third of the throughput; nothing here leaves anything to reset.
"""

import asyncio
from collections.abc import Sequence
from uuid import UUID

from service.ports import Commit, ListedGame, Listing, LogUnavailable
from service.store import codec
from service.store.connection import Row
from service.store.link import Link

_LEND_SECONDS = 10.0

_READ = """
    SELECT seq, command_id, request_fp, recorded_at, format, payload
    FROM game_commit WHERE game_id = $1 AND seq > $2 ORDER BY seq LIMIT $3
"""


class Readers:
    """A fixed number of connections for reading, lent out one statement at a time."""

    def __init__(self, links: Sequence[Link]) -> None:
        self._links = links
        self._idle: asyncio.LifoQueue[Link] = asyncio.LifoQueue()
        self._closed = False
        for link in links:
            self._idle.put_nowait(link)

    async def fetch(self, query: str, *args: object) -> Sequence[Row]:
        """Return the rows of a statement that only reads.

        Raises:
            LogUnavailable: the database cannot be reached, or every connection is busy for too long.
        """
        link = await self._lend()
        try:
            return await link.fetch(query, *args)
        finally:
            self._idle.put_nowait(link)

    async def close(self) -> None:
        """End every connection as soon as it is idle."""
        if not self._closed:
            self._closed = True
            for _ in self._links:
                await (await self._idle.get()).close()

    async def _lend(self) -> Link:
        if self._closed:
            raise LogUnavailable("the log is closed")
        try:
            async with asyncio.timeout(_LEND_SECONDS):
                return await self._idle.get()
        except TimeoutError:
            raise LogUnavailable(f"no connection became free within {_LEND_SECONDS:g} s") from None


async def commits(readers: Readers, game_id: UUID, after: int, limit: int | None) -> Sequence[Commit]:
    """Return a game's commits with versions above `after`, in order, at most `limit`."""
    return [_commit(game_id, row) for row in await readers.fetch(_READ, game_id, after, limit)]


async def games(readers: Readers, *, equal: dict[str, str], before: UUID | None, limit: int) -> Sequence[ListedGame]:
    """Return at most `limit` games, newest first, whose columns have the values of `equal`, with ids below `before`."""
    conditions = [f"{column} = ${number}" for number, column in enumerate(equal, start=2)]
    if before is not None:
        conditions.append(f"game_id < ${len(equal) + 2}")
    query = f"SELECT * FROM game WHERE {' AND '.join(conditions)} ORDER BY game_id DESC LIMIT $1"  # noqa: S608 - column names are ours
    rows = await readers.fetch(query, limit, *equal.values(), *([] if before is None else [before]))
    return [_listed_game(row) for row in rows]


def _commit(game_id: UUID, row: Row) -> Commit:
    return Commit(
        game_id=game_id,
        version=row["seq"],
        command_id=row["command_id"],
        fingerprint=row["request_fp"],
        recorded_at=row["recorded_at"],
        events=codec.decode(row["format"], row["payload"]),
    )


def _listed_game(row: Row) -> ListedGame:
    listing = Listing(
        status=row["status"],
        visibility=row["visibility"],
        ruleset_id=row["ruleset_id"],
        players=row["players"],
        free_seats=row["free_seats"],
        seats=row["seats"],
        deadline=row["deadline"],
    )
    return ListedGame(row["game_id"], row["version"], row["created_at"], listing)
