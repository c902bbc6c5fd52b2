"""What tests of every kind build on: a Postgres server a session, and a fresh database a test."""

import os
from collections.abc import AsyncGenerator, Generator
from urllib.parse import urlsplit, urlunsplit
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, settings

from service.store import migrate
from service.store.connection import connect
from service.store.embedded import temporary_server

# Examples are the same in every run of CI, and new ones in every run by hand; how fast they come is the machine's business.
settings.register_profile(
    "pocha", deadline=None, derandomize="CI" in os.environ, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("pocha")


@pytest.fixture(scope="session")
def postgres_server() -> Generator[str]:
    """The address of a running server where databases may be made: a throw-away one, or what POCHA_TEST_DATABASE_URL names."""
    given = os.environ.get("POCHA_TEST_DATABASE_URL")
    if given:
        yield given
        return
    with temporary_server() as address:
        yield address


@pytest.fixture
async def empty_database_url(postgres_server: str) -> AsyncGenerator[str]:
    """The address of a fresh database with nothing in it."""
    name = f"test_{uuid4().hex}"
    await _execute(postgres_server, f"CREATE DATABASE {name}")
    yield urlunsplit(urlsplit(postgres_server)._replace(path=f"/{name}"))
    await _execute(postgres_server, f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
async def database_url(empty_database_url: str) -> str:
    """The address of a fresh database whose schema is up to date."""
    await migrate.migrate(empty_database_url)
    return empty_database_url


async def _execute(address: str, statement: str) -> None:
    connection = await connect(address)
    try:
        await connection.execute(statement)
    finally:
        await connection.close()
