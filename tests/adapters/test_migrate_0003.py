"""Migration 0003 on a database that services of before have written to, and go on writing to while the new ones start."""

from collections.abc import Sequence
from uuid import UUID, uuid4

import pytest

from service.adapters.postgres import migrate
from service.adapters.postgres.connection import Connection
from service.adapters.postgres.migrate import Migration
from service.adapters.postgres.store import PostgresStore
from service.application.ports import Appended, ListingQuery
from tests.adapters.samples import WHEN, commit, listing

# As the services of before wrote it.
WRITE_GAME = """
    INSERT INTO game (game_id, version, created_at, status, visibility, ruleset_id, players, free_seats, seats, persons)
    VALUES ($1, $2, $3, 'waiting', 'public', 'clasica', 4, 1, '{}', '{ana}')
    ON CONFLICT (game_id) DO UPDATE SET version = excluded.version, status = excluded.status, persons = excluded.persons
"""


@pytest.fixture
def before() -> Sequence[Migration]:
    """The migrations that the services of before know."""
    return migrate.known()[:2]


async def listed(store: PostgresStore, tenant: str) -> list[tuple[UUID, int]]:
    rows = await store.listed(ListingQuery(tenant=tenant, visibility="public", limit=9))
    return [(row.game_id, row.version) for row in rows]


async def test_games_of_before_are_the_open_services(
    database: Connection, store: PostgresStore, empty_database_url: str
) -> None:
    await database.execute(WRITE_GAME, game := uuid4(), 1, WHEN)
    await migrate.migrate(empty_database_url)
    assert await listed(store, "") == [(game, 1)]
    assert list(await store.seated("ana", 9)) == [game]
    assert await listed(store, "app:shop") == []


async def test_a_service_of_before_takes_no_game_from_its_tenant(
    database: Connection, store: PostgresStore, empty_database_url: str
) -> None:
    await migrate.migrate(empty_database_url)
    game = uuid4()
    assert await store.append(commit(game, listing=listing(tenant="app:shop"))) == Appended(1)
    await database.execute(WRITE_GAME, game, 2, WHEN)
    assert await listed(store, "app:shop") == [(game, 2)]
    assert await listed(store, "") == []
