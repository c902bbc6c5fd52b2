"""The statements that read the log and its listings."""

from collections.abc import Mapping, Sequence
from uuid import UUID

from service.ports import Commit, ListedGame, Listing
from service.store import codec
from service.store.connection import Row
from service.store.pool import Pool

HEADS_AT_ONCE = 1000
"""For how many games one statement looks up the newest version."""

_READ = """
    SELECT seq, command_id, request_fp, recorded_at, format, payload
    FROM game_commit WHERE game_id = $1 AND seq > $2 ORDER BY seq LIMIT $3
"""

_FIND = """
    SELECT seq, command_id, request_fp, recorded_at, format, payload
    FROM game_commit WHERE game_id = $1 AND command_id = $2
"""

# As in the guard of the writers' statement: a scalar sub-select is one index probe a game under every plan.
HEADS = """
    SELECT asked.game_id, (
        SELECT head.seq FROM game_commit AS head WHERE head.game_id = asked.game_id ORDER BY head.seq DESC LIMIT 1) AS head
    FROM unnest($1::uuid[]) AS asked (game_id)
"""

# Sorted apart from the search: the planner would else be free to go through all games from the newest, looking for the player.
SEATED = """
    WITH mine AS MATERIALIZED (
        SELECT game_id FROM game WHERE persons @> ARRAY[$1::text] AND status IN ('waiting', 'playing')
    )
    SELECT game_id FROM mine ORDER BY game_id DESC LIMIT $2
"""

_LISTED_COLUMNS = (
    "game_id, version, created_at, status, visibility, ruleset_id, players, free_seats, seats, deadline, persons"
)


async def commits(pool: Pool, game_id: UUID, after: int, limit: int | None) -> Sequence[Commit]:
    """Return a game's commits with versions above `after`, in order, at most `limit`."""
    return [_commit(game_id, row) for row in await pool.fetch(_READ, game_id, after, limit)]


async def find(pool: Pool, game_id: UUID, command_id: UUID) -> Commit | None:
    """Return the commit that carried out a command; none when there is none in that game."""
    rows = await pool.fetch(_FIND, game_id, command_id)
    return _commit(game_id, rows[0]) if rows else None


async def heads(pool: Pool, game_ids: Sequence[UUID]) -> Mapping[UUID, int]:
    """Return the newest version of each of the games that exist."""
    found: dict[UUID, int] = {}
    for start in range(0, len(game_ids), HEADS_AT_ONCE):
        rows = await pool.fetch(HEADS, game_ids[start : start + HEADS_AT_ONCE])
        found.update((row["game_id"], row["head"]) for row in rows if row["head"] is not None)
    return found


async def seated(pool: Pool, player_id: str, limit: int) -> Sequence[UUID]:
    """Return at most `limit` games that wait or are played with the player at a seat, the newest game first."""
    return [row["game_id"] for row in await pool.fetch(SEATED, player_id, limit)]


async def games(pool: Pool, *, equal: dict[str, str], before: UUID | None, limit: int) -> Sequence[ListedGame]:
    """Return at most `limit` games, newest first, whose columns have the values of `equal`, with ids below `before`."""
    conditions = [f"{column} = ${number}" for number, column in enumerate(equal, start=2)]
    if before is not None:
        conditions.append(f"game_id < ${len(equal) + 2}")
    where = " AND ".join(conditions)
    query = f"SELECT {_LISTED_COLUMNS} FROM game WHERE {where} ORDER BY game_id DESC LIMIT $1"  # noqa: S608 - column names are ours
    rows = await pool.fetch(query, limit, *equal.values(), *([] if before is None else [before]))
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
        persons=tuple(row["persons"]),
    )
    return ListedGame(row["game_id"], row["version"], row["created_at"], listing)
