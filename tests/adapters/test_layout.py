"""The layout of a database: the number of its buckets is chosen once, and games that are there move into them."""

from uuid import UUID, uuid4

import pytest

from service.adapters.postgres import layout, migrate, privileges
from service.adapters.postgres.buckets import bucket_of, schemas
from service.adapters.postgres.connection import connect
from service.adapters.postgres.migrate import SchemaMismatch
from service.adapters.postgres.store import PostgresStore, open_store
from service.application.ids import new_game_id
from service.application.ports import Commit, StoreUnavailable
from tests.adapters.listings_contract import all_listed
from tests.adapters.samples import commit, listing
from tests.conftest import Databases


async def filled(dsn: str) -> tuple[dict[UUID, list[Commit]], dict[UUID, UUID]]:
    """Write games and reservations into the one bucket of a database; return them."""
    store = await PostgresStore.open(dsn)
    games = [new_game_id() for _ in range(40)]
    reserved = {uuid4(): game for game in games}
    for number, game in enumerate(games):
        await store.append(commit(game, listing=listing(status="finished" if number % 2 else "playing")))
        await store.append(commit(game, 1))
    for key, game in reserved.items():
        await store.reserve(key, game)
    known = {game: list(await store.read(game)) for game in games}
    await store.close()
    return known, reserved


async def test_a_new_database_has_one_bucket(empty_database_url: str) -> None:
    assert "0001_commits_and_games" in await layout.migrate(empty_database_url)
    assert await layout.check(empty_database_url) == 1
    assert await layout.migrate(empty_database_url) == []


async def test_each_bucket_has_a_schema_that_migrations_keep_up_to_date(empty_database_url: str) -> None:
    applied = await layout.migrate(empty_database_url, 3)
    assert applied[-1] == "the layout of 3 buckets"
    assert "0001_commits_and_games to pocha_2" in applied
    assert await layout.check(empty_database_url) == 3
    assert await layout.migrate(empty_database_url) == await layout.migrate(empty_database_url, 3) == []
    connection = await connect(empty_database_url)
    await connection.execute("DELETE FROM pocha_1.schema_migration WHERE name LIKE '0005%'")
    await connection.close()
    with pytest.raises(SchemaMismatch, match="lacks 0005"):
        await layout.check(empty_database_url)


async def test_games_that_are_there_move_into_their_buckets(database_url: str) -> None:
    known, reserved = await filled(database_url)
    with pytest.raises(SchemaMismatch, match="`pocha migrate --buckets 4 --move-games`"):
        await layout.migrate(database_url, 4)
    await layout.migrate(database_url, 4, move_games=True)
    store = await open_store(database_url)
    assert {game: list(await store.read(game)) for game in known} == known
    assert [row.game_id for row in await all_listed(store)] == sorted(known, reverse=True)
    assert {key: await store.reserve(key, uuid4()) for key in reserved} == reserved
    await store.close()
    connection = await connect(database_url)
    for number, name in enumerate(schemas(4)):
        rows = await connection.fetch(f"SELECT game_id FROM {name}.game")  # noqa: S608 - ours
        assert {row["game_id"] for row in rows} == {game for game in known if bucket_of(game, 4) == number}
    assert await connection.fetchval("SELECT count(*) FROM public.game_commit") == 0
    await connection.close()


async def test_a_move_that_fails_moves_nothing_and_can_be_tried_again(database_url: str) -> None:
    known, _ = await filled(database_url)
    for name in ("pocha_0", "pocha_1"):
        await migrate.migrate(database_url, bucket=name)
    connection = await connect(database_url)
    await connection.execute("ALTER TABLE pocha_1.reservation ADD CONSTRAINT nothing CHECK (false)")
    with pytest.raises(SchemaMismatch, match="cannot be moved into 2 buckets"):
        await layout.migrate(database_url, 2, move_games=True)
    assert await layout.check(database_url) == 1
    await connection.execute("ALTER TABLE pocha_1.reservation DROP CONSTRAINT nothing")
    await connection.close()
    await layout.migrate(database_url, 2, move_games=True)
    store = await open_store(database_url)
    assert {game: list(await store.read(game)) for game in known} == known
    await store.close()


async def test_a_service_that_was_not_stopped_writes_nothing_where_no_game_is_looked_for(database_url: str) -> None:
    await filled(database_url)
    before = await PostgresStore.open(database_url)
    await layout.migrate(database_url, 2, move_games=True)
    with pytest.raises((ValueError, StoreUnavailable)):
        await before.append(commit(new_game_id(), listing=listing()))
    await before.close()


@pytest.mark.parametrize(
    ("first", "then", "why"), [(4, 8, "chosen once"), (4, 1, "chosen once"), (1, 257, "1 to 256"), (1, 0, "1 to 256")]
)
async def test_another_number_is_refused(database_url: str, first: int, then: int, why: str) -> None:
    await layout.migrate(database_url, first)
    with pytest.raises(SchemaMismatch, match=why):
        await layout.migrate(database_url, then)
    assert await layout.check(database_url) == first


async def test_one_of_several_databases_of_before_is_refused(empty_database_url: str) -> None:
    until_then = [migration for migration in migrate.known() if migration.name < "0009"]
    await migrate.migrate(empty_database_url, until_then)
    connection = await connect(empty_database_url)
    await connection.execute("INSERT INTO shard (place, databases) VALUES (1, 3)")
    with pytest.raises(SchemaMismatch, match="one of several that share the games"):
        await layout.migrate(empty_database_url)
    await connection.execute("DELETE FROM shard")
    await connection.close()
    await layout.migrate(empty_database_url)
    assert await layout.check(empty_database_url) == 1


async def test_who_may_not_make_schemas_is_told_the_grant(databases: Databases) -> None:
    dsn = await databases.make()
    connection = await connect(dsn)
    name = f"role_{uuid4().hex}"
    database = await connection.fetchval("SELECT current_database()")
    await connection.execute(f"CREATE ROLE {name} LOGIN; GRANT ALL ON SCHEMA public TO {name}")
    await connection.execute(f"GRANT {name} TO current_user; GRANT ALL ON ALL TABLES IN SCHEMA public TO {name}")
    await connection.execute(f"SET ROLE {name}")
    with pytest.raises(SchemaMismatch, match=f"GRANT CREATE ON DATABASE {database} TO {name}"):
        await privileges.create_schema(connection, "pocha_0")
    await connection.execute(f"RESET ROLE; DROP OWNED BY {name}; DROP ROLE {name}")
    await connection.close()
