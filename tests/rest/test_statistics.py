"""What players achieved: fed by finished games, the same when it is made anew."""

import random
from typing import Any

import pytest

from service.adapters.clock import SystemClock
from service.adapters.memory.notifier import MemoryNotifier
from service.adapters.memory.store import MemoryStore
from service.application.deadlines import AbandonAfter
from service.application.names import Names
from service.application.ports import Statistics
from service.application.repository import GameRepository
from service.application.shuffle import SeededShuffler
from service.application.statistics import StatisticsKeeper
from service.bootstrap.service import Service
from service.bootstrap.side_stores import SideStores
from tests.kit.clock import SetClock
from tests.kit.player import Api, Guest, Json
from tests.rest.conftest import SECRET

SHORT = {"schedule": {"blocks": [{"kind": "normal", "first": "1", "last": "2", "times": "1"}]}}
RULESET = "ludoteka-express-3"


@pytest.fixture
def side_stores() -> SideStores:
    return SideStores.in_memory()


@pytest.fixture
def service(log: MemoryStore, clock: SetClock, side_stores: SideStores) -> Service:
    return Service(log, clock, SeededShuffler(), SECRET, side_stores=side_stores)


async def finish(guests: list[Guest], game: Json) -> Json:
    seated = {(await guest.look(game["game_id"])).get("my_seat"): guest for guest in guests}
    while game["status"] == "playing":
        guest = seated[game["turn"]["seat"]]
        game = (await guest.move(await guest.look(game["game_id"]), random.randrange(9)))["game"]
    return game


async def play(guests: list[Guest], robots: int, leaver: int | None = None, **more: Any) -> Json:
    """Let guests and robots play a short game; one of the guests may leave it."""
    game = await guests[0].create(RULESET, len(guests) + robots, robots, house_rules=SHORT, **more)
    for guest in guests[1:]:
        game = await guest.join(game["game_id"])
    if leaver is not None:
        seat = (await guests[leaver].look(game["game_id"]))["my_seat"]
        await guests[leaver].ask("DELETE", f"/v1/games/{game['game_id']}/seats/{seat}")
        game = await guests[leaver - 1].look(game["game_id"])
    return await finish(guests, game)


async def stats(guest: Guest, of: Guest | None = None) -> list[Json]:
    player_id = (of or guest).player_id
    answer = await guest.ask("GET", f"/v1/players/{player_id}/stats")
    assert (answer.status_code, answer.json()["player_id"]) == (200, player_id)
    return answer.json()["items"]


async def board(guest: Guest, query: str = "") -> Json:
    answer = await guest.ask("GET", f"/v1/leaderboards/{RULESET}{query}")
    assert answer.status_code == 200
    return answer.json()


async def test_a_finished_game_counts_for_its_players_once(api: Api, service: Service) -> None:
    guests = [await api.guest("Ana"), await api.guest("Eva")]
    game = await play(guests, 1)
    for _ in range(2):
        await service.deadline_worker.run_once()
    record = (await guests[0].ask("GET", f"/v1/games/{game['game_id']}/record")).json()
    for seat, guest in enumerate(guests):
        [found] = await stats(guests[0], guest)
        hands = [
            (hand["cards"], {"seat": seat, "bid": hand["tricks"].count(seat)} in hand["bids"])
            for hand in record["hands"]
        ]
        assert (found["ruleset_id"], found["games"]) == (RULESET, 1)
        assert found["by_players"] == [
            {
                "players": 3,
                "games": 1,
                "wins": int(seat in game["result"]["winners"]),
                "average_points": game["scores"][seat]["points"],
                "hands": [{"cards": cards, "hands": 1, "exact": int(exact)} for cards, exact in sorted(hands)],
            }
        ]
    items = (await board(guests[0]))["items"]
    assert [(each["rank"], each["games"]) for each in items] == [(1, 1), (2, 1)]
    assert {each["display_name"] for each in items} == {"Ana", "Eva"}
    assert items[0]["rating"] >= items[1]["rating"]


async def test_who_left_loses(api: Api, service: Service) -> None:
    guests = [await api.guest("Ana"), await api.guest("Eva"), await api.guest("Leo")]
    await play(guests, 0, leaver=2)
    await service.deadline_worker.run_once()
    [left] = await stats(guests[0], guests[2])
    assert left["by_players"][0]["wins"] == 0
    assert (await board(guests[0]))["items"][-1]["player_id"] == guests[2].player_id


async def test_abandoned_games_do_not_count(api: Api, service: Service, clock: SetClock) -> None:
    ana = await api.guest("Ana")
    game = await ana.create(RULESET, 3, 2)
    await ana.ask("DELETE", f"/v1/games/{game['game_id']}/seats/0")
    clock.time += AbandonAfter().unattended
    await service.deadline_worker.run_once()
    assert (await ana.look(game["game_id"]))["status"] == "abandoned"
    assert await stats(ana) == []
    assert (await board(ana))["items"] == []


async def test_a_board_is_read_page_by_page(api: Api, service: Service) -> None:
    guests = [await api.guest(f"Guest {number}") for number in range(5)]
    for guest in guests:
        await play([guest], 2)
    await service.deadline_worker.run_once()
    whole, pages, query = (await board(guests[0]))["items"], list[Json](), "?limit=2"
    while query:
        page = await board(guests[0], query)
        pages += page["items"]
        query = f"?limit=2&cursor={page['next_cursor']}" if "next_cursor" in page else ""
    assert pages == whole
    assert [each["rank"] for each in whole] == [1, 2, 3, 4, 5]


async def test_a_ruleset_without_a_name_of_ours_has_no_board(api: Api) -> None:
    ana = await api.guest("Ana")
    missing = await ana.ask("GET", "/v1/leaderboards/no-such-rules")
    assert (missing.status_code, missing.json()["code"]) == (404, "not-found")
    for cursor in ("abc", "0" * 8 + "-" + "f" * 16 + "-" + "g" * 32):
        assert (await ana.ask("GET", f"/v1/leaderboards/{RULESET}?cursor={cursor}")).status_code == 400


async def whole(statistics: Statistics) -> list[object]:
    return list(await statistics.leaderboard("", RULESET, None, 99))


@pytest.mark.parametrize("lost", ["records", "all"])
async def test_made_anew_from_the_log_it_is_the_same(
    api: Api, service: Service, log: MemoryStore, clock: SetClock, side_stores: SideStores, lost: str
) -> None:
    guests = [await api.guest(f"Guest {number}") for number in range(4)]
    for number in range(8):
        clock.time += AbandonAfter().unattended / 1000
        chosen = random.sample(guests, 2)
        await play(chosen, 1, leaver=number % 3 if number % 3 < 2 else None)
        if number != 6:
            await service.deadline_worker.run_once()
    await service.deadline_worker.run_once()
    before = await whole(side_stores.statistics)
    assert before
    fresh = side_stores if lost == "records" else SideStores.in_memory()
    for guest in guests if lost == "records" else ():
        await side_stores.statistics.forget(guest.player_id)
    keeper = StatisticsKeeper(
        fresh.statistics, GameRepository(log, SystemClock(), AbandonAfter(), Names(log, MemoryNotifier()))
    )
    assert await keeper.rebuild(log) == 8
    assert await whole(fresh.statistics) == before
    assert await keeper.rebuild(log) == 8
    assert await whole(fresh.statistics) == before
