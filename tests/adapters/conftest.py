import asyncio
import os
import shutil
import tempfile
from collections.abc import AsyncGenerator, Generator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from service.adapters.embedded_postgres import EmbeddedPostgres
from service.adapters.postgres import layout, migrate
from service.adapters.postgres.buckets import BUCKET_TABLES, schemas
from service.adapters.postgres.connection import Connection, connect
from service.adapters.postgres.migrate import Migration
from service.adapters.postgres.store import PostgresStore
from tests.conftest import Databases

pytest.register_assert_rewrite(
    "tests.adapters.apps_contract",
    "tests.adapters.deadline_queue_contract",
    "tests.adapters.event_store_contract",
    "tests.adapters.hook_positions_contract",
    "tests.adapters.join_codes_contract",
    "tests.adapters.listings_contract",
    "tests.adapters.matches_contract",
    "tests.adapters.reservations_contract",
    "tests.adapters.profiles_contract",
    "tests.adapters.score_keepers_contract",
    "tests.adapters.store_contract",
    "tests.adapters.webhooks_contract",
)


@pytest.fixture
def folder() -> Generator[Path]:
    """A short folder that every user may enter; pytest's own ones are closed to the user that root's servers run as."""
    with open_folder() as path:
        yield path


@pytest.fixture(scope="session")
def settled() -> Generator[Path]:
    """The data folder of an embedded server that was set up and stopped: to set one up takes a second."""
    with open_folder() as path:
        with EmbeddedPostgres(path):
            pass
        yield path


@pytest.fixture(scope="session")
def one_for_many(postgres_server: str, migrated_template: str) -> Generator[str]:
    """A database for many tests: to make one for each takes longer than the tests themselves."""
    databases = Databases(postgres_server, migrated_template)
    yield asyncio.run(databases.make())
    asyncio.run(databases.drop_all())


@pytest.fixture
async def emptied_database_url(one_for_many: str) -> str:
    """The address of a database with no game in it."""
    connection = await connect(one_for_many)
    await connection.execute(";".join(f"DELETE FROM {table}" for table in (*BUCKET_TABLES, "player")))  # noqa: S608 - ours
    await connection.close()
    return one_for_many


@pytest.fixture(scope="session")
def eight_buckets_of_all(postgres_server: str, migrated_template: str) -> Generator[str]:
    """A database with eight buckets, for many tests; a Citus cluster, if POCHA_TEST_CITUS_URL names one (`make test-citus`)."""
    if citus := os.environ.get("POCHA_TEST_CITUS_URL"):
        asyncio.run(layout.migrate(citus, 8))
        yield citus
        return
    databases = Databases(postgres_server, migrated_template)
    dsn = asyncio.run(databases.make())
    asyncio.run(layout.migrate(dsn, 8))
    yield dsn
    asyncio.run(databases.drop_all())


@pytest.fixture
async def eight_buckets(eight_buckets_of_all: str) -> str:
    """The address of a database with eight buckets and no game in them."""
    connection = await connect(eight_buckets_of_all)
    await connection.execute(";".join(f"DELETE FROM {name}.{table}" for name in schemas(8) for table in BUCKET_TABLES))  # noqa: S608 - ours
    await connection.close()
    return eight_buckets_of_all


@contextmanager
def open_folder() -> Generator[Path]:
    path = Path(tempfile.mkdtemp(prefix="pocha-test-"))
    path.chmod(0o755)
    yield path
    shutil.rmtree(path, ignore_errors=True)


as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root drops to another user")


@pytest.fixture
async def database(empty_database_url: str, before: Sequence[Migration]) -> AsyncGenerator[Connection]:
    """A session with a database that only the migrations `before` were applied to; which those are, the tests of a migration say."""
    await migrate.migrate(empty_database_url, before)
    connection = await connect(empty_database_url)
    yield connection
    await connection.close()


@pytest.fixture
async def store(database: Connection, empty_database_url: str) -> AsyncGenerator[PostgresStore]:
    """Of the new version; works once the database is migrated."""
    assert not database.is_closed()
    store = await PostgresStore.open(empty_database_url)
    yield store
    await store.close()
