"""The databases of a process: those that the settings name, or an embedded one of its own."""

from collections.abc import AsyncGenerator, Callable, Generator, Sequence
from contextlib import asynccontextmanager, contextmanager

from service.adapters.embedded_postgres import EmbeddedPostgres
from service.adapters.embedded_postgres.running import running_server
from service.adapters.postgres import shards
from service.adapters.postgres.apps import PostgresApps
from service.bootstrap.settings import Settings

Dsns = Sequence[str]
"""The addresses of the databases, the first one first."""


@contextmanager
def open_databases(chosen: Settings, on_death: Callable[[str], None] | None = None) -> Generator[tuple[Dsns, Dsns]]:
    """Give the addresses of the databases to use, for most and for what must reach them directly.

    They are those that were named, or an embedded one of our own, whose death is told.
    """
    if chosen.addresses:
        yield chosen.addresses, chosen.direct_addresses
        return
    print("pocha: starting the embedded Postgres", flush=True)
    with EmbeddedPostgres(chosen.data_dir, chosen.pg_bin, on_death=on_death) as dsn:
        yield (dsn,), (dsn,)


@contextmanager
def open_or_find(chosen: Settings) -> Generator[Dsns]:
    """Give the addresses of the databases that were named, or of the embedded one, which a service may be using meanwhile."""
    if chosen.addresses:
        yield chosen.addresses
    elif running := running_server(chosen.data_dir):
        yield (running,)
    else:
        with EmbeddedPostgres(chosen.data_dir, chosen.pg_bin) as dsn:
            yield (dsn,)


async def ensure_schema(chosen: Settings, dsns: Dsns) -> None:
    """Return when the schemas are up to date: only the database of our own is migrated without being told to."""
    await (shards.check(dsns) if chosen.addresses else shards.migrate(dsns))


@asynccontextmanager
async def open_apps(dsn: str) -> AsyncGenerator[PostgresApps]:
    """Give the apps and their keys that the database at `dsn` keeps."""
    kept = PostgresApps(dsn)
    try:
        yield kept
    finally:
        await kept.close()
