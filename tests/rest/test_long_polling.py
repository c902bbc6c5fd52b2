"""Reads that wait for news: a game past a version, and the turns of a player over all tables."""

import asyncio
from collections.abc import AsyncGenerator

import pytest

from service.application.draining import Draining
from service.bootstrap.service import Service
from service.rest.streaming.waiters import MAX_PER_PLAYER
from tests.kit.asgi_stream import Reading
from tests.kit.player import Api, Guest, Json, on_turn
from tests.kit.waiting import PATIENCE_SECONDS, WAITS, until


@pytest.fixture(autouse=True)
async def living(service: Service) -> AsyncGenerator[None]:
    """Let the service do what nobody asks for."""
    task = asyncio.create_task(service.run_background())
    yield
    task.cancel()


async def table(api: Api) -> tuple[Guest, Json, Guest]:
    """Return who is on turn, their view, and somebody who waits."""
    guests, game = await api.full_table()
    mover, view = await on_turn(guests, game)
    return mover, view, next(guest for guest in guests if guest is not mover)


def newer(view: Json, wait: int) -> str:
    return f"/v1/games/{view['game_id']}?after_version={view['version']}&wait={wait}"


async def test_a_read_waits_for_the_next_version(service: Service, api: Api) -> None:
    mover, view, other = await table(api)
    waiting = asyncio.create_task(other.ask("GET", newer(view, 30)))
    await until(lambda: len(service.waiters) == 1)
    assert not waiting.done()
    await mover.move(view)
    answer = await asyncio.wait_for(waiting, PATIENCE_SECONDS)
    assert answer.json()["version"] == view["version"] + 1
    assert answer.headers["etag"].startswith('W/"')


async def test_a_version_that_is_there_already_is_not_waited_for(api: Api) -> None:
    _, view, other = await table(api)
    asked = other.ask("GET", f"/v1/games/{view['game_id']}?after_version=1&wait=30")
    assert (await asyncio.wait_for(asked, PATIENCE_SECONDS)).json()["version"] == view["version"]


@pytest.mark.parametrize("query", ["after_version={version}", "after_version={version}&wait=0"])
async def test_without_a_wait_the_game_is_shown_as_it_stands(api: Api, query: str) -> None:
    _, view, other = await table(api)
    asked = other.ask("GET", f"/v1/games/{view['game_id']}?{query.format(version=view['version'])}")
    assert (await asyncio.wait_for(asked, PATIENCE_SECONDS)).json()["version"] == view["version"]


async def test_when_the_time_is_over_the_game_is_shown_as_it_stands(api: Api) -> None:
    _, view, other = await table(api)
    answer = await other.ask("GET", newer(view, 1))
    assert (answer.status_code, answer.json()["version"]) == (200, view["version"])
    unchanged = await other.ask("GET", newer(view, 1), headers={"If-None-Match": answer.headers["etag"]})
    assert unchanged.status_code == 304


@pytest.mark.parametrize(
    ("query", "pointer"),
    [
        ("after_version=1&wait=31", "query/wait"),
        ("after_version=-1", "query/after_version"),
        ("after_version=x", "query/after_version"),
    ],
)
async def test_a_wait_that_does_not_fit_is_refused(api: Api, query: str, pointer: str) -> None:
    _, view, other = await table(api)
    answer = await other.ask("GET", f"/v1/games/{view['game_id']}?{query}")
    assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (400, pointer)


async def test_a_private_game_is_no_more_waited_for_than_read(api: Api) -> None:
    ana, stranger = await api.guest(), await api.guest()
    game = await ana.create(visibility="private")
    assert (await stranger.ask("GET", newer(game, 30))).status_code == 404


async def test_waiting_reads_are_let_go_when_the_service_is_about_to_end(
    service: Service, api: Api, draining: Draining
) -> None:
    _, view, other = await table(api)
    waiting = [asyncio.create_task(other.ask("GET", path)) for path in (newer(view, 30), "/v1/me/turns?wait=30")]
    await until(lambda: len(service.waiters) == 2)
    draining.begin()
    answers = await asyncio.wait_for(asyncio.gather(*waiting), PATIENCE_SECONDS)
    assert [answer.status_code for answer in answers] == [200, 200]
    refused = await other.ask("GET", newer(view, 30))
    assert (refused.status_code, refused.json()["code"], refused.headers["retry-after"] in WAITS) == (
        503,
        "draining",
        True,
    )
    assert (await other.look(view["game_id"]))["version"] == view["version"]


async def test_readiness_ends_when_the_service_is_about_to_end(api: Api, draining: Draining) -> None:
    assert (await api.client.get("/readyz")).status_code == 200
    draining.begin()
    answer = await api.client.get("/readyz")
    assert (answer.status_code, answer.json()["code"], answer.headers["retry-after"] in WAITS) == (
        503,
        "draining",
        True,
    )
    assert (await api.client.get("/healthz")).status_code == 200


async def test_a_caller_has_only_so_many_waiting_reads(service: Service, api: Api) -> None:
    mover, view, other = await table(api)
    waiting = [asyncio.create_task(other.ask("GET", newer(view, 30))) for _ in range(MAX_PER_PLAYER)]
    await until(lambda: len(service.waiters) == MAX_PER_PLAYER)
    refused = await other.ask("GET", newer(view, 30))
    assert (refused.status_code, refused.json()["code"], refused.headers["retry-after"] in WAITS) == (
        429,
        "rate-limited",
        True,
    )
    await mover.move(view)
    assert {answer.status_code for answer in await asyncio.gather(*waiting)} == {200}


async def test_a_player_is_told_of_every_game_that_waits_for_them(api: Api) -> None:
    ana = await api.guest()
    games = [await ana.create(robots=2) for _ in range(3)]
    await ana.create()  # still waits for others
    answer = await ana.ask("GET", "/v1/me/turns")
    assert answer.headers["cache-control"] == "private, no-cache"
    items = answer.json()["items"]
    assert {item["game_id"] for item in items} == {game["game_id"] for game in games}
    for item in items:
        view = await ana.look(item["game_id"])
        named = ("game_id", "version", "ruleset", "my_seat", "turn")
        assert item == {name: view[name] for name in named}


async def test_a_game_is_listed_only_while_it_is_the_players_turn(api: Api) -> None:
    mover, view, other = await table(api)
    assert (await other.ask("GET", "/v1/me/turns")).json()["items"] == []
    await mover.move(view)
    assert (await mover.ask("GET", "/v1/me/turns")).json()["items"] == []


async def test_the_nearest_deadline_comes_first(api: Api) -> None:
    ana = await api.guest()
    never = (await ana.create(robots=2))["game_id"]
    late, soon = [(await ana.create(robots=2, turn_seconds=seconds))["game_id"] for seconds in (60, 5)]
    items = (await ana.ask("GET", "/v1/me/turns")).json()["items"]
    assert [item["game_id"] for item in items] == [soon, late, never]
    assert "deadline" in items[0]["turn"]


async def test_a_turn_that_comes_ends_the_wait(service: Service, api: Api) -> None:
    ana, eva = await api.guest("Ana"), await api.guest("Eva")
    game = await ana.create(robots=1)
    waiting = asyncio.create_task(ana.ask("GET", "/v1/me/turns?wait=30"))
    await until(lambda: len(service.waiters) == 1)
    assert not waiting.done()
    started = await eva.join(game["game_id"])
    if started["turn"]["seat"] != 0:
        await eva.move(started)
    items = (await asyncio.wait_for(waiting, PATIENCE_SECONDS)).json()["items"]
    assert [item["game_id"] for item in items] == [game["game_id"]]


async def test_a_wait_for_turns_that_is_over_is_answered_with_none(api: Api) -> None:
    ana = await api.guest()
    answer = await ana.ask("GET", "/v1/me/turns?wait=1")
    assert (answer.status_code, answer.json()["items"]) == (200, [])


async def test_turns_are_for_callers_who_say_who_they_are(api: Api) -> None:
    assert (await api.client.get("/v1/me/turns")).status_code == 401


@pytest.mark.parametrize("path", ["game", "turns"])
async def test_a_client_that_goes_away_gives_its_place_back(service: Service, api: Api, path: str) -> None:
    _, view, other = await table(api)
    waiting = Reading(service.asgi, other, newer(view, 30) if path == "game" else "/v1/me/turns?wait=30", {})
    answering = asyncio.create_task(waiting.run())
    await until(lambda: len(service.waiters) == 1)
    assert len(service.waiters) == 1
    waiting.go_away()
    await asyncio.wait_for(answering, PATIENCE_SECONDS)
    assert len(service.waiters) == 0
