"""What tests of every kind build on: a Postgres server a session, and a fresh database a test."""

import asyncio
import gc
import logging
import os
from collections.abc import AsyncGenerator, Generator
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit
from uuid import uuid4

import pytest
from coverage import Coverage
from hypothesis import HealthCheck, settings

from service.adapters.embedded_postgres import temporary_server
from service.adapters.postgres import migrate
from service.adapters.postgres.connection import connect

# Examples are the same in every run of CI, and new ones in every run by hand; how fast they come is the machine's business.
settings.register_profile(
    "pocha", deadline=None, derandomize="CI" in os.environ, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("pocha")


def pytest_configure(config: pytest.Config) -> None:
    """Stop the measuring that pytest-cov begins in a worker before its session begins another: `no_cover` would not pause it."""
    early = Coverage.current()
    if early is not None and hasattr(config, "workerinput"):
        early.stop()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Measure the coverage of the rules only by the tests that are about them: traced games take three times as long."""
    for item in items:
        folders = item.path.relative_to(_TESTS).parts
        if folders[0] not in _RULES or "robots" in folders:
            item.add_marker(pytest.mark.no_cover)


def pytest_collection_finish() -> None:
    """Leave what is imported by now out of all garbage collections, of which a fresh app for each test makes many."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


_TESTS = Path(__file__).parent
_RULES = ("domain", "application", "rest")


@pytest.fixture(autouse=True)
def unchanged_logging() -> Generator[None]:
    """Puts logging back as it was: a command configures it, and all later tests would write a line for each request."""
    handlers = logging.root.handlers[:]
    levels = {
        logger: logger.level
        for logger in (logging.root, *map(logging.getLogger, ("uvicorn.error", "httpx", "httpcore")))
    }
    yield
    logging.captureWarnings(capture=False)
    logging.root.handlers[:] = handlers
    for logger, level in levels.items():
        logger.setLevel(level)


@pytest.fixture
def silent_client() -> None:
    """Lets the client, who is not the service, say nothing."""
    for name in ("httpx", "httpcore"):
        logging.getLogger(name).setLevel(logging.ERROR)


@pytest.fixture(scope="session")
def postgres_server() -> Generator[str]:
    """The address of a running server where databases may be made: a throw-away one, or what POCHA_TEST_DATABASE_URL names."""
    given = os.environ.get("POCHA_TEST_DATABASE_URL")
    if given:
        yield given
        return
    with temporary_server() as address:
        yield address


@pytest.fixture(scope="session")
def migrated_template(postgres_server: str) -> Generator[str]:
    """The name of a database whose schema is up to date, to which nobody connects: copying it is faster than migrating."""
    databases = Databases(postgres_server, "")

    async def make() -> str:
        address = await databases.make_empty()
        await migrate.migrate(address)
        return databases.name(address)

    yield asyncio.run(make())
    asyncio.run(databases.drop_all())


class Databases:
    """Makes databases on a server, and drops them all at the end. `template` names one whose schema is up to date."""

    def __init__(self, server: str, template: str) -> None:
        self._server = server
        self._template = template
        self._names: dict[str, str] = {}

    def name(self, address: str) -> str:
        """Return the name of one of them."""
        return self._names[address]

    async def make_empty(self) -> str:
        """Return the address of a fresh database with nothing in it."""
        return await self._create("template1")

    async def make(self) -> str:
        """Return the address of a fresh database whose schema is up to date."""
        return await self._create(self._template)

    async def copy(self, address: str) -> str:
        """Return the address of a copy of one of them, to which nobody may be connected."""
        return await self._create(self._names[address])

    async def drop(self, address: str) -> None:
        """Drop one of them, whoever is connected to it."""
        await _execute(self._server, f"DROP DATABASE {self._names.pop(address)} WITH (FORCE)")

    async def drop_all(self) -> None:
        """Drop what is left of them."""
        for address in list(self._names):
            await self.drop(address)

    async def _create(self, template: str) -> str:
        name = f"test_{uuid4().hex}"
        await _execute(self._server, f"CREATE DATABASE {name} TEMPLATE {template}")
        address = urlunsplit(urlsplit(self._server)._replace(path=f"/{name}"))
        self._names[address] = name
        return address


@pytest.fixture
async def databases(postgres_server: str, migrated_template: str) -> AsyncGenerator[Databases]:
    """A maker of databases, for tests that need several."""
    databases = Databases(postgres_server, migrated_template)
    yield databases
    await databases.drop_all()


@pytest.fixture(scope="module")
def module_database_url(postgres_server: str, migrated_template: str) -> Generator[str]:
    """The address of a database whose schema is up to date, for all tests of a module that do not mind each other's games."""
    databases = Databases(postgres_server, migrated_template)
    yield asyncio.run(databases.make())
    asyncio.run(databases.drop_all())


@pytest.fixture
async def empty_database_url(databases: Databases) -> str:
    """The address of a fresh database with nothing in it."""
    return await databases.make_empty()


@pytest.fixture
async def database_url(databases: Databases) -> str:
    """The address of a fresh database whose schema is up to date."""
    return await databases.make()


async def _execute(address: str, statement: str) -> None:
    connection = await connect(address)
    try:
        await connection.execute(statement)
    finally:
        await connection.close()
