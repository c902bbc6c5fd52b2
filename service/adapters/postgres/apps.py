"""Apps in Postgres."""

from collections.abc import Sequence
from datetime import datetime
from itertools import groupby

from typing_extensions import override

from service.adapters.postgres.connection import Row
from service.adapters.postgres.pool import Pool
from service.adapters.postgres.reconnecting import PATIENCE_SECONDS, ReconnectingConnection
from service.application.ports import ApiKey, App, Apps

_CREATE = """
    WITH made AS (INSERT INTO app (name, created_at) VALUES ($2, $4) ON CONFLICT DO NOTHING RETURNING name),
    kept AS (
        INSERT INTO app_key (key_id, app, digest, created_at, expires_at)
        SELECT $1, made.name, $3, $4, $5 FROM made
    )
    SELECT name FROM made
"""

_ROTATE = """
    WITH known AS (SELECT name FROM app WHERE name = $2 FOR UPDATE),
    ended AS (
        UPDATE app_key SET expires_at = least(expires_at, $6) FROM known WHERE app = known.name AND key_id <> $1
    ), kept AS (
        INSERT INTO app_key (key_id, app, digest, created_at, expires_at)
        SELECT $1, known.name, $3, $4, $5 FROM known ON CONFLICT DO NOTHING
    )
    SELECT name FROM known
"""

_REVOKE = """
    WITH known AS (SELECT name FROM app WHERE name = $1 FOR UPDATE),
    ended AS (UPDATE app_key SET expires_at = least(expires_at, $2) FROM known WHERE app = known.name)
    SELECT name FROM known
"""

_KEYS = "SELECT key_id, app, digest, created_at, expires_at FROM app_key WHERE expires_at IS NULL OR expires_at > $1"

_LISTED = """
    SELECT app.name, app.created_at AS made_at, key_id, app, digest, app_key.created_at, expires_at
    FROM app JOIN app_key ON app_key.app = app.name ORDER BY app.name, app_key.created_at DESC, key_id
"""

_MADE_IT = "SELECT 1 FROM app_key WHERE key_id = $1 AND digest = $2"


class PostgresApps(Apps):
    """Adapter of `service.application.ports.Apps` to the database at `dsn`, with one connection, opened on first use.

    Each statement may run twice when that is lost on the way (`Pool.fetch`): a key's id is drawn anew for every call.
    """

    def __init__(self, dsn: str, patience: float = PATIENCE_SECONDS) -> None:
        self._pool = Pool([ReconnectingConnection(dsn, patience)])

    @override
    async def create(self, key: ApiKey) -> bool:
        if await self._pool.fetch(_CREATE, *_columns(key)):
            return True
        return bool(await self._pool.fetch(_MADE_IT, key.key_id, key.digest))

    @override
    async def rotate(self, key: ApiKey, until: datetime) -> bool:
        return bool(await self._pool.fetch(_ROTATE, *_columns(key), until))

    @override
    async def revoke(self, app: str, now: datetime) -> bool:
        return bool(await self._pool.fetch(_REVOKE, app, now))

    @override
    async def keys(self, now: datetime) -> Sequence[ApiKey]:
        return [_key(row) for row in await self._pool.fetch(_KEYS, now)]

    @override
    async def listed(self) -> Sequence[App]:
        rows = await self._pool.fetch(_LISTED)
        grouped = groupby(rows, key=lambda row: (row["name"], row["made_at"]))
        return [App(name, made_at, tuple(map(_key, keys))) for (name, made_at), keys in grouped]

    @override
    async def close(self) -> None:
        await self._pool.close()


def _columns(key: ApiKey) -> tuple[object, ...]:
    return key.key_id, key.app, key.digest, key.created_at, key.expires_at


def _key(row: Row) -> ApiKey:
    return ApiKey(row["key_id"], row["app"], row["digest"], row["created_at"], row["expires_at"])
