"""Kind: a role that may not do what a command needs is told so, with the grant that helps; the documented grants are enough."""

import re
from collections.abc import AsyncGenerator
from pathlib import Path
from uuid import uuid4

import pytest

from service.adapters.postgres import migrate
from service.adapters.postgres.connection import Connection, connect
from service.adapters.postgres.migrate import Migration
from service.adapters.postgres.privileges import MissingPrivilege
from service.application.ports import StoreUnavailable

PAGE = Path(__file__).parents[2] / "docs" / "operations.md"
ONE = Migration("0001_one", "CREATE TABLE one (n integer);")
TWO = Migration("0002_two", "CREATE TABLE two (n integer);")


class World:
    """A fresh database with its owner's session, and roles of its own."""

    def __init__(self, url: str, owner: Connection) -> None:
        self.url = url
        self.owner = owner
        self.roles: list[str] = []

    async def role(self) -> tuple[str, str]:
        """Make a role, and return its name and the address under which sessions are that role's."""
        name = f"role_{uuid4().hex[:12]}"
        await self.owner.execute(f"CREATE ROLE {name}")
        self.roles.append(name)
        return name, f"{self.url}&options=-c%20role%3D{name}"

    async def run(self, sql: str) -> None:
        """Run a script as the owner of the database."""
        await self.owner.execute(sql)


@pytest.fixture
async def world(empty_database_url: str) -> AsyncGenerator[World]:
    owner = await connect(empty_database_url)
    world = World(empty_database_url, owner)
    yield world
    for name in world.roles:
        await owner.execute(f"DROP OWNED BY {name} CASCADE")
        await owner.execute(f"DROP ROLE {name}")
    await owner.close()


async def games_by(url: str) -> int:
    """Read and write the tables as the service does, and return how many apps there are."""
    connection = await connect(url)
    try:
        await connection.execute("INSERT INTO app (name, created_at) VALUES ('shop', now())")
        await connection.execute("UPDATE app SET created_at = now()")
        await connection.execute("DELETE FROM app")
        return await connection.fetchval("SELECT count(*) FROM app")
    finally:
        await connection.close()


async def test_without_create_on_the_schema_migrate_names_the_role_the_schema_and_the_grant(world: World) -> None:
    name, url = await world.role()
    await world.run("REVOKE CREATE ON SCHEMA public FROM PUBLIC")
    with pytest.raises(
        MissingPrivilege, match=rf"role {name} .* schema public .*: GRANT CREATE ON SCHEMA public TO {name}"
    ):
        await migrate.migrate(url, [ONE])
    await world.run(f"GRANT CREATE ON SCHEMA public TO {name}")
    assert await migrate.migrate(url, [ONE]) == ["0001_one"]


async def test_without_usage_of_any_schema_migrate_says_that_there_is_none(world: World) -> None:
    name, url = await world.role()
    await world.run("REVOKE ALL ON SCHEMA public FROM PUBLIC")
    with pytest.raises(MissingPrivilege, match=f"role {name} has no schema to make tables in"):
        await migrate.migrate(url, [ONE])


async def test_migrate_as_another_role_than_the_tables_owner_names_the_owner(world: World) -> None:
    owner, as_owner = await world.role()
    other, as_other = await world.role()
    await world.run(f"GRANT CREATE ON SCHEMA public TO {owner}, {other}")
    await migrate.migrate(as_owner, [ONE])
    await world.run(f"GRANT SELECT ON schema_migration TO {other}")
    assert await migrate.migrate(as_other, [ONE]) == []
    with pytest.raises(MissingPrivilege, match=f"belong to role {owner}: run `pocha migrate` as {owner}"):
        await migrate.migrate(as_other, [ONE, TWO])
    await world.run(f"GRANT {owner} TO {other}")
    assert await migrate.migrate(as_other, [ONE, TWO]) == ["0002_two"]


async def test_who_serves_without_a_grant_is_told_which_tables_are_closed(world: World) -> None:
    name, url = await world.role()
    await migrate.migrate(world.url)
    with pytest.raises(MissingPrivilege, match=f"role {name} may not read and write schema_migration: GRANT"):
        await migrate.check(url)
    await world.run(f"GRANT SELECT ON ALL TABLES IN SCHEMA public TO {name}")
    with pytest.raises(MissingPrivilege, match=f"role {name} may not read and write game_commit, game,.*TO {name}"):
        await migrate.check(url)


@pytest.mark.parametrize("missing", ["INSERT", "UPDATE", "DELETE"])
async def test_a_single_privilege_that_is_missing_at_a_single_table_is_found(world: World, missing: str) -> None:
    name, url = await world.role()
    await migrate.migrate(world.url)
    await world.run(f"GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO {name}")
    await migrate.check(url)
    await world.run(f"REVOKE {missing} ON app_key FROM {name}")
    with pytest.raises(MissingPrivilege, match="may not read and write app_key:"):
        await migrate.check(url)


async def test_tables_in_a_schema_that_the_role_does_not_see_are_no_empty_database(world: World) -> None:
    name, url = await world.role()
    await world.run("CREATE SCHEMA cards")
    await migrate.migrate(f"{world.url}&options=-c%20search_path%3Dcards", [ONE])
    with pytest.raises(
        MissingPrivilege, match=f"role {name} does not see .* schema cards: GRANT USAGE ON SCHEMA cards TO {name}"
    ):
        await migrate.check(url, [ONE])


async def test_the_documented_grants_are_enough_to_migrate_and_to_serve(world: World) -> None:
    """The script of docs/operations.md, for a role that migrates and another that serves."""
    owner, as_owner = await world.role()
    service, as_service = await world.role()
    [script] = re.findall(
        r"<!-- run by tests/adapters/test_roles.py -->\n```sql\n(.*?)```", PAGE.read_text(), re.DOTALL
    )
    [database] = [await world.owner.fetchval("SELECT current_database()")]
    for placeholder, name in (
        ("pocha_owner", owner),
        ("pocha_service", service),
        ("DATABASE pocha", f"DATABASE {database}"),
    ):
        script = script.replace(placeholder, name)
    statements = [line for line in script.splitlines() if "CREATE ROLE" not in line and "CREATE DATABASE" not in line]
    await world.run("\n".join(statements))
    applied = await migrate.migrate(as_owner)
    assert len(applied) == len(migrate.known())
    await migrate.check(as_service)
    assert await games_by(as_service) == 0
    with pytest.raises(MissingPrivilege):
        await migrate.migrate(as_service, [*migrate.known(), Migration("9999_more", "CREATE TABLE more (n integer);")])


async def test_a_database_that_takes_no_writes_says_so(world: World) -> None:
    database = await world.owner.fetchval("SELECT current_database()")
    await world.run(f"ALTER DATABASE {database} SET default_transaction_read_only = on")
    with pytest.raises(StoreUnavailable, match="it takes no writes"):
        await migrate.check(world.url)
    await world.run(
        f"SET default_transaction_read_only = off; ALTER DATABASE {database} RESET default_transaction_read_only"
    )
