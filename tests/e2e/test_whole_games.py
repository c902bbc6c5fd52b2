"""A game of every ruleset, played to the end over HTTP against a process and its Postgres, adds up."""

import random
from collections.abc import Generator

import httpx
import pytest

from domain.pocha.rules.presets import PRESETS
from tests.e2e.reckoning import check_that_it_adds_up
from tests.kit.player import Api, Guest, Json
from tests.kit.service_process import ServiceProcess


@pytest.fixture(scope="module")
def service(module_database_url: str) -> Generator[ServiceProcess]:
    with ServiceProcess({"POCHA_DATABASE_URL": module_database_url, "POCHA_LOG_LEVEL": "warning"}) as running:
        yield running


async def play_to_the_end(guests: list[Guest], game: Json, luck: random.Random) -> Json:
    """Let the persons at the first seats move at random among what is legal, and return the last view."""
    while game["status"] == "playing":
        guest = guests[int(game["turn"]["seat"])]
        view = game if game["my_seat"] == game["turn"]["seat"] else await guest.look(game["game_id"])
        game = (await guest.move(view, luck.randrange(1000)))["game"]
    return game


@pytest.mark.parametrize("ruleset", PRESETS)
async def test_a_whole_game_adds_up(service: ServiceProcess, ruleset: str) -> None:
    async with httpx.AsyncClient(base_url=service.url) as client:
        guests, game = await Api(client).table_of_two(ruleset, PRESETS[ruleset].players.allowed[-1])
        last = await play_to_the_end(guests, game, random.Random(ruleset))
        await check_that_it_adds_up(guests[0], ruleset, last)
