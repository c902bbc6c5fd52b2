"""Bringing a database's schema up to date.

Migrations are the numbered SQL files of `migrations/`, each applied once, in order, in a transaction of its own. The database keeps their
names and checksums in `schema_migration`; a file that was applied somewhere must never change again.

A file whose first line is `-- compatible: yes` promises that services which work without it work with it as well, as they did before. The
database keeps that too, so that services of before know it of files that they do not have. Each bucket of games has a schema of its own,
which the same files are applied to, but for those with the line `-- buckets: no`.
"""

import hashlib
import re
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from importlib import resources

import msgspec

from service.adapters.postgres import privileges, unnaming, unpacking
from service.adapters.postgres.connection import DATABASE_ERRORS, Connection, connect, reason
from service.adapters.postgres.schema_mismatch import Asked, SchemaMismatch

_TABLE = re.compile(r"^CREATE TABLE (\w+)", re.MULTILINE)
_LOCK = 0x706F636861  # "pocha": of all who migrate a database, one at a time
_COMPATIBLE = "-- compatible: yes"
_NOT_IN_BUCKETS = re.compile(r"^-- buckets: no$", re.MULTILINE)
_STATEMENT_END = re.compile(r";[ \t]*(?:--[^\n]*)?$", re.MULTILINE)
_QUOTE = "$$"
_CREATE_TABLE = """
    CREATE TABLE IF NOT EXISTS schema_migration (
        name text PRIMARY KEY, checksum text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now());
    ALTER TABLE schema_migration ADD COLUMN IF NOT EXISTS compatible boolean NOT NULL DEFAULT false;
"""
# Databases of before have no such column, until they are migrated again.
_APPLIED = """
    SELECT name, checksum, coalesce((to_jsonb(applied) ->> 'compatible')::boolean, false) AS compatible
    FROM schema_migration AS applied
"""
_IS_PREPARED = """
    SELECT FROM pg_attribute WHERE attrelid = to_regclass('schema_migration') AND attname = 'compatible'
"""
_ENCODING = "SELECT current_database() AS name, current_setting('server_encoding') AS encoding"
_RECORD = "INSERT INTO schema_migration (name, checksum, compatible) VALUES ($1, $2, $3)"


DataStep = Callable[[Connection], Awaitable[None]]
"""Moves data before a script runs, in transactions of its own. An interrupted step runs again, and must continue where it stopped."""

_DATA_STEPS: Mapping[str, DataStep] = {
    "0005_unpack_finished_games": unpacking.unpack_all,
    "0014_names_out_of_games": unnaming.move_names,
}


class Migration(msgspec.Struct, frozen=True):
    """A numbered SQL script, and the data step that runs before it. Names begin with the number, and sort as the migrations run."""

    name: str
    sql: str
    data_step: DataStep | None = None

    @property
    def checksum(self) -> str:
        """The SHA-256 of the script, in hexadecimal."""
        return hashlib.sha256(self.sql.encode()).hexdigest()

    @property
    def is_compatible(self) -> bool:
        """Tell whether services that do not know the script go on with a database that it was applied to."""
        return self.sql.partition("\n")[0].strip() == _COMPATIBLE

    @property
    def is_for_buckets(self) -> bool:
        """Tell whether the script is applied to the schemas of buckets too."""
        return not _NOT_IN_BUCKETS.search(self.sql)

    def statements(self) -> Iterator[str]:
        """Yield the script's statements one by one, as Citus wants those that change distributed tables."""
        begin = 0
        for end in _STATEMENT_END.finditer(self.sql):
            statement = self.sql[begin : end.end()]
            if statement.count(_QUOTE) % 2 == 0:
                yield statement
                begin = end.end()


class _Applied(msgspec.Struct, frozen=True):
    """What a database knows of a migration that it has had."""

    checksum: str
    is_compatible: bool


def known() -> tuple[Migration, ...]:
    """Return the migrations of this version of the service, in order."""
    files = [
        file
        for file in resources.files("service.adapters.postgres").joinpath("migrations").iterdir()
        if file.name.endswith(".sql")
    ]
    scripts = sorted(files, key=lambda file: file.name)
    return tuple(_migration(file.name.removesuffix(".sql"), file.read_text(encoding="utf-8")) for file in scripts)


def _migration(name: str, sql: str) -> Migration:
    return Migration(name, sql, _DATA_STEPS.get(name))


async def migrate(dsn: str, migrations: Sequence[Migration] | None = None, *, bucket: str | None = None) -> list[str]:
    """Apply to the database at `dsn` what it lacks and return the names of that; waits while another one migrates it.

    With `bucket`, apply it to the schema of that name, which is made if it is not there.

    Raises:
        SchemaMismatch: the database is ahead by what is not compatible, was migrated by a script that was changed since, or refuses one.
        StoreUnavailable: the database cannot be reached.
    """
    async with _session(dsn) as connection:
        await connection.execute("SELECT pg_advisory_lock($1)", _LOCK)
        if bucket is not None:
            await privileges.create_schema(connection, bucket)
            await _enter(connection, bucket)
        if not await connection.fetch(_IS_PREPARED):
            await privileges.require_schema(connection)
            await connection.execute(_CREATE_TABLE)
        missing = _missing_to(await _applied(connection), _scripts(migrations, bucket))
        if missing:
            await privileges.require_schema(connection)
        for migration in missing:
            await _apply(connection, migration)
        return [migration.name for migration in missing]


async def check(dsn: str, migrations: Sequence[Migration] | None = None, *, bucket: str | None = None) -> None:
    """Return when the schema of the database at `dsn`, or of that bucket in it, is one that this version works with.

    It may be ahead by migrations that are compatible: while a newer version is rolled out the database is migrated first, and services
    of before go on with it, and start again if they have to.

    Raises:
        SchemaMismatch: the database is behind, ahead by something else, or was migrated by a script that was changed since.
        StoreUnavailable: the database cannot be reached.
    """
    scripts = _scripts(migrations, bucket)
    async with _session(dsn) as connection:
        if bucket is not None:
            await _enter(connection, bucket)
        await check_by(connection, scripts)
        await privileges.require_tables(connection, _tables(scripts))


async def check_by(database: Asked, migrations: Sequence[Migration] | None = None) -> None:
    """Check as `check` does, by asking a database that is open already."""
    migrations, applied = known() if migrations is None else migrations, await _applied(database)
    missing = _missing(applied, migrations)
    if missing:
        names = ", ".join(migration.name for migration in missing)
        raise SchemaMismatch(f"the database is behind: it lacks {names}; run `pocha migrate`")
    _refuse_other(_unknown(applied, migrations))


def _scripts(migrations: Sequence[Migration] | None, bucket: str | None) -> Sequence[Migration]:
    scripts = known() if migrations is None else migrations
    return scripts if bucket is None else [script for script in scripts if script.is_for_buckets]


async def _enter(connection: Connection, schema: str) -> None:
    await connection.fetchval("SELECT set_config('search_path', $1, false)", schema)


@asynccontextmanager
async def _session(dsn: str) -> AsyncGenerator[Connection]:
    connection = await connect(dsn)
    try:
        await _require_encoding(connection)
        yield connection
    finally:
        await connection.close()


async def _require_encoding(database: Asked) -> None:
    """Refuse a database that cannot hold all names. One without an encoding (`SQL_ASCII`) keeps the UTF-8 that it gets."""
    [found] = await database.fetch(_ENCODING)
    if found["encoding"] not in ("UTF8", "SQL_ASCII"):
        raise SchemaMismatch(
            f"database {found['name']} has the encoding {found['encoding']}, which lacks letters that names have: make another one with "
            f"CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0"
        )


async def _applied(database: Asked) -> dict[str, _Applied]:
    """Return what was applied, by name."""
    [row] = await database.fetch("SELECT to_regclass('schema_migration') IS NULL AS empty")
    if row["empty"]:
        await privileges.require_visible(database)
        return {}
    try:
        rows = await database.fetch(_APPLIED)
    except DATABASE_ERRORS as error:
        if privileges.is_denied(error):
            await privileges.require_tables(database, ["schema_migration"])
        raise
    return {row["name"]: _Applied(row["checksum"], row["compatible"]) for row in rows}


def _tables(migrations: Sequence[Migration]) -> list[str]:
    """Return the names of the tables that scripts make."""
    return [name for migration in migrations for name in _TABLE.findall(migration.sql)]


def _missing_to(applied: Mapping[str, _Applied], migrations: Sequence[Migration]) -> list[Migration]:
    """Return what is missing to a database; one that is ahead must not lack anything."""
    missing, unknown = _missing(applied, migrations), _unknown(applied, migrations)
    if missing:
        _refuse(unknown)
    _refuse_other(unknown)
    return missing


def _unknown(applied: Mapping[str, _Applied], migrations: Sequence[Migration]) -> Mapping[str, _Applied]:
    """Return what was applied by newer versions, by name."""
    ours = {migration.name for migration in migrations}
    return {name: applied[name] for name in sorted(applied) if name not in ours}


def _refuse_other(ahead: Mapping[str, _Applied]) -> None:
    """Refuse a database that is ahead by more than what is compatible."""
    _refuse([name for name, migration in ahead.items() if not migration.is_compatible])


def _refuse(ahead: Iterable[str]) -> None:
    names = ", ".join(ahead)
    if names:
        raise SchemaMismatch(f"the database is ahead: it has {names}; run a newer version of the service")


def _missing(applied: Mapping[str, _Applied], migrations: Sequence[Migration]) -> list[Migration]:
    for migration in migrations:
        known_as = applied.get(migration.name)
        if known_as is not None and known_as.checksum != migration.checksum:
            raise SchemaMismatch(
                f"{migration.name} was changed after the database was migrated by it; restore the script"
            )
    return [migration for migration in migrations if migration.name not in applied]


async def _apply(connection: Connection, migration: Migration) -> None:
    try:
        if migration.data_step is not None:
            await migration.data_step(connection)
        await connection.execute("BEGIN")
        for statement in migration.statements():
            await connection.execute(statement)
        await connection.execute(_RECORD, migration.name, migration.checksum, migration.is_compatible)
        await connection.execute("COMMIT")
    except (*DATABASE_ERRORS, unpacking.DamagedGame) as error:
        raise SchemaMismatch(f"{migration.name} cannot be applied: {reason(error)}") from error
