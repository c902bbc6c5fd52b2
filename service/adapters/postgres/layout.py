"""The layout of a database: its schema, how many buckets it has, and where Citus has put them."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from service.adapters.postgres import migrate as schema
from service.adapters.postgres.buckets import BUCKET_OF, BUCKET_TABLES, MOST_BUCKETS, schemas
from service.adapters.postgres.commit_statements import APPEND_FUNCTION
from service.adapters.postgres.connection import DATABASE_ERRORS, Connection, connect, reason
from service.adapters.postgres.schema_mismatch import Asked, SchemaMismatch

_COUNT = "SELECT buckets FROM bucket_layout"
_HAS_GAMES = "SELECT EXISTS (SELECT FROM game_commit) OR EXISTS (SELECT FROM reservation)"
_MOVE = "INSERT INTO {schema}.{table} SELECT * FROM {table} WHERE {bucket} = {number}"
_KEYS = {"game_commit": "game_id", "game": "game_id", "reservation": "key", "hook_position": "game_id"}
# A service that was not stopped must not write where nobody looks any more.
_CLOSE = "TRUNCATE {table}; ALTER TABLE {table} ADD CONSTRAINT games_are_in_buckets CHECK (false) NOT VALID"
_IS_CITUS = "SELECT EXISTS (SELECT FROM pg_extension WHERE extname = 'citus')"
_UNDISTRIBUTED = """
    SELECT name FROM unnest($1::text[]) AS name
    WHERE name::regnamespace::oid NOT IN (SELECT schemaid FROM pg_dist_schema) ORDER BY name
"""
_DISTRIBUTE = "SELECT citus_schema_distribute($1::text::regnamespace)"
_DISTRIBUTE_FUNCTION = """
    SELECT create_distributed_function(oid::regprocedure, colocate_with => $1::text || '.game_commit')
    FROM pg_proc WHERE proname = 'pocha_append' AND pronamespace = $1::text::regnamespace
"""


async def migrate(dsn: str, buckets: int | None = None, *, move_games: bool = False) -> list[str]:
    """Bring the database at `dsn` up to date, with `buckets` buckets (None: as many as it has); return in words what was applied.

    With `move_games`, games that are in one bucket are moved into several, in one transaction. No service may run meanwhile.

    Raises:
        SchemaMismatch: see `service.adapters.postgres.migrate.migrate`; or the number of buckets was chosen before, or there are games
            and `move_games` is not set.
        StoreUnavailable: the database cannot be reached.
    """
    applied = await schema.migrate(dsn)
    async with _session(dsn) as connection:
        known = await count(connection)
        wanted = known if buckets is None else buckets
        if wanted != known:
            await _require_undivided(connection, known, wanted, move_games=move_games)
        for name in filter(None, schemas(wanted)):
            applied += [f"{script} to {name}" for script in await schema.migrate(dsn, bucket=name)]
            await connection.execute(APPEND_FUNCTION.format(schema=name))
        if wanted != known:
            await _divide(connection, wanted)
            applied.append(f"the layout of {wanted} buckets")
        return applied + await _distribute(connection, wanted)


async def check(dsn: str) -> int:
    """Return the number of buckets of the database at `dsn` when all of it has the schema that this version works with.

    Raises:
        SchemaMismatch: it has not.
        StoreUnavailable: the database cannot be reached.
    """
    await schema.check(dsn)
    async with _session(dsn) as connection:
        buckets = await count(connection)
    for name in filter(None, schemas(buckets)):
        await schema.check(dsn, bucket=name)
    return buckets


async def count(database: Asked) -> int:
    """Return the number of buckets."""
    [row] = await database.fetch(_COUNT)
    return row["buckets"]


async def _require_undivided(connection: Connection, known: int, wanted: int, *, move_games: bool) -> None:
    if known != 1:
        raise SchemaMismatch(
            f"the games are in {known} buckets; their number is chosen once, and cannot become {wanted}"
        )
    if not 1 <= wanted <= MOST_BUCKETS:
        raise SchemaMismatch(f"there can be 1 to {MOST_BUCKETS} buckets, not {wanted}")
    if not move_games and await connection.fetchval(_HAS_GAMES):
        raise SchemaMismatch(
            f"there are games: stop every service, then run `pocha migrate --buckets {wanted} --move-games` (docs/scaling.md)"
        )


async def _divide(connection: Connection, buckets: int) -> None:
    """Move every game and reservation into its bucket, and note the number of buckets."""
    try:
        await connection.execute("BEGIN")
        await connection.execute(f"LOCK TABLE {', '.join(BUCKET_TABLES)} IN ACCESS EXCLUSIVE MODE")
        for table in BUCKET_TABLES:
            bucket = BUCKET_OF.format(id=_KEYS[table], buckets=buckets)
            for number, name in enumerate(schemas(buckets)):
                await connection.execute(_MOVE.format(schema=name, table=table, bucket=bucket, number=number))
            await connection.execute(_CLOSE.format(table=table))
        await connection.execute("UPDATE bucket_layout SET buckets = $1", buckets)
        await connection.execute("COMMIT")
    except DATABASE_ERRORS as error:
        raise SchemaMismatch(f"the games cannot be moved into {buckets} buckets: {reason(error)}") from error


async def _distribute(connection: Connection, buckets: int) -> list[str]:
    """Let Citus distribute the buckets that it has not distributed yet; nothing to do on plain Postgres, or with one bucket."""
    names = list(filter(None, schemas(buckets)))
    if not names or not await connection.fetchval(_IS_CITUS):
        return []
    rows = await connection.fetch(_UNDISTRIBUTED, names)
    for row in rows:
        await connection.fetch(_DISTRIBUTE, row["name"])
        await connection.fetch(_DISTRIBUTE_FUNCTION, row["name"])
    return [f"the distribution of {row['name']}" for row in rows]


@asynccontextmanager
async def _session(dsn: str) -> AsyncGenerator[Connection]:
    connection = await connect(dsn)
    try:
        yield connection
    finally:
        await connection.close()
