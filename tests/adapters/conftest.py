import asyncio
import os
import shutil
import tempfile
from collections.abc import AsyncGenerator, Generator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from service.adapters.embedded_postgres import EmbeddedPostgres
from service.adapters.postgres import migrate
from service.adapters.postgres.connection import Connection, connect
from service.adapters.postgres.migrate import Migration
from service.adapters.postgres.store import PostgresStore
from tests.conftest import Databases

pytest.register_assert_rewrite(
    "tests.adapters.apps_contract",
    "tests.adapters.deadline_queue_contract",
    "tests.adapters.event_store_contract",
    "tests.adapters.join_codes_contract",
    "tests.adapters.listings_contract",
    "tests.adapters.matches_contract",
    "tests.adapters.reservations_contract",
    "tests.adapters.chosen_names_contract",
    "tests.adapters.score_keepers_contract",
    "tests.adapters.store_contract",
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
def three_dsns(postgres_server: str, migrated_template: str) -> Generator[list[str]]:
    """Three databases, for many tests: to make some for each takes longer than the tests themselves."""
    databases = Databases(postgres_server, migrated_template)
    yield [asyncio.run(databases.make()) for _ in range(3)]
    asyncio.run(databases.drop_all())


@pytest.fixture
async def emptied_dsns(three_dsns: list[str]) -> list[str]:
    """Three databases with no game in them."""
    for dsn in three_dsns:
        connection = await connect(dsn)
        await connection.execute(
            "DELETE FROM game_commit; DELETE FROM game; DELETE FROM reservation; DELETE FROM player"
        )
        await connection.close()
    return three_dsns


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
