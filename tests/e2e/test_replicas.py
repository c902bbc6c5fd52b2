"""Two processes over one database serve the same game."""

import random

import httpx

from tests.e2e.process import ServiceProcess
from tests.rest.api import Api, Guest


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
            assert {**await ana.look(game["game_id"]), "server_time": ""} == {
                **await Guest(two, {"player_id": ana.player_id, "token": ana.token}).look(game["game_id"]),
                "server_time": "",
            }


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
