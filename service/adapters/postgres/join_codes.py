"""Short codes in Postgres."""

from collections.abc import Sequence
from datetime import datetime

from service.adapters.postgres.connection import Row
from service.adapters.postgres.pool import Pool
from service.application.ports import JoinCode, Joined

FORGET = """
    DELETE FROM join_code WHERE target = ANY (ARRAY(
        SELECT target FROM join_code WHERE expires_at <= $1 ORDER BY expires_at LIMIT 100 FOR UPDATE SKIP LOCKED))
"""
_ISSUE = """
    INSERT INTO join_code (tenant, code, kind, target, expires_at) VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING
"""
OF_TARGET = "SELECT tenant, code, kind, target, expires_at FROM join_code WHERE target = $1 AND expires_at > $2"
FIND = (
    "SELECT tenant, code, kind, target, expires_at FROM join_code WHERE tenant = $1 AND code = $2 AND expires_at > $3"
)


class PostgresJoinCodes:
    """Adapter of `service.application.ports.JoinCodes`. Every statement may run twice (`Pool.fetch`)."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def issue(self, code: JoinCode, now: datetime) -> JoinCode | None:
        """See `JoinCodes.issue`. An expired code of the target goes first, and a hundred others with it."""
        await self._pool.fetch(FORGET, now)
        await self._pool.fetch("DELETE FROM join_code WHERE target = $1 AND expires_at <= $2", code.target, now)
        await self._pool.fetch(_ISSUE, code.tenant, code.code, code.kind, code.target, code.expires_at)
        return _first(await self._pool.fetch(OF_TARGET, code.target, now))

    async def find(self, tenant: str, code: str, now: datetime) -> JoinCode | None:
        """See `JoinCodes.find`."""
        return _first(await self._pool.fetch(FIND, tenant, code, now))


def _first(rows: Sequence[Row]) -> JoinCode | None:
    for row in rows:
        return JoinCode(row["tenant"], row["code"], Joined(row["kind"]), row["target"], row["expires_at"])
    return None
