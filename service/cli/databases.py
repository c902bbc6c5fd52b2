"""The databases of a process: those that the settings name, or an embedded one of its own."""

from collections.abc import AsyncGenerator, Callable, Generator, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

from service.adapters.embedded_postgres import EmbeddedPostgres, default_data_dir
from service.adapters.embedded_postgres.running import has_data, running_server
from service.adapters.postgres import address, shards
from service.adapters.postgres.apps import PostgresApps
from service.bootstrap.settings import Settings

Dsns = Sequence[str]
"""The addresses of the databases, the first one first."""


class NoDatabase(Exception):
    """There is no database to work on; the message says where it was looked for, and what to do."""


@contextmanager
def open_databases(chosen: Settings, on_death: Callable[[str], None] | None = None) -> Generator[tuple[Dsns, Dsns]]:
    """Give the addresses of the databases to use, for most and for what must reach them directly.

    They are those that were named, or an embedded one of our own, whose death is told.
    """
    if chosen.addresses:
        yield chosen.addresses, chosen.direct_addresses
        return
    print(f"pocha: starting the embedded Postgres; games and keys are kept in {_data_dir(chosen)}", flush=True)
    with EmbeddedPostgres(chosen.data_dir, chosen.pg_bin, on_death=on_death) as dsn:
        yield (dsn,), (dsn,)


@contextmanager
def open_or_find(chosen: Settings) -> Generator[Dsns]:
    """Give the addresses of the databases that were named, or of the embedded one, which a service may be using meanwhile.

    Raises:
        NoDatabase: none was named, and there is no embedded one.
    """
    if chosen.addresses:
        yield chosen.addresses
    elif running := running_server(chosen.data_dir):
        yield (running,)
    elif not has_data(chosen.data_dir):
        raise NoDatabase(
            f"there is no database in {_data_dir(chosen)}: name the folder of the service with POCHA_DATA_DIR, or its database with "
            "POCHA_DATABASE_URL (a new database is made by `pocha serve` and `pocha migrate` alone)"
        )
    else:
        with EmbeddedPostgres(chosen.data_dir, chosen.pg_bin) as dsn:
            yield (dsn,)


def described(chosen: Settings) -> str:
    """Return in words which databases the settings lead to, without passwords."""
    if not chosen.addresses:
        return f"the embedded database in {_data_dir(chosen)}"
    return ", ".join(f"the database {address.parse(each)}" for each in chosen.addresses)


def _data_dir(chosen: Settings) -> Path:
    return (chosen.data_dir or default_data_dir()).absolute()


async def migrate_or_check(chosen: Settings, dsns: Dsns) -> None:
    """Return when the schemas are up to date; the embedded database is migrated for that, others only by `pocha migrate`.

    Raises:
        SchemaMismatch: a schema is not, or cannot be brought, up to date.
        StoreUnavailable: a database cannot be reached.
    """
    await (shards.check(dsns) if chosen.addresses else shards.migrate(dsns))


@asynccontextmanager
async def open_apps(dsn: str) -> AsyncGenerator[PostgresApps]:
    """Give the apps and their keys that the database at `dsn` keeps."""
    kept = PostgresApps(dsn)
    try:
        yield kept
    finally:
        await kept.close()
