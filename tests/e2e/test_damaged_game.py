"""A game whose rows were damaged harms nobody else, and can be put away, as docs/operations.md says."""

import random
import re
from pathlib import Path
from uuid import UUID

import httpx
import pytest

from service.adapters.postgres.connection import connect
from tests.e2e.test_whole_games import play_to_the_end
from tests.kit.player import Api, Guest
from tests.kit.service_process import ServiceProcess

PAGE = Path(__file__).parents[2] / "docs" / "operations.md"
DAMAGE = "UPDATE game_commit SET payload = 'x' WHERE game_id = $1 AND seq = 1"


def of_the_page(beginning: str) -> str:
    """Return the statement of the page that begins so."""
    [statement] = re.findall(rf"^ +({beginning}.*);$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    return statement


def put_away(game_id: str) -> str:
    return of_the_page("UPDATE game SET").replace("GAME_ID", game_id)


async def execute(database: str, statement: str, *arguments: object) -> None:
    connection = await connect(database)
    try:
        await connection.execute(statement, *arguments)
    finally:
        await connection.close()


@pytest.mark.parametrize("is_put_away", [False, True], ids=["left as it is", "put away"])
async def test_a_damaged_game_is_told_as_a_fault_and_all_others_go_on(
    environment: dict[str, str], *, is_put_away: bool
) -> None:
    database = environment["POCHA_DATABASE_URL"]
    with ServiceProcess(environment) as service:
        async with httpx.AsyncClient(base_url=service.url) as client:
            ana, eva = await Api(client).guest("Ana"), await Api(client).guest("Eva")
            damaged, whole = await ana.create(robots=2, turn_seconds=1), await eva.create(robots=2, turn_seconds=1)
    await execute(database, DAMAGE, UUID(damaged["game_id"]))
    if is_put_away:
        await execute(database, put_away(damaged["game_id"]))
    with ServiceProcess(environment) as service:
        async with httpx.AsyncClient(base_url=service.url, timeout=30) as client:
            ana, eva = (Guest(client, {"player_id": each.player_id, "token": each.token}) for each in (ana, eva))
            answer = await ana.ask("GET", f"/v1/games/{damaged['game_id']}")
            assert (answer.status_code, answer.json()["code"]) == (500, "internal-error")
            listed = (await eva.ask("GET", "/v1/games?status=playing")).json()["items"]
            assert (damaged["game_id"] in {game["game_id"] for game in listed}) is not is_put_away
            assert (await ana.ask("GET", "/v1/me/turns")).status_code == 200
            assert (await eva.ask("GET", "/v1/me/turns")).status_code == 200
            waiting = f"/v1/games/{whole['game_id']}?after_version={whole['version']}&wait=20"
            assert (await eva.ask("GET", waiting)).json()["version"] > whole["version"]  # its deadline was kept
            assert (await client.get("/readyz")).status_code == 200
    told = [line for line in service.output if "failed to enforce the deadline of a game" in line]
    assert bool(told) is not is_put_away
    assert all(damaged["game_id"] in line for line in told)


async def test_games_that_have_lost_rows_are_found(environment: dict[str, str]) -> None:
    database = environment["POCHA_DATABASE_URL"]
    with ServiceProcess(environment) as service:
        async with httpx.AsyncClient(base_url=service.url) as client:
            guest = await Api(client).guest()
            broken, whole = [await guest.create(robots=2) for _ in range(2)]
            for game in (broken, whole):
                await play_to_the_end([guest] * 3, game, random.Random(1))
    assert await fetch(database, of_the_page("SELECT game_id FROM game_commit")) == []
    await execute(database, "DELETE FROM game_commit WHERE game_id = $1 AND seq = 2", UUID(broken["game_id"]))
    assert await fetch(database, of_the_page("SELECT game_id FROM game_commit")) == [broken["game_id"]]


async def fetch(database: str, query: str) -> list[str]:
    """Return the first column, written out."""
    connection = await connect(database)
    try:
        return [str(row["game_id"]) for row in await connection.fetch(query)]
    finally:
        await connection.close()
