"""Old games, deleted by command and by the service itself."""

import random
from functools import partial

import httpx
import pytest

from service.adapters.postgres.connection import connect
from tests.e2e.test_cli import pocha
from tests.e2e.test_whole_games import play_to_the_end
from tests.kit.player import Api, Guest, Json
from tests.kit.service_process import ServiceProcess
from tests.kit.waiting import until

AGE = """
    UPDATE game SET created_at = created_at - interval '9 days';
    UPDATE game_commit SET recorded_at = recorded_at - interval '9 days';
    UPDATE reservation SET reserved_at = reserved_at - interval '9 days'
"""


async def age(dsn: str) -> None:
    """Make everything nine days older."""
    connection = await connect(dsn)
    await connection.execute(AGE)
    await connection.close()


async def games_of(service: ServiceProcess) -> tuple[Json, str, str]:
    """Return a player, a finished game and one in progress."""
    async with httpx.AsyncClient(base_url=service.url) as client:
        ana = await Api(client).guest()
        over = await play_to_the_end([ana], await ana.create(robots=2), random.Random(7))
        going_on = await ana.create(robots=2)
        return {"player_id": ana.player_id, "token": ana.token}, over["game_id"], going_on["game_id"]


async def statuses(service: ServiceProcess, player: Json, *game_ids: str) -> list[int]:
    async with httpx.AsyncClient(base_url=service.url) as client:
        ana = Guest(client, player)
        return [(await ana.ask("GET", f"/v1/games/{game_id}")).status_code for game_id in game_ids]


async def test_ratings_are_the_same_when_they_are_made_anew_from_the_log(
    environment: dict[str, str], database_url: str
) -> None:
    with ServiceProcess(environment) as service:
        async with httpx.AsyncClient(base_url=service.url) as client:
            ana = await Api(client).guest()
            await play_to_the_end([ana], await ana.create(robots=2), random.Random(7))
            await until(partial(is_rated, ana))
            before = await board(ana)
            connection = await connect(database_url)
            await connection.execute("TRUNCATE player_record")
            await connection.close()
            assert await board(ana) == []
            rebuilt = pocha("ratings", "rebuild", environment=environment)
            assert rebuilt.stdout == "games counted: 1\n"
            assert await board(ana) == before


async def board(guest: Guest) -> list[Json]:
    return (await guest.ask("GET", "/v1/leaderboards/ludoteka-express-3")).json()["items"]


async def is_rated(guest: Guest) -> bool:
    return bool(await board(guest))


async def test_the_command_deletes_old_finished_games(environment: dict[str, str], database_url: str) -> None:
    with ServiceProcess(environment) as service:
        player, over, going_on = await games_of(service)
    assert pocha("delete-games", "--older-than-days", "8", environment=environment).stdout == (
        "games deleted: 0; reservations deleted: 0; score sheets deleted: 0\n"
    )
    await age(database_url)
    assert pocha("delete-games", "--older-than-days", "10", environment=environment).stdout.startswith(
        "games deleted: 0;"
    )
    assert pocha("delete-games", "--older-than-days", "8", environment=environment).stdout.startswith(
        "games deleted: 1;"
    )
    with ServiceProcess(environment) as again:
        assert await statuses(again, player, over, going_on) == [404, 200]


async def test_the_service_deletes_old_finished_games_by_itself(environment: dict[str, str], database_url: str) -> None:
    with ServiceProcess(environment) as service:
        player, over, going_on = await games_of(service)
    await age(database_url)
    with ServiceProcess({**environment, "POCHA_DELETE_AFTER_DAYS": "8"}) as service:

        async def is_gone() -> bool:
            return await statuses(service, player, over) == [404]

        await until(is_gone)
        assert await statuses(service, player, going_on) == [200]


def test_the_command_needs_an_age(environment: dict[str, str]) -> None:
    done = pocha("delete-games", environment=environment)
    assert done.returncode == 1
    assert done.stderr == "pocha: POCHA_DELETE_AFTER_DAYS: Expected a number of days, here or as --older-than-days\n"


@pytest.mark.parametrize("wrong", ["-1", "0.5", "nan", "x"])
def test_the_command_refuses_other_ages(environment: dict[str, str], wrong: str) -> None:
    done = pocha("delete-games", "--older-than-days", wrong, environment=environment)
    assert done.returncode == 2
    assert "--older-than-days: expected a number of days from 1 to 36500" in done.stderr
