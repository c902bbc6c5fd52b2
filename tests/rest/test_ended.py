"""`GET /v1/me/turns` says which games have ended, so that a bot needs nothing else."""

import asyncio
from base64 import urlsafe_b64encode
from collections.abc import AsyncGenerator
from uuid import UUID, uuid4

import pytest

from service.bootstrap.service import Service
from tests.kit.player import Api, Guest, Json, legal_moves
from tests.kit.waiting import PATIENCE_SECONDS, until


@pytest.fixture(autouse=True)
async def living(service: Service) -> AsyncGenerator[None]:
    """Let the service do what nobody asks for."""
    task = asyncio.create_task(service.run_background())
    yield
    task.cancel()


async def turns(guest: Guest, after: str = "", wait: int = 0) -> Json:
    response = await guest.ask("GET", f"/v1/me/turns?after={after}&wait={wait}")
    assert response.status_code == 200, response.text
    return response.json()


async def test_a_bot_plays_by_its_turns_alone_until_all_its_games_are_over(api: Api) -> None:
    guest = await api.guest()
    games = {(await guest.create(robots=2))["game_id"] for _ in range(2)}
    ended: list[Json] = []
    answer = await turns(guest)
    assert (answer["ended"], answer["open_games"]) == ([], 2)
    while answer["open_games"]:
        for item in answer["items"]:
            where, body = legal_moves(item)[0]
            done = await guest.ask(
                "POST", f"/v1/games/{item['game_id']}/{where}", {**body, "expected_version": item["version"]}
            )
            assert done.status_code == 200
        answer = await turns(guest, answer["next_after"], wait=30)
        ended += answer["ended"]
    assert {game["game_id"] for game in ended} == games
    assert len(ended) == 2
    for game in ended:
        view = await guest.look(game["game_id"])
        assert game == {name: view[name] for name in ("game_id", "version", "status", "result")}
    assert (await turns(guest, answer["next_after"]))["ended"] == []


async def test_who_waits_is_told_of_an_end(service: Service, api: Api) -> None:
    ana, eva = await api.guest("Ana"), await api.guest("Eva")
    game = await ana.create()
    await eva.join(game["game_id"])
    after = (await turns(ana))["next_after"]
    await eva.ask("DELETE", f"/v1/games/{game['game_id']}/seats/1")
    waiting = asyncio.create_task(turns(ana, after, wait=30))
    await until(lambda: len(service.waiters) == 1)
    await ana.ask("DELETE", f"/v1/games/{game['game_id']}/seats/0")
    answer = await asyncio.wait_for(waiting, PATIENCE_SECONDS)
    assert [(ended["game_id"], ended["status"]) for ended in answer["ended"]] == [(game["game_id"], "abandoned")]
    assert answer["open_games"] == 0


async def test_nobody_learns_of_a_game_by_asking_for_its_end(api: Api) -> None:
    ana, eva = await api.guest("Ana"), await api.guest("Eva")
    game = await ana.create(visibility="private")
    await ana.ask("DELETE", f"/v1/games/{game['game_id']}/seats/0")
    for game_id in (UUID(game["game_id"]), uuid4()):
        after = urlsafe_b64encode(game_id.bytes).decode().rstrip("=")
        answer = await turns(eva, after)
        assert (answer["ended"], answer["next_after"]) == ([], "")


@pytest.mark.parametrize("after", ["x", "AAAA", "%20", "A" * 2201])
async def test_what_is_no_cursor_is_refused(api: Api, after: str) -> None:
    guest = await api.guest()
    response = await guest.ask("GET", f"/v1/me/turns?after={after}")
    assert response.status_code == 400
    assert response.json()["errors"][0]["pointer"] == "query/after"
