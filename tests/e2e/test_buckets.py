"""`pocha serve` over a database whose games are in three buckets."""

import random
from uuid import UUID

import httpx
import pytest

from service.adapters.postgres.buckets import bucket_of, schemas
from service.adapters.postgres.connection import connect
from service.bootstrap import settings
from tests.e2e.test_cli import pocha
from tests.e2e.test_whole_games import play_to_the_end
from tests.kit.player import Api, Guest, Json, without_presence
from tests.kit.service_process import ServiceProcess


@pytest.fixture
def bucketed(environment: dict[str, str], empty_database_url: str) -> dict[str, str]:
    """The settings of a service over three buckets."""
    chosen = {**environment, "POCHA_DATABASE_URL": empty_database_url}
    done = pocha("migrate", "--buckets", "3", environment=chosen)
    assert done.returncode == 0, done.stderr
    assert "applied 0001_commits_and_games to pocha_2\n" in done.stdout
    return chosen


async def one_in_each(guest: Guest) -> list[Json]:
    """Make tables with robots until there is one in each of the three buckets; return them in that order."""
    tables: dict[int, Json] = {}
    for _ in range(60):
        table = await guest.create(robots=2)
        tables.setdefault(bucket_of(UUID(table["game_id"]), 3), table)
        if len(tables) == 3:
            return [tables[place] for place in range(3)]
    raise AssertionError("the tables do not spread")


async def test_games_are_played_in_all_three_and_are_there_after_a_restart(
    bucketed: dict[str, str], empty_database_url: str
) -> None:
    with ServiceProcess(bucketed) as first, ServiceProcess(bucketed) as second:
        async with httpx.AsyncClient(base_url=first.url) as one, httpx.AsyncClient(base_url=second.url) as two:
            ana = await Api(one).guest()
            elsewhere = Guest(two, {"player_id": ana.player_id, "token": ana.token})
            tables = await one_in_each(ana)
            mine = (await elsewhere.ask("GET", "/v1/me/turns")).json()["items"]
            assert {table["game_id"] for table in tables} <= {turn["game_id"] for turn in mine}
            ended = [await play_to_the_end([elsewhere], table, random.Random(7)) for table in tables]
            lobby = (await ana.ask("GET", "/v1/games?status=finished")).json()["items"]
            assert [item["game_id"] for item in lobby] == sorted((game["game_id"] for game in ended), reverse=True)
    with ServiceProcess(bucketed) as again:
        async with httpx.AsyncClient(base_url=again.url) as client:
            ana = Guest(client, {"player_id": ana.player_id, "token": ana.token})
            for game in ended:
                view = without_presence(await ana.look(game["game_id"]))
                assert {**view, "server_time": ""} == {**without_presence(game), "server_time": ""}
    connection = await connect(empty_database_url)
    for number, name in enumerate(schemas(3)):
        rows = await connection.fetch(f"SELECT DISTINCT game_id FROM {name}.game_commit")  # noqa: S608 - ours
        assert rows
        assert all(bucket_of(row["game_id"], 3) == number for row in rows)
    await connection.close()


def test_the_number_of_buckets_is_chosen_once(bucketed: dict[str, str]) -> None:
    assert pocha("migrate", environment=bucketed).stdout == "the schema is up to date\n"
    refused = pocha("migrate", "--buckets", "4", environment=bucketed)
    assert refused.returncode == 1
    assert refused.stderr == "pocha: the games are in 3 buckets; their number is chosen once, and cannot become 4\n"


def test_the_passwords_in_both_addresses_are_secrets() -> None:
    chosen = settings.from_environment(
        {
            "POCHA_DATABASE_URL": "postgresql://u:hunter%402@a/x",
            "POCHA_DATABASE_DIRECT_URL": "postgres://u:sesame@c:5432/z?sslmode=require",
        }
    )
    assert set(settings.secrets_of(chosen)) == {"hunter%402", "hunter@2", "sesame"}


@pytest.mark.parametrize("variable", ["POCHA_DATABASE_URL", "POCHA_DATABASE_DIRECT_URL"])
def test_a_list_of_addresses_is_refused_with_what_to_do(environment: dict[str, str], variable: str) -> None:
    chosen = {**environment, variable: "postgresql://u:hunter2@a/x postgresql://u:hunter2@b/y"}
    refused = pocha("serve", environment=chosen)
    assert refused.returncode == 1
    assert refused.stderr.startswith(f"pocha: {variable}: Expected one address.")
    assert "docs/scaling.md" in refused.stderr
    assert "hunter2" not in refused.stderr
