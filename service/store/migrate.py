"""Bringing a database's schema up to date.

Migrations are the numbered SQL files of `migrations/`, each applied once, in order, in a transaction of its own. The database keeps their
names and checksums in `schema_migration`; a file that was applied somewhere must never change again.
"""

import hashlib
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from importlib import resources

import msgspec

from service.store.connection import DATABASE_ERRORS, Connection, connect, reason

_LOCK = 0x706F636861  # "pocha": of all who migrate a database, one at a time
_CREATE_TABLE = """
    CREATE TABLE IF NOT EXISTS schema_migration (
        name text PRIMARY KEY, checksum text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())
"""


class SchemaMismatch(Exception):
    """The database's schema is not the one that this version of the service works with; the message says what to do."""


class Migration(msgspec.Struct, frozen=True):
    """A numbered SQL script. Its name begins with its number, so that names sort as the migrations run."""

    name: str
    sql: str

    @property
    def checksum(self) -> str:
        """The SHA-256 of the script, in hexadecimal."""
        return hashlib.sha256(self.sql.encode()).hexdigest()


def known() -> tuple[Migration, ...]:
    """Return the migrations of this version of the service, in order."""
    files = [
        file for file in resources.files("service.store").joinpath("migrations").iterdir() if file.name.endswith(".sql")
    ]
    scripts = sorted(files, key=lambda file: file.name)
    return tuple(Migration(file.name.removesuffix(".sql"), file.read_text(encoding="utf-8")) for file in scripts)


async def migrate(dsn: str, migrations: Sequence[Migration] | None = None) -> list[str]:
    """Apply to the database at `dsn` what it lacks and return the names of that; waits while another one migrates it.

    Raises:
        SchemaMismatch: the database is ahead, was migrated by a script that was changed since, or refuses a script.
        LogUnavailable: the database cannot be reached.
    """
    async with _session(dsn) as connection:
        await connection.execute("SELECT pg_advisory_lock($1)", _LOCK)
        await connection.execute(_CREATE_TABLE)
        missing = _missing(await _applied(connection), known() if migrations is None else migrations)
        for migration in missing:
            await _apply(connection, migration)
        return [migration.name for migration in missing]


async def check(dsn: str, migrations: Sequence[Migration] | None = None) -> None:
    """Return when the schema of the database at `dsn` is the one that this version works with.

    Raises:
        SchemaMismatch: the database is behind or ahead, or was migrated by a script that was changed since.
        LogUnavailable: the database cannot be reached.
    """
    async with _session(dsn) as connection:
        missing = _missing(await _applied(connection), known() if migrations is None else migrations)
    if missing:
        names = ", ".join(migration.name for migration in missing)
        raise SchemaMismatch(f"the database is behind: it lacks {names}; run `pocha migrate`")


@asynccontextmanager
async def _session(dsn: str) -> AsyncGenerator[Connection]:
    connection = await connect(dsn)
    try:
        yield connection
    finally:
        await connection.close()


async def _applied(connection: Connection) -> dict[str, str]:
    """Return the checksums of what was applied, by name."""
    if await connection.fetchval("SELECT to_regclass('schema_migration')") is None:
        return {}
    rows = await connection.fetch("SELECT name, checksum FROM schema_migration")
    return {row["name"]: row["checksum"] for row in rows}


def _missing(applied: dict[str, str], migrations: Sequence[Migration]) -> list[Migration]:
    unknown = sorted(applied.keys() - {migration.name for migration in migrations})
    if unknown:
        raise SchemaMismatch(f"the database is ahead: it has {', '.join(unknown)}; run a newer version of the service")
    for migration in migrations:
        if applied.get(migration.name, migration.checksum) != migration.checksum:
            raise SchemaMismatch(
                f"{migration.name} was changed after the database was migrated by it; restore the script"
            )
    return [migration for migration in migrations if migration.name not in applied]


async def _apply(connection: Connection, migration: Migration) -> None:
    record = "INSERT INTO schema_migration (name, checksum) VALUES ($1, $2)"
    try:
        await connection.execute("BEGIN")
        await connection.execute(migration.sql)
        await connection.execute(record, migration.name, migration.checksum)
        await connection.execute("COMMIT")
    except DATABASE_ERRORS as error:
        raise SchemaMismatch(f"{migration.name} cannot be applied: {reason(error)}") from error
