"""The statements of the positions of web hooks. Each may run twice when a connection is lost (`Pool.fetch`)."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from service.adapters.postgres.connection import Row
from service.adapters.postgres.schema_mismatch import Asked
from service.application.ports import BehindHook, Follower, HookPosition

_FOLLOWERS = "unnest($1::uuid[], $2::text[], $3::timestamptz[]) AS follower (webhook_id, tenant, since)"
_HEAD = """
    CROSS JOIN LATERAL (
        SELECT newest.seq, newest.recorded_at FROM game_commit AS newest
        WHERE newest.game_id = game.game_id ORDER BY newest.seq DESC LIMIT 1
    ) AS head
"""
_POSITION = """
    LEFT JOIN LATERAL (
        SELECT version, attempts, owned_until FROM hook_position AS known
        WHERE known.game_id = game.game_id AND known.webhook_id = follower.webhook_id LIMIT 1
    ) AS place ON true
"""
_OF_APPS = "game.tenant LIKE 'app:%' AND NOT game.hooks_settled"  # as the index says

# `LIMIT` and `OFFSET` keep the sub-selects what they are: index probes for each follower and game under every plan.
BEHIND = f"""
    SELECT game.game_id, follower.webhook_id,
        coalesce(place.attempts, 0) = 0 AND coalesce(place.owned_until <= $4, true) AS is_free,
        greatest(follower.since, (
            SELECT lacking.recorded_at FROM game_commit AS lacking
            WHERE lacking.game_id = game.game_id AND lacking.seq = 1 + coalesce(place.version, 0)
        )) AS lacks_since
    FROM {_FOLLOWERS}
    CROSS JOIN LATERAL (
        SELECT game.game_id FROM game WHERE game.tenant = follower.tenant AND {_OF_APPS} OFFSET 0
    ) AS game {_HEAD} {_POSITION}
    WHERE head.seq > coalesce(place.version, 0) AND head.recorded_at >= follower.since
    ORDER BY is_free DESC, lacks_since LIMIT $5
"""  # noqa: S608 - joins constants

DUE = "SELECT game_id, webhook_id FROM hook_position WHERE due_at <= $1 ORDER BY due_at LIMIT $2"

_COLUMNS = "game_id, webhook_id, owner, version, place, attempts, due_at"
TAKE = f"""
    UPDATE hook_position SET owner = $3, owned_until = $5
    WHERE game_id = $1 AND webhook_id = $2 AND (owner = $3 OR owned_until IS NULL OR owned_until <= $4)
        AND (attempts = 0 OR due_at <= $4)
    RETURNING {_COLUMNS}
"""  # noqa: S608 - constants
# The lock waits for one who settles the game, and sees what came of it: a settled game must not be followed from its beginning again.
BEGIN = f"""
    INSERT INTO hook_position (game_id, webhook_id, owner, owned_until, version, place, attempts)
    SELECT game_id, $2::uuid, $3::uuid, $4::timestamptz, 0, 0, 0 FROM game WHERE game_id = $1 AND NOT hooks_settled FOR SHARE
    ON CONFLICT (game_id, webhook_id) DO UPDATE SET owned_until = excluded.owned_until WHERE hook_position.owner = excluded.owner
    RETURNING {_COLUMNS}
"""  # noqa: S608 - constants
MOVE = """
    UPDATE hook_position SET version = $4, place = $5, attempts = $6, due_at = $7, owned_until = $8
    WHERE game_id = $1 AND webhook_id = $2 AND owner = $3 RETURNING game_id
"""
FORGET = "DELETE FROM hook_position WHERE webhook_id = $1"
SETTLE = f"""
    WITH over AS MATERIALIZED (
        SELECT game.game_id FROM game {_HEAD}
        WHERE {_OF_APPS} AND game.status NOT IN ('waiting', 'playing')
            AND game.created_at <= $4 AND head.recorded_at < $4
            AND NOT EXISTS (
                SELECT FROM {_FOLLOWERS} {_POSITION}
                WHERE follower.tenant = game.tenant AND follower.since <= head.recorded_at AND coalesce(place.version, 0) < head.seq)
        ORDER BY game.created_at LIMIT $5 FOR UPDATE OF game SKIP LOCKED
    ), gone AS (
        DELETE FROM hook_position WHERE game_id = ANY (ARRAY(SELECT game_id FROM over))
    )
    UPDATE game SET hooks_settled = true WHERE game_id = ANY (ARRAY(SELECT game_id FROM over))
"""  # noqa: S608 - joins constants


async def behind(database: Asked, followers: Sequence[Follower], now: datetime, limit: int) -> Sequence[BehindHook]:
    """See `HookPositions.hooks_behind`."""
    rows = await database.fetch(BEHIND, *_columns(followers), now, limit)
    return [BehindHook(row["game_id"], row["webhook_id"], row["lacks_since"], row["is_free"]) for row in rows]


async def due(database: Asked, now: datetime, limit: int) -> Sequence[tuple[UUID, UUID]]:
    """See `HookPositions.hooks_due`."""
    return [(row["game_id"], row["webhook_id"]) for row in await database.fetch(DUE, now, limit)]


async def take(
    database: Asked, game_id: UUID, webhook_id: UUID, owner: UUID, now: datetime, until: datetime
) -> HookPosition | None:
    """See `HookPositions.take_hook`."""
    rows = await database.fetch(TAKE, game_id, webhook_id, owner, now, until)
    rows = rows or await database.fetch(BEGIN, game_id, webhook_id, owner, until)
    return _position(rows[0]) if rows else None


async def move(database: Asked, position: HookPosition, until: datetime | None) -> bool:
    """See `HookPositions.move_hook`."""
    moved = await database.fetch(
        MOVE,
        position.game_id,
        position.webhook_id,
        position.owner,
        position.version,
        position.place,
        position.attempts,
        position.due_at,
        until,
    )
    return bool(moved)


async def forget(database: Asked, webhook_id: UUID) -> None:
    """See `HookPositions.forget_hook`."""
    await database.fetch(FORGET, webhook_id)


async def settle(database: Asked, followers: Sequence[Follower], before: datetime, limit: int) -> None:
    """See `HookPositions.settle_hooks`."""
    await database.fetch(SETTLE, *_columns(followers), before, limit)


def _columns(followers: Sequence[Follower]) -> tuple[list[UUID], list[str], list[datetime]]:
    return (
        [follower.webhook_id for follower in followers],
        [follower.tenant for follower in followers],
        [follower.since for follower in followers],
    )


def _position(row: Row) -> HookPosition:
    return HookPosition(
        game_id=row["game_id"],
        webhook_id=row["webhook_id"],
        owner=row["owner"],
        version=row["version"],
        place=row["place"],
        attempts=row["attempts"],
        due_at=row["due_at"],
    )
