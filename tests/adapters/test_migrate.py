import asyncio
from urllib.parse import urlsplit, urlunsplit
from uuid import uuid4

import pytest

from service.adapters.postgres import migrate
from service.adapters.postgres.connection import connect
from service.adapters.postgres.migrate import Migration, SchemaMismatch
from service.application.ports import StoreUnavailable

ONE = Migration("0001_one", "CREATE TABLE one (n integer); CREATE INDEX one_n ON one (n);")
TWO = Migration("0002_two", "CREATE TABLE two (n integer);")
COMPATIBLE = Migration("0003_compatible", "-- compatible: yes\nCREATE TABLE four (n integer);")
BROKEN = Migration("0003_broken", "CREATE TABLE three (n integer); SELECT nonsense;")


async def test_a_fresh_database_gets_every_migration_once(empty_database_url: str) -> None:
    names = [migration.name for migration in migrate.known()]
    assert names[0] == "0001_commits_and_games"
    assert await migrate.migrate(empty_database_url) == names
    assert await migrate.migrate(empty_database_url) == []
    await migrate.check(empty_database_url)


@pytest.mark.parametrize(("encoding", "is_refused"), [("LATIN1", True), ("EUC_JP", True), ("SQL_ASCII", False)])
async def test_a_database_that_cannot_hold_all_names_is_refused(
    empty_database_url: str, encoding: str, is_refused: bool
) -> None:
    """Kind: a database that takes the schema and fails later, whatever the service sends."""
    name = f"other_{uuid4().hex}"
    owner = await connect(empty_database_url)
    await owner.execute(f"CREATE DATABASE {name} ENCODING '{encoding}' LOCALE 'C' TEMPLATE template0")
    url = urlunsplit(urlsplit(empty_database_url)._replace(path=f"/{name}"))
    try:
        for refused in (migrate.migrate, migrate.check) if is_refused else ():
            with pytest.raises(
                SchemaMismatch, match=f"database {name} has the encoding {encoding}, .* ENCODING 'UTF8'"
            ):
                await refused(url, [ONE])
        if not is_refused:
            assert await migrate.migrate(url, [ONE]) == ["0001_one"]
    finally:
        await owner.execute(f"DROP DATABASE {name} WITH (FORCE)")
        await owner.close()


async def test_the_numbers_of_the_migrations_have_no_holes() -> None:
    assert [int(migration.name[:4]) for migration in migrate.known()] == list(range(1, len(migrate.known()) + 1))


async def test_of_those_who_migrate_at_once_one_does_and_the_others_wait(empty_database_url: str) -> None:
    applied = await asyncio.gather(*(migrate.migrate(empty_database_url, [ONE, TWO]) for _ in range(6)))
    assert sorted(applied) == [[]] * 5 + [["0001_one", "0002_two"]]


async def test_a_database_that_is_behind_is_told_apart(empty_database_url: str) -> None:
    with pytest.raises(SchemaMismatch, match="behind: it lacks 0001_one, 0002_two; run `pocha migrate`"):
        await migrate.check(empty_database_url, [ONE, TWO])
    await migrate.migrate(empty_database_url, [ONE])
    with pytest.raises(SchemaMismatch, match="behind: it lacks 0002_two;"):
        await migrate.check(empty_database_url, [ONE, TWO])


async def test_a_database_that_is_ahead_by_what_is_compatible_serves_services_of_before(
    empty_database_url: str,
) -> None:
    await migrate.migrate(empty_database_url, [ONE, COMPATIBLE])
    await migrate.check(empty_database_url, [ONE])
    assert await migrate.migrate(empty_database_url, [ONE]) == []


async def test_a_database_that_is_ahead_by_anything_else_is_refused(empty_database_url: str) -> None:
    await migrate.migrate(empty_database_url, [ONE, TWO, COMPATIBLE])
    for refused in (migrate.check, migrate.migrate):
        with pytest.raises(SchemaMismatch, match="ahead: it has 0002_two; run a newer version"):
            await refused(empty_database_url, [ONE])


async def test_a_database_that_is_ahead_is_not_migrated_by_a_service_of_before(empty_database_url: str) -> None:
    await migrate.migrate(empty_database_url, [ONE, COMPATIBLE])
    with pytest.raises(SchemaMismatch, match="ahead: it has 0003_compatible;"):
        await migrate.migrate(empty_database_url, [ONE, TWO])


async def test_a_database_of_before_learns_what_is_compatible_when_it_is_migrated(empty_database_url: str) -> None:
    connection = await connect(empty_database_url)
    await connection.execute(
        "CREATE TABLE schema_migration (name text PRIMARY KEY, checksum text NOT NULL, applied_at timestamptz DEFAULT now())"
    )
    await connection.execute("INSERT INTO schema_migration VALUES ($1, $2)", ONE.name, ONE.checksum)
    await connection.close()
    await migrate.check(empty_database_url, [ONE])
    with pytest.raises(SchemaMismatch, match="ahead: it has 0001_one;"):
        await migrate.check(empty_database_url, [])
    assert await migrate.migrate(empty_database_url, [ONE, COMPATIBLE]) == [COMPATIBLE.name]
    await migrate.check(empty_database_url, [ONE])


async def test_every_migration_since_the_third_says_in_its_first_line_whether_it_is_compatible() -> None:
    for migration in migrate.known()[2:]:
        assert migration.sql.startswith(("-- compatible: yes\n", "-- compatible: no\n")), migration.name


async def test_a_script_that_was_changed_after_it_ran_is_refused(empty_database_url: str) -> None:
    await migrate.migrate(empty_database_url, [ONE])
    changed = Migration(ONE.name, ONE.sql + " ")
    for refused in (migrate.check, migrate.migrate):
        with pytest.raises(SchemaMismatch, match="0001_one was changed"):
            await refused(empty_database_url, [changed, TWO])


async def test_a_script_that_fails_leaves_nothing_and_is_named(empty_database_url: str) -> None:
    with pytest.raises(SchemaMismatch, match='0003_broken cannot be applied: column "nonsense" does not exist'):
        await migrate.migrate(empty_database_url, [ONE, TWO, BROKEN])
    await migrate.check(empty_database_url, [ONE, TWO])
    connection = await connect(empty_database_url)
    assert await connection.fetchval("SELECT to_regclass('three')") is None
    await connection.close()


async def test_a_database_that_is_not_there_is_unavailable(empty_database_url: str) -> None:
    with pytest.raises(StoreUnavailable, match=r'database ".*_not_there" does not exist'):
        await migrate.check(empty_database_url.replace("?", "_not_there?", 1))
