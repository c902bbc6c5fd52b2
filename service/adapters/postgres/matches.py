"""Requests for quick matches in Postgres."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

import msgspec

from domain.table.table import Level, Player
from service.adapters.postgres.connection import Row
from service.adapters.postgres.pool import Pool
from service.application.ports import MatchRequest, MatchSpec, MatchStatus

_COLUMNS = """
    match_id, tenant, player_id, command_id, request_fp, created_at, expires_at, pool, spec, robots, status, game_id,
    is_ready
"""

# Two statements, each of which may run twice: what the second run of the first one would cancel is not the request itself.
_CANCEL_OTHERS = """
    UPDATE match_request SET status = 'cancelled', due_at = NULL
    WHERE tenant = $1 AND player_id = $2 AND status = 'waiting' AND command_id <> $3
        AND NOT EXISTS (SELECT FROM match_request AS same WHERE same.command_id = $3)
"""
_ENTER = f"""
    INSERT INTO match_request ({_COLUMNS}, players, due_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 'waiting', NULL, false, $11, $7) ON CONFLICT DO NOTHING
"""  # noqa: S608 - constants
ENTERED = f"SELECT {_COLUMNS} FROM match_request WHERE command_id = $1"  # noqa: S608 - constants
READ = f"SELECT {_COLUMNS} FROM match_request WHERE match_id = $1"  # noqa: S608 - constants
GROUP = f"SELECT {_COLUMNS} FROM match_request WHERE game_id = $1 ORDER BY created_at, match_id"  # noqa: S608 - constants

# Who forms a group at the same time waits for these locks, and then sees that the requests do not wait any more. A second run of the
# statement finds the game's group there.
FORM = """
    WITH waiting AS MATERIALIZED (
        SELECT match_id FROM match_request WHERE tenant = $1 AND pool = $2 AND status = 'waiting'
        ORDER BY created_at, match_id LIMIT $3 FOR UPDATE
    )
    UPDATE match_request SET status = 'matched', game_id = $4, due_at = $5
    WHERE match_id = ANY (ARRAY(SELECT match_id FROM waiting)) AND (SELECT count(*) FROM waiting) = $3
        AND NOT EXISTS (SELECT FROM match_request AS same WHERE same.game_id = $4)
"""
FILL_UP = """
    WITH first AS MATERIALIZED (
        SELECT match_id FROM match_request WHERE match_id = $3 AND status = 'waiting' FOR UPDATE
    ), others AS MATERIALIZED (
        SELECT match_id FROM match_request
        WHERE tenant = $1 AND pool = $2 AND status = 'waiting' AND robots IS NOT NULL AND match_id <> $3
            AND EXISTS (SELECT FROM first)
        ORDER BY created_at, match_id LIMIT $6 FOR UPDATE SKIP LOCKED
    )
    UPDATE match_request SET status = 'matched', game_id = $4, due_at = $5
    WHERE match_id = ANY (ARRAY(SELECT match_id FROM first UNION ALL SELECT match_id FROM others))
        AND NOT EXISTS (SELECT FROM match_request AS same WHERE same.game_id = $4)
"""
SETTLE = "UPDATE match_request SET is_ready = true, due_at = NULL WHERE game_id = $1"
_END = "UPDATE match_request SET status = $2, due_at = NULL WHERE match_id = $1 AND status = 'waiting'"
CLAIM = f"""
    WITH due AS MATERIALIZED (
        SELECT match_id FROM match_request WHERE due_at <= $1 ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED
    )
    UPDATE match_request SET due_at = $2 WHERE match_id = ANY (ARRAY(SELECT match_id FROM due)) RETURNING {_COLUMNS}
"""  # noqa: S608 - constants
OF_PLAYER = f"""
    WITH own AS MATERIALIZED (SELECT {_COLUMNS} FROM match_request WHERE player_id = $2)
    SELECT * FROM own WHERE tenant = $1 ORDER BY created_at, match_id
"""  # noqa: S608 - constants
FORGET = """
    DELETE FROM match_request WHERE player_id = $2 AND tenant = $1 AND (status <> 'matched' OR is_ready)
"""
DELETE_OLD = """
    DELETE FROM match_request WHERE match_id = ANY (ARRAY(
        SELECT match_id FROM match_request WHERE created_at < $1 AND due_at IS NULL
        ORDER BY created_at LIMIT 1000 FOR UPDATE SKIP LOCKED))
"""

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(MatchSpec).decode


class PostgresMatches:
    """Adapter of `service.application.ports.Matches`. Every statement may run twice (`Pool.fetch`)."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def enter(self, request: MatchRequest) -> MatchRequest:
        """See `Matches.enter`. Of two new requests of a player at the same time, the later one cancels the other at its next try."""
        entered: Sequence[Row] = ()
        while not entered:
            await self._pool.fetch(_CANCEL_OTHERS, request.tenant, request.player.player_id, request.command_id)
            await self._pool.fetch(
                _ENTER,
                request.match_id,
                request.tenant,
                request.player.player_id,
                request.command_id,
                request.fingerprint,
                request.created_at,
                request.expires_at,
                request.pool,
                _encode(request.spec),
                request.robots,
                request.spec.players,
            )
            entered = await self._pool.fetch(ENTERED, request.command_id)
        return _request(entered[0])

    async def read(self, match_id: UUID) -> MatchRequest | None:
        """See `Matches.read`."""
        rows = await self._pool.fetch(READ, match_id)
        return _request(rows[0]) if rows else None

    async def form(self, request: MatchRequest, game_id: UUID, due_at: datetime) -> bool:
        """See `Matches.form`."""
        await self._pool.fetch(FORM, request.tenant, request.pool, request.spec.players, game_id, due_at)
        return bool(await self.group(game_id))

    async def fill_up(self, request: MatchRequest, game_id: UUID, due_at: datetime) -> bool:
        """See `Matches.fill_up`."""
        await self._pool.fetch(
            FILL_UP, request.tenant, request.pool, request.match_id, game_id, due_at, request.spec.players - 1
        )
        return bool(await self.group(game_id))

    async def group(self, game_id: UUID) -> Sequence[MatchRequest]:
        """See `Matches.group`."""
        return [_request(row) for row in await self._pool.fetch(GROUP, game_id)]

    async def settle(self, game_id: UUID) -> None:
        """See `Matches.settle`."""
        await self._pool.fetch(SETTLE, game_id)

    async def end(self, match_id: UUID, status: MatchStatus) -> None:
        """See `Matches.end`."""
        await self._pool.fetch(_END, match_id, status)

    async def claim_due(self, now: datetime, until: datetime, limit: int) -> Sequence[MatchRequest]:
        """See `Matches.claim_due`."""
        return [_request(row) for row in await self._pool.fetch(CLAIM, now, until, limit)]

    async def delete_old(self, before: datetime) -> None:
        """See `Matches.delete_old`."""
        await self._pool.fetch(DELETE_OLD, before)

    async def of_player(self, tenant: str, player_id: str) -> Sequence[MatchRequest]:
        """See `Matches.of_player`."""
        return [_request(row) for row in await self._pool.fetch(OF_PLAYER, tenant, player_id)]

    async def forget(self, tenant: str, player_id: str) -> None:
        """See `Matches.forget`."""
        await self._pool.fetch(FORGET, tenant, player_id)


def _request(row: Row) -> MatchRequest:
    return MatchRequest(
        match_id=row["match_id"],
        tenant=row["tenant"],
        player=Player(row["player_id"]),
        command_id=row["command_id"],
        fingerprint=row["request_fp"],
        created_at=row["created_at"],
        expires_at=row["expires_at"],
        pool=row["pool"],
        spec=_decode(row["spec"]),
        robots=Level(row["robots"]) if row["robots"] else None,
        status=MatchStatus(row["status"]),
        game_id=row["game_id"],
        is_ready=row["is_ready"],
    )
