"""Games that are over, packed by command and by the service itself: nobody who asks for them can tell."""

import asyncio
import random

import httpx
import pytest

from service.adapters.postgres.connection import connect
from tests.e2e.test_cli import pocha
from tests.e2e.test_whole_games import play_to_the_end
from tests.kit.player import Api, Guest, Json, without_presence
from tests.kit.service_process import ServiceProcess

PAGES = ("events?limit=1000", "events?after=5&limit=3", "score-sheet", "record", "fairness", "ruleset")


async def count(dsn: str, table: str) -> int:
    connection = await connect(dsn)
    number: int = await connection.fetchval(f"SELECT count(*) FROM {table}")  # noqa: S608 - ours
    await connection.close()
    return number


async def finished_game(service: ServiceProcess) -> tuple[Json, Json]:
    """Play a game, and return the player and the last view."""
    async with httpx.AsyncClient(base_url=service.url) as client:
        ana = await Api(client).guest()
        game = await play_to_the_end([ana], await ana.create(robots=2), random.Random(7))
        return {"player_id": ana.player_id, "token": ana.token}, game


async def all_there_is(service: ServiceProcess, player: Json, game_id: str) -> list[object]:
    """Return whatever the service says of a game, but for the time of day."""
    async with httpx.AsyncClient(base_url=service.url) as client:
        ana = Guest(client, player)
        view = {**without_presence(await ana.look(game_id)), "server_time": ""}
        pages = [await ana.ask("GET", f"/v1/games/{game_id}/{page}") for page in PAGES]
        over = await ana.bid(game_id, 1)
        assert {page.status_code for page in pages} == {200}
        return [view, [page.json() for page in pages], over.status_code, over.json()["code"]]


async def test_a_packed_game_is_answered_for_as_before(environment: dict[str, str], database_url: str) -> None:
    with ServiceProcess(environment) as service:
        player, game = await finished_game(service)
        before = await all_there_is(service, player, game["game_id"])
        done = pocha("archive", "--older-than-days", "0", environment=environment)
        assert done.stdout.startswith(f"games packed: 1 ({game['version']} commits, ")
        assert (await count(database_url, "game_commit"), await count(database_url, "game_archive")) == (0, 1)
        assert await all_there_is(service, player, game["game_id"]) == before
    with ServiceProcess(environment) as again:
        assert await all_there_is(again, player, game["game_id"]) == before
    done = pocha("archive", "--older-than-days", "0", environment=environment)
    assert done.stdout.startswith("games packed: 0 (0 commits, ")


async def test_a_request_repeated_after_packing_is_answered_as_it_was(environment: dict[str, str]) -> None:
    with ServiceProcess(environment) as service:
        async with httpx.AsyncClient(base_url=service.url) as client:
            ana = await Api(client).guest()
            game = await ana.create(robots=2)
            bid, key = game["turn"]["legal_bids"][0], {"Idempotency-Key": "once"}
            place = f"/v1/games/{game['game_id']}/bids"
            first = await ana.ask("POST", place, {"bid": bid}, key)
            await play_to_the_end([ana], first.json()["game"], random.Random(7))
            assert pocha("archive", "--older-than-days", "0", environment=environment).returncode == 0
    with ServiceProcess(environment) as again:
        async with httpx.AsyncClient(base_url=again.url) as client:
            ana = Guest(client, {"player_id": ana.player_id, "token": ana.token})
            second = await ana.ask("POST", place, {"bid": bid}, key)
            assert second.headers["Idempotency-Replayed"] == "true"
            assert second.json()["events"] == first.json()["events"]
            other = await ana.ask("POST", place, {"bid": bid + 1}, key)
            assert (other.status_code, other.json()["code"]) == (422, "idempotency-key-reused")


async def test_the_service_packs_and_forgets_by_itself(environment: dict[str, str], database_url: str) -> None:
    with ServiceProcess(environment) as service:
        _, game = await finished_game(service)
    connection = await connect(database_url)
    await connection.execute("UPDATE game SET created_at = created_at - interval '9 days'")
    with ServiceProcess({**environment, "POCHA_ARCHIVE_AFTER_DAYS": "0"}):
        await _until(database_url, "game_archive", 1)
    assert await count(database_url, "game_commit") == 0
    await connection.execute("UPDATE game_archive SET ended_at = ended_at - interval '9 days'")
    await connection.close()
    with ServiceProcess({**environment, "POCHA_DELETE_AFTER_DAYS": "7"}) as service:
        await _until(database_url, "game", 0)
        async with httpx.AsyncClient(base_url=service.url) as client:
            gone = await (await Api(client).guest()).ask("GET", f"/v1/games/{game['game_id']}")
            assert gone.status_code == 404


def test_archive_wants_to_know_which_games(environment: dict[str, str]) -> None:
    done = pocha("archive", environment=environment)
    assert done.returncode == 1
    assert done.stderr == ("pocha: POCHA_ARCHIVE_AFTER_DAYS: Expected a number of days, here or as --older-than-days\n")


@pytest.mark.parametrize("wrong", [("--older-than-days", "-1"), ("--older-than-days", "nan"), ("--limit", "x")])
def test_archive_refuses_what_is_no_number(environment: dict[str, str], wrong: tuple[str, str]) -> None:
    done = pocha("archive", *wrong, environment=environment)
    assert done.returncode == 2
    assert f"{wrong[0]}: expected a number of" in done.stderr


async def _until(dsn: str, table: str, number: int) -> None:
    for _ in range(200):
        if await count(dsn, table) == number:
            return
        await asyncio.sleep(0.1)
    raise AssertionError(f"{table} has not come to {number} rows")
