"""The statements that read the log and its listings."""

from collections.abc import Mapping, Sequence
from uuid import UUID

from service.adapters.postgres import codec
from service.adapters.postgres.connection import Row
from service.adapters.postgres.schema_mismatch import Asked
from service.application.ports import Commit, ListedGame, Listing, ListingQuery, PlayerQuery

HEADS_AT_ONCE = 1000
"""For how many games one statement looks up the newest version."""

READ = """
    SELECT seq, command_id, request_fp, recorded_at, format, payload
    FROM game_commit WHERE game_id = $1 AND seq > $2 ORDER BY seq LIMIT $3
"""

FIND = """
    SELECT seq, command_id, request_fp, recorded_at, format, payload FROM game_commit WHERE game_id = $1 AND command_id = $2
"""

# As in the guard of the writers' statement: a scalar sub-select is one index probe a game under every plan.
HEADS = """
    SELECT asked.game_id,
        (SELECT head.seq FROM game_commit AS head WHERE head.game_id = asked.game_id ORDER BY head.seq DESC LIMIT 1) AS head
    FROM unnest($1::uuid[]) AS asked (game_id)
"""

# By the primary key: only `pocha ratings rebuild` goes through all games.
FINISHED = "SELECT game_id FROM game WHERE status = 'finished' AND game_id > $1 ORDER BY game_id LIMIT $2"

MOST_COUNTED = 100_000
"""How many games `under_way` counts at most."""

# A game that waits or is played has a deadline, and one that is over has none but for the moment until it is counted: the index of
# deadlines leads to just those. To ask for their order, and for nothing else, leaves the planner no other index.
UNDER_WAY = """
    SELECT status, count(*) AS games FROM (
        SELECT status FROM game WHERE deadline IS NOT NULL ORDER BY deadline LIMIT $1) AS counted
    GROUP BY status
"""

# Sorted and parted by tenant apart from the search: the planner would else be free to go through all games from the newest, or all of
# the tenant's, looking for the player.
SEATED = """
    WITH mine AS MATERIALIZED (
        SELECT game_id, tenant FROM game WHERE persons @> ARRAY[$1::text] AND status IN ('waiting', 'playing')
    )
    SELECT game_id FROM mine WHERE tenant = $3 ORDER BY game_id DESC LIMIT $2
"""

# One search in the index of games under way, and one in that of games that are over.
OF_PLAYER = """
    WITH mine AS MATERIALIZED (
        SELECT game_id, tenant, status FROM game WHERE persons @> ARRAY[$1::text] AND status IN ('waiting', 'playing')
        UNION ALL
        SELECT game_id, tenant, status FROM game WHERE persons @> ARRAY[$1::text] AND status NOT IN ('waiting', 'playing')
    )
    SELECT game_id FROM mine WHERE tenant = $2 AND ($3::text IS NULL OR status = $3) AND game_id < $4
    ORDER BY game_id DESC LIMIT $5
"""

# Each pair of a visibility and a status is a stretch of the index `game_lobby`, read from its end: however many games other tenants
# have, and whatever the planner knows of it.
LISTED = """
    SELECT found.* FROM unnest($2::text[]) AS shown (visibility), unnest($3::text[]) AS stage (status), LATERAL (
        SELECT game_id, version, created_at, status, visibility, ruleset_id, players, free_seats, seats, deadline, persons, tenant
        FROM game
        WHERE game.tenant = $1 AND game.visibility = shown.visibility AND game.status = stage.status AND game.game_id < $4
            AND ($5::text IS NULL OR game.ruleset_id = $5)
        ORDER BY game.game_id DESC LIMIT $6) AS found
    ORDER BY found.game_id DESC LIMIT $6
"""
_VISIBILITIES = ("public", "private")
_UNDER_WAY = ("waiting", "playing")
_STATUSES = ("waiting", "playing", "finished", "abandoned")
_BEFORE_ALL = UUID(int=0)
AFTER_ALL = UUID(int=2**128 - 1)
"""The cursor of a first page: above every id."""


async def commits(database: Asked, game_id: UUID, after: int, limit: int | None) -> Sequence[Commit]:
    """Return a game's commits with versions above `after`, in order, at most `limit`."""
    return [_commit(game_id, row) for row in await database.fetch(READ, game_id, after, limit)]


async def find(database: Asked, game_id: UUID, command_id: UUID) -> Commit | None:
    """Return the commit of a command; None if that game has none."""
    for row in await database.fetch(FIND, game_id, command_id):
        return _commit(game_id, row)
    return None


async def heads(database: Asked, game_ids: Sequence[UUID]) -> Mapping[UUID, int]:
    """Return the newest version of each of the games that exist."""
    found: dict[UUID, int] = {}
    for start in range(0, len(game_ids), HEADS_AT_ONCE):
        rows = await database.fetch(HEADS, game_ids[start : start + HEADS_AT_ONCE])
        found.update((row["game_id"], row["head"]) for row in rows if row["head"] is not None)
    return found


async def under_way(database: Asked) -> Mapping[str, int]:
    """Return how many games wait and are played, by status."""
    rows = await database.fetch(UNDER_WAY, MOST_COUNTED)
    return {row["status"]: row["games"] for row in rows if row["status"] in _UNDER_WAY}


async def finished(database: Asked, after: UUID | None, limit: int) -> Sequence[UUID]:
    """Return at most `limit` finished games with ids above `after`, by ascending id."""
    return [row["game_id"] for row in await database.fetch(FINISHED, after or _BEFORE_ALL, limit)]


async def seated(database: Asked, player_id: str, limit: int, tenant: str) -> Sequence[UUID]:
    """Return at most `limit` games of a tenant that wait or are played with the player, the newest game first."""
    return [row["game_id"] for row in await database.fetch(SEATED, player_id, limit, tenant)]


async def of_player(database: Asked, query: PlayerQuery) -> Sequence[UUID]:
    """Return the games that match `query`, newest first."""
    before = query.before or AFTER_ALL
    rows = await database.fetch(OF_PLAYER, query.player_id, query.tenant, query.status, before, query.limit)
    return [row["game_id"] for row in rows]


async def listed(database: Asked, query: ListingQuery) -> Sequence[ListedGame]:
    """Return the games that match `query`, newest first."""
    rows = await database.fetch(
        LISTED,
        query.tenant,
        _VISIBILITIES if query.visibility is None else (query.visibility,),
        _STATUSES if query.status is None else (query.status,),
        query.before or AFTER_ALL,
        query.ruleset_id,
        query.limit,
    )
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
        player_ids=tuple(row["persons"]),
        tenant=row["tenant"],
    )
    return ListedGame(row["game_id"], row["version"], row["created_at"], listing)
