"""What only the log in Postgres promises about writing and the schema."""

import asyncio
from collections.abc import AsyncGenerator
from uuid import uuid4

import pytest

from service.adapters.postgres import codec
from service.adapters.postgres.connection import Connection, connect
from service.adapters.postgres.reconnecting import ReconnectingConnection
from service.adapters.postgres.store import PostgresStore
from service.application.ports import Appended, StoreUnavailable, VersionConflict
from tests.adapters.samples import commit, listing


@pytest.fixture
async def log(database_url: str) -> AsyncGenerator[PostgresStore]:
    log = await PostgresStore.open(database_url)
    yield log
    await log.close()


@pytest.fixture
async def database(database_url: str) -> AsyncGenerator[Connection]:
    connection = await connect(database_url)
    yield connection
    await connection.close()


async def test_a_commit_that_no_column_can_hold_fails_alone_in_its_batch(log: PostgresStore) -> None:
    good = [commit(uuid4(), listing=listing()) for _ in range(20)]
    bad = [
        commit(uuid4(), listing=listing(status="a\x00b")),
        commit(uuid4(), expected=2**40),
        commit(uuid4(), listing=listing(free_seats=2**20)),
    ]
    outcomes = await asyncio.gather(*(log.append(new) for new in good + bad), return_exceptions=True)
    assert outcomes[:20] == [Appended(1)] * 20
    assert [type(outcome) for outcome in outcomes[20:]] == [ValueError] * 3
    for new in bad:
        assert list(await log.read(new.game_id)) == []
    assert await log.append(commit(bad[0].game_id)) == Appended(1)


async def test_beyond_the_bound_of_the_queue_commits_are_refused_at_once(database_url: str) -> None:
    log = await PostgresStore.open(database_url, queue_bound=5)
    outcomes = await asyncio.gather(*(log.append(commit(uuid4())) for _ in range(40)), return_exceptions=True)
    refused = [outcome for outcome in outcomes if isinstance(outcome, StoreUnavailable)]
    assert outcomes.count(Appended(1)) + len(refused) == 40
    assert outcomes.count(Appended(1)) >= 5
    assert len(refused) >= 30
    assert await log.append(commit(uuid4())) == Appended(1)
    await log.close()


async def test_two_services_on_one_database_have_one_winner_a_version(database_url: str) -> None:
    logs = [await PostgresStore.open(database_url) for _ in range(2)]
    games = [uuid4() for _ in range(20)]
    for version in range(5):
        orders = zip(logs, (games, games[::-1]), strict=True)
        appends = [log.append(commit(game, version)) for log, order in orders for game in order]
        outcomes = await asyncio.gather(*appends)
        assert outcomes.count(Appended(version + 1)) == 20
        assert outcomes.count(VersionConflict(version + 1)) == 20
    for log in logs:
        await log.close()


async def test_a_commit_in_an_unknown_format_is_not_guessed_at(log: PostgresStore, database: Connection) -> None:
    new = commit(uuid4())
    await log.append(new)
    await database.execute("UPDATE game_commit SET format = 2")
    with pytest.raises(codec.Unreadable, match="format 2"):
        await log.read(new.game_id)


async def test_writers_wait_for_the_disk_whatever_the_database_is_set_to(
    database_url: str, database: Connection
) -> None:
    name = await database.fetchval("SELECT current_database()")
    await database.execute(f"ALTER DATABASE {name} SET synchronous_commit = off")
    link = ReconnectingConnection(database_url)
    writer = await link.get()
    assert await writer.fetchval("SHOW synchronous_commit") == "on"
    assert await writer.fetchval("SHOW fsync") == "on"
    await link.close()


async def test_the_schema_has_no_sequence_foreign_key_or_trigger(database_url: str, database: Connection) -> None:
    assert database_url
    assert await database.fetchval("SELECT count(*) FROM pg_class WHERE relkind = 'S'") == 0
    assert await database.fetchval("SELECT count(*) FROM pg_constraint WHERE contype = 'f'") == 0
    assert await database.fetchval("SELECT count(*) FROM pg_trigger") == 0


async def test_every_unique_key_begins_with_the_game(log: PostgresStore, database: Connection) -> None:
    await log.check()
    rows = await database.fetch(
        """SELECT pg_get_indexdef(indexrelid, 1, true) AS first FROM pg_index
        WHERE indisunique AND indrelid IN ('game'::regclass, 'game_commit'::regclass)"""
    )
    assert [row["first"] for row in rows] == ["game_id"] * 3
