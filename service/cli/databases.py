"""The database of a command: the configured one, or an embedded Postgres."""

from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

from service.adapters.embedded_postgres import EmbeddedPostgres, default_data_dir
from service.adapters.embedded_postgres.running import has_data, running_server
from service.adapters.postgres import address, layout
from service.adapters.postgres.apps import PostgresApps
from service.adapters.postgres.pool import Pool
from service.adapters.postgres.reconnecting import ReconnectingConnection
from service.bootstrap.settings import Settings
from service.bootstrap.side_stores import SideStores
from service.cli.process import CommandError


class NoDatabase(CommandError):
    """There is no database to work on; the message says where the command looked, and what to do."""


@contextmanager
def open_database(settings: Settings, on_death: Callable[[str], None] | None = None) -> Generator[tuple[str, str]]:
    """Yield the address of the database, and the one that bypasses a pooler.

    Without a configured database, start an embedded Postgres; `on_death` is called with a reason when its process dies.
    """
    if settings.database_url:
        yield settings.database_url, settings.direct_address
        return
    print(f"pocha: starting the embedded Postgres; games and keys are kept in {_data_dir(settings)}", flush=True)
    with EmbeddedPostgres(settings.data_dir, settings.pg_bin, on_death=on_death) as dsn:
        yield dsn, dsn


@contextmanager
def open_or_find(settings: Settings) -> Generator[str]:
    """Yield the address of the configured database, or of the embedded one, which a running service may be using.

    Raises:
        NoDatabase: none is configured, and there is no embedded one.
    """
    if settings.database_url:
        yield settings.database_url
    elif running := running_server(settings.data_dir):
        yield running
    elif not has_data(settings.data_dir):
        raise NoDatabase(
            f"there is no database in {_data_dir(settings)}: name the folder of the service with POCHA_DATA_DIR, or its database with "
            "POCHA_DATABASE_URL (only `pocha serve` and `pocha migrate` create a database)"
        )
    else:
        with EmbeddedPostgres(settings.data_dir, settings.pg_bin) as dsn:
            yield dsn


def described(settings: Settings) -> str:
    """Return a description of the database for the operator, without passwords."""
    if not settings.database_url:
        return f"the embedded database in {_data_dir(settings)}"
    return f"the database {address.parse(settings.database_url)}"


def _data_dir(settings: Settings) -> Path:
    return (settings.data_dir or default_data_dir()).absolute()


async def migrate_or_check(settings: Settings, dsn: str) -> None:
    """Migrate the embedded database; check the schema of a configured one, which only `pocha migrate` changes.

    Raises:
        SchemaMismatch: the schema is not, or cannot be brought, up to date.
        StoreUnavailable: the database cannot be reached.
    """
    await (layout.check(dsn) if settings.database_url else layout.migrate(dsn))


@asynccontextmanager
async def open_apps(dsn: str) -> AsyncGenerator[PostgresApps]:
    """Yield the store of apps and their keys in the database at `dsn`."""
    apps = PostgresApps(dsn)
    try:
        yield apps
    finally:
        await apps.close()


@asynccontextmanager
async def open_side_stores(dsn: str) -> AsyncGenerator[SideStores]:
    """Yield the stores beside that of the games, in the database at `dsn`."""
    pool = Pool([ReconnectingConnection(dsn)])
    try:
        yield SideStores.over(pool)
    finally:
        await pool.close()
