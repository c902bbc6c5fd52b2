"""`pocha serve` over three databases that share the games."""

import random
from collections import Counter
from uuid import UUID

import httpx
import pytest

from service.adapters.postgres.connection import connect
from service.adapters.postgres.shards import shard_of
from service.bootstrap import settings
from tests.conftest import Databases
from tests.e2e.test_cli import pocha
from tests.e2e.test_whole_games import play_to_the_end
from tests.kit.player import Api, Guest, Json, without_presence
from tests.kit.service_process import ServiceProcess


@pytest.fixture
async def dsns(databases: Databases) -> list[str]:
    """Three databases with nothing in them."""
    return [await databases.make_empty() for _ in range(3)]


@pytest.fixture
def sharded(environment: dict[str, str], dsns: list[str]) -> dict[str, str]:
    """The settings of a service over all three, whose schemas are up to date."""
    chosen = {**environment, "POCHA_DATABASE_URL": " ".join(dsns)}
    assert pocha("migrate", environment=chosen).returncode == 0
    return chosen


async def one_in_each(guest: Guest) -> list[Json]:
    """Make tables with robots until there is one in each of the three databases; return them in that order."""
    tables: dict[int, Json] = {}
    for _ in range(60):
        table = await guest.create(robots=2)
        tables.setdefault(shard_of(UUID(table["game_id"]), 3), table)
        if len(tables) == 3:
            return [tables[place] for place in range(3)]
    raise AssertionError("the tables do not spread")


async def test_games_are_played_in_all_three_and_are_there_after_a_restart(
    sharded: dict[str, str], dsns: list[str]
) -> None:
    with ServiceProcess(sharded) as first, ServiceProcess(sharded) as second:
        async with httpx.AsyncClient(base_url=first.url) as one, httpx.AsyncClient(base_url=second.url) as two:
            ana = await Api(one).guest()
            elsewhere = Guest(two, {"player_id": ana.player_id, "token": ana.token})
            tables = await one_in_each(ana)
            mine = (await elsewhere.ask("GET", "/v1/me/turns")).json()["items"]
            assert {table["game_id"] for table in tables} <= {turn["game_id"] for turn in mine}
            ended = [await play_to_the_end([elsewhere], table, random.Random(7)) for table in tables]
            lobby = (await ana.ask("GET", "/v1/games?status=finished")).json()["items"]
            assert [item["game_id"] for item in lobby] == sorted((game["game_id"] for game in ended), reverse=True)
    with ServiceProcess(sharded) as again:
        async with httpx.AsyncClient(base_url=again.url) as client:
            ana = Guest(client, {"player_id": ana.player_id, "token": ana.token})
            for game in ended:
                view = without_presence(await ana.look(game["game_id"]))
                assert {**view, "server_time": ""} == {**without_presence(game), "server_time": ""}
    rows = Counter[int]()
    for place, dsn in enumerate(dsns):
        connection = await connect(dsn)
        for row in await connection.fetch("SELECT DISTINCT game_id FROM game_commit"):
            assert shard_of(row["game_id"], 3) == place
            rows[place] += 1
        await connection.close()
    assert len(rows) == 3


async def test_while_one_database_is_gone_the_games_of_the_others_are_played(
    sharded: dict[str, str], dsns: list[str], databases: Databases
) -> None:
    with ServiceProcess(sharded) as service:
        async with httpx.AsyncClient(base_url=service.url, timeout=30) as client:
            ana = await Api(client).guest()
            tables = await one_in_each(ana)
            await databases.drop(dsns[1])
            for place in (0, 2):
                assert (await play_to_the_end([ana], tables[place], random.Random(7)))["status"] == "finished"
            lost = await ana.ask("GET", f"/v1/games/{tables[1]['game_id']}")
            assert (lost.status_code, lost.json()["code"]) == (503, "overloaded")
            lobby = (await ana.ask("GET", "/v1/games?status=finished")).json()["items"]
            assert {item["game_id"] for item in lobby} == {tables[place]["game_id"] for place in (0, 2)}
            assert (await client.get("/readyz")).status_code == 200


def test_the_databases_keep_their_order(sharded: dict[str, str], dsns: list[str]) -> None:
    for wrong in (dsns[::-1], dsns[:2], dsns[:1]):
        refused = pocha("serve", environment={**sharded, "POCHA_DATABASE_URL": " ".join(wrong)})
        assert refused.returncode == 1
        assert refused.stderr.startswith("pocha: POCHA_DATABASE_URL has database 1 of ")


def test_migrate_says_what_it_did_where(environment: dict[str, str], dsns: list[str]) -> None:
    chosen = {**environment, "POCHA_DATABASE_URL": "  ".join(dsns)}
    assert "run `pocha migrate`" in pocha("serve", environment=chosen).stderr
    done = pocha("migrate", environment=chosen)
    assert done.stdout.startswith("applied 0001_commits_and_games to database 1 of 3\n")
    assert done.stdout.count("to database 3 of 3\n") == done.stdout.count("to database 1 of 3\n") > 3
    assert pocha("migrate", environment=chosen).stdout == "the schema is up to date\n"


def test_the_passwords_in_all_addresses_are_secrets() -> None:
    addresses = "postgresql://u:hunter%402@a/x postgresql://b/y postgres://u:sesame@c:5432/z?sslmode=require"
    chosen = settings.from_environment({"POCHA_DATABASE_URL": addresses})
    assert set(settings.secrets_of(chosen)) == {"hunter%402", "hunter@2", "sesame"}
    assert chosen.addresses == chosen.direct_addresses == tuple(addresses.split())


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("POCHA_DATABASE_DIRECT_URL", "postgresql://a/x postgresql://b/y"),
        ("POCHA_DATABASE_URL", "postgresql://u:hunter2@a/x mysql://u:hunter2@b/y"),
        ("POCHA_DATABASE_URL", "postgresql://u:hunter2@a/x,postgresql://b/y z"),
    ],
)
def test_addresses_that_do_not_fit_are_refused(environment: dict[str, str], variable: str, value: str) -> None:
    refused = pocha("serve", environment={**environment, variable: value})
    assert refused.returncode == 1
    assert refused.stderr.startswith(f"pocha: {variable}: ")
    assert "hunter2" not in refused.stderr
