"""Two processes over one database serve the same game."""

import random

import httpx

from tests.kit.player import Api, Guest, Json, without_presence
from tests.kit.service_process import ServiceProcess
from tests.kit.stream import watching
from tests.kit.waiting import until

LONG = {"kind": "normal", "first": "9", "last": "9", "times": "3"}


async def test_players_on_two_processes_play_one_game(environment: dict[str, str]) -> None:
    with ServiceProcess(environment) as first, ServiceProcess(environment) as second:
        async with httpx.AsyncClient(base_url=first.url) as one, httpx.AsyncClient(base_url=second.url) as two:
            ana, eva = await Api(one).guest("Ana"), await Api(two).guest("Eva")
            game = await ana.create(robots=1)
            game = await eva.join(game["game_id"])
            luck = random.Random(7)
            guests = [ana, eva]
            while game["status"] == "playing":
                guest: Guest = guests[int(game["turn"]["seat"])]
                view = await guest.look(game["game_id"])
                assert view["version"] == game["version"]
                game = (await guest.move(view, luck.randrange(1000)))["game"]
            elsewhere = Guest(two, {"player_id": ana.player_id, "token": ana.token})
            views = [without_presence(await guest.look(game["game_id"])) for guest in (ana, elsewhere)]
            assert {**views[0], "server_time": ""} == {**views[1], "server_time": ""}


async def test_a_refusal_rests_on_what_another_process_wrote(environment: dict[str, str]) -> None:
    with ServiceProcess(environment) as first, ServiceProcess(environment) as second:
        async with httpx.AsyncClient(base_url=first.url) as one, httpx.AsyncClient(base_url=second.url) as two:
            ana = await Api(one).guest()
            game = await ana.create(robots=2)
            elsewhere = Guest(two, {"player_id": ana.player_id, "token": ana.token})
            # The first process remembers the game from here on; the second one moves it on.
            await ana.look(game["game_id"])
            await elsewhere.move(game)
            stale = await ana.bid(game["game_id"], 0, expected_version=game["version"])
            assert stale.json()["current_version"] == game["version"] + 1
            view = await elsewhere.look(game["game_id"])
            assert (await ana.move(view))["version"] == view["version"] + 1


async def _move_and_watch(moving: httpx.AsyncClient, watched: httpx.AsyncClient, moves: int) -> None:
    """Make moves at one process, and see that each comes on a stream of the other one."""
    ana = await Api(moving).guest()
    game = await ana.create(robots=2, house_rules={"schedule": {"blocks": [LONG]}})
    async with watching(watched, ana, game) as stream:
        assert (await stream.next())[0] == "snapshot"
        for _ in range(moves):
            game = (await ana.move(game))["game"]
            name, data = await stream.next()
            assert (name, data["version"]) == ("commit", game["version"])


async def test_a_move_at_one_process_comes_on_a_stream_of_another_which_is_told_of_it(
    environment: dict[str, str],
) -> None:
    with ServiceProcess(environment) as first, ServiceProcess(environment) as second:
        async with httpx.AsyncClient(base_url=first.url) as one, httpx.AsyncClient(base_url=second.url) as two:
            await _move_and_watch(one, two, 20)
            assert await _hints_received(two) > 0


async def test_a_move_comes_when_every_hint_is_lost(environment: dict[str, str], postgres_server: str) -> None:
    deaf = {**environment, "POCHA_DATABASE_DIRECT_URL": postgres_server}
    with ServiceProcess(deaf) as first, ServiceProcess(environment) as second:
        async with httpx.AsyncClient(base_url=first.url) as one, httpx.AsyncClient(base_url=second.url) as two:
            await _move_and_watch(one, two, 3)
            assert await _hints_received(two) == 0


async def _hints_received(client: httpx.AsyncClient) -> float:
    page = (await client.get("/metrics")).text
    return next(float(line.split()[1]) for line in page.splitlines() if line.startswith("pocha_hints_received_total "))


async def test_presence_is_known_at_every_process(environment: dict[str, str]) -> None:
    with ServiceProcess(environment) as first, ServiceProcess(environment) as second:
        async with httpx.AsyncClient(base_url=first.url) as one, httpx.AsyncClient(base_url=second.url) as two:
            ana, eva = await Api(one).guest("Ana"), await Api(two).guest("Eva")
            game = await ana.create()
            async with watching(one, ana, game):
                await until(lambda: _is_connected(eva, game))


async def _is_connected(guest: Guest, game: Json) -> bool:
    """Tell whether `guest` is told that the player at seat 0 is there."""
    seat = (await guest.look(game["game_id"]))["seats"][0]
    return seat.get("presence", {}).get("connected", False)
