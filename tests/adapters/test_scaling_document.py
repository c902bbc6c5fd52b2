"""What docs/scaling.md shows works as it stands there."""

import re
from pathlib import Path
from uuid import UUID, uuid4

import pytest

from service.adapters.postgres import shards
from service.adapters.postgres.connection import connect
from service.adapters.postgres.sharded import ShardedStore
from service.adapters.postgres.store import PostgresStore
from service.application.ids import new_game_id
from service.application.ports import Commit, GameStore
from tests.adapters.listings_contract import all_listed
from tests.adapters.samples import commit, listing
from tests.conftest import Databases

PAGE = (Path(__file__).parents[2] / "docs" / "scaling.md").read_text()
SPLIT, DISTRIBUTE = re.findall(
    r"<!-- [a-z ]+ by tests/adapters/test_scaling_document.py -->\n```sql\n(.*?)```", PAGE, re.DOTALL
)


async def open_log(dsns: list[str]) -> GameStore:
    logs = [await PostgresStore.open(dsn) for dsn in dsns]
    return ShardedStore(logs, patience=20) if len(logs) > 1 else logs[0]


async def split(databases: Databases, dsns: list[str], factor: int) -> list[str]:
    """Do as the page says, and return the addresses of all databases in their order."""
    copies = [await databases.copy(dsn) for _ in range(factor - 1) for dsn in dsns]
    everywhere = dsns + copies
    for place, dsn in enumerate(everywhere):
        connection = await connect(dsn)
        await connection.execute(SPLIT.replace(":databases", str(len(everywhere))).replace(":place", str(place)))
        await connection.close()
    return everywhere


@pytest.mark.parametrize(("before", "factor"), [(1, 3), (2, 2)])
async def test_databases_are_split_without_losing_a_game(databases: Databases, before: int, factor: int) -> None:
    dsns = [await databases.make() for _ in range(before)]
    await shards.take_places(dsns)
    log = await open_log(dsns)
    games = [new_game_id() for _ in range(40)]
    reserved = {uuid4(): game for game in games}
    for number, game in enumerate(games):
        await log.append(commit(game, listing=listing(status="finished" if number % 2 else "playing")))
        await log.append(commit(game, 1))
    for key, game in reserved.items():
        await log.reserve(key, game)
    known = {game: await log.read(game) for game in games}
    await log.close()

    everywhere = await split(databases, dsns, factor)
    await shards.check_places(everywhere)
    log = await open_log(everywhere)
    found: dict[UUID, list[Commit]] = {game: list(await log.read(game)) for game in games}
    assert found == known
    assert [row.game_id for row in await all_listed(log)] == sorted(games, reverse=True)
    assert {key: await log.reserve(key, uuid4()) for key in reserved} == reserved
    await log.close()


async def test_every_table_has_its_place_in_a_distributed_database(database_url: str) -> None:
    connection = await connect(database_url)
    rows = await connection.fetch(
        "SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace"
    )
    await connection.close()
    distributed = re.findall(r"create_(?:distributed|reference)_table\('(\w+)'", DISTRIBUTE)
    assert sorted(row["relname"] for row in rows) == sorted([*distributed, "schema_migration", "shard"])


async def test_every_unique_key_holds_the_column_that_its_table_is_distributed_by(database_url: str) -> None:
    connection = await connect(database_url)
    distributed = re.findall(r"create_distributed_table\('(\w+)', '(\w+)'", DISTRIBUTE)
    assert distributed
    for table, column in distributed:
        rows = await connection.fetch(
            "SELECT pg_get_indexdef(indexrelid) AS made FROM pg_index WHERE indisunique AND indrelid = $1::text::regclass",
            table,
        )
        assert rows
        assert all(re.search(rf"\(({column}|{column}, \w+)\)$", row["made"]) for row in rows)
    await connection.close()
