"""Quick matches: players who want the same game find each other, or robots, or learn that nobody came."""

import asyncio
from collections.abc import AsyncGenerator
from datetime import timedelta
from typing import Any

import pytest

from service.adapters.memory.notifier import MemoryBus, MemoryNotifier
from service.adapters.memory.store import MemoryStore
from service.application.ports import PlayerRecord
from service.application.shuffle import SeededShuffler
from service.bootstrap.service import Service
from service.bootstrap.side_stores import SideStores
from tests.kit.clock import SetClock
from tests.kit.player import Api, Guest, Json, client_of
from tests.kit.waiting import until
from tests.rest.conftest import SECRET

EXPRESS: Json = {"ruleset": "ludoteka-express-3", "players": 3}


async def ask(guest: Guest, **more: Any) -> Json:
    answer = await guest.ask("POST", "/v1/matches", {**EXPRESS, **more})
    assert answer.status_code == 201, answer.text
    match: Json = answer.json()
    assert answer.headers["location"] == f"/v1/matches/{match['match_id']}"
    return match


async def look(guest: Guest, match: Json, query: str = "") -> Json:
    answer = await guest.ask("GET", f"/v1/matches/{match['match_id']}{query}")
    assert answer.status_code == 200, answer.text
    return answer.json()


async def test_enough_who_want_the_same_play_at_once(api: Api) -> None:
    guests = [await api.guest(name) for name in ("Ana", "Beto", "Carmen", "Diego")]
    other = await ask(guests[3], turn_seconds=60)
    matches = [await ask(guest) for guest in guests[:3]]
    assert [match["status"] for match in matches] == ["waiting", "waiting", "matched"]
    found = [await look(guest, match) for guest, match in zip(guests, matches, strict=False)]
    games = [await guest.look(match["game_id"]) for guest, match in zip(guests, found, strict=False)]
    assert {game["game_id"] for game in games} == {matches[2]["game_id"]}
    assert [game["status"] for game in games] == ["playing"] * 3
    assert sorted(game["my_seat"] for game in games) == [0, 1, 2]
    assert games[0]["visibility"] == "private"
    assert (await look(guests[3], other))["status"] == "waiting"


async def test_who_asks_for_it_is_matched_with_players_of_like_rating(log: MemoryStore, clock: SetClock) -> None:
    side_stores = SideStores.in_memory()
    service = Service(log, clock, SeededShuffler(), SECRET, side_stores=side_stores)
    async with client_of(service.asgi) as client:
        api = Api(client)
        strong, *newcomers, careless = [await api.guest(str(number)) for number in range(5)]
        record = PlayerRecord("", "ludoteka-express-3", strong.player_id, 40.0, 2.0, 9, ())
        await side_stores.statistics.add(0, [record])
        first = await ask(strong, similar_rating=True)
        other = await ask(careless)
        matches = [await ask(guest, similar_rating=True) for guest in newcomers]
        assert [match["status"] for match in matches] == ["waiting", "waiting", "matched"]
        assert (await look(strong, first))["status"] == (await look(careless, other))["status"] == "waiting"


async def test_robots_fill_up_when_the_time_is_over(api: Api, service: Service, clock: SetClock) -> None:
    ana, beto = await api.guest("Ana"), await api.guest("Beto")
    matches = [await ask(ana, wait_seconds=10, robots={"level": "easy"}), await ask(beto, robots={"level": "hard"})]
    clock.time += timedelta(seconds=9)
    await service.matching.run_once()
    assert (await look(ana, matches[0]))["status"] == "waiting"
    clock.time += timedelta(seconds=1)
    await service.matching.run_once()
    game = await ana.look((await look(ana, matches[0]))["game_id"])
    assert (game["status"], [sorted(seat) for seat in game["seats"]][2]) == ("playing", ["robot", "seat"])
    assert (await look(beto, matches[1]))["game_id"] == game["game_id"]


async def test_who_wants_no_robots_learns_that_nobody_came(api: Api, service: Service, clock: SetClock) -> None:
    ana = await api.guest("Ana")
    match = await ask(ana, wait_seconds=5)
    waiting = asyncio.create_task(look(ana, match, "?wait=30"))
    await until(lambda: len(service.waiters) == 1)
    clock.time += timedelta(seconds=5)
    await service.matching.run_once()
    assert (await waiting)["status"] == "expired"


async def test_a_request_can_be_cancelled_until_it_is_matched(api: Api) -> None:
    guests = [await api.guest(name) for name in ("Ana", "Beto", "Carmen")]
    match = await ask(guests[0])
    path = f"/v1/matches/{match['match_id']}"
    assert (await guests[1].ask("DELETE", path)).json()["detail"] == "There is no such request for a match."
    for _ in range(2):
        assert (await guests[0].ask("DELETE", path)).json()["status"] == "cancelled"
    matches = [await ask(guest) for guest in guests]
    last = await guests[0].ask("DELETE", f"/v1/matches/{matches[0]['match_id']}")
    assert (last.json()["status"], last.json()["game_id"]) == ("matched", matches[2]["game_id"])


async def test_a_new_request_takes_the_place_of_the_old_one(api: Api) -> None:
    ana = await api.guest("Ana")
    old, new = await ask(ana), await ask(ana, turn_seconds=60)
    assert [(await look(ana, match))["status"] for match in (old, new)] == ["cancelled", "waiting"]


async def test_a_repeated_request_is_entered_once(api: Api) -> None:
    ana = await api.guest("Ana")
    key = {"Idempotency-Key": "one"}
    answers = [await ana.ask("POST", "/v1/matches", EXPRESS, key) for _ in range(2)]
    assert answers[0].json() == answers[1].json()
    assert [answer.headers.get("idempotency-replayed") for answer in answers] == [None, "true"]
    other = await ana.ask("POST", "/v1/matches", {**EXPRESS, "turn_seconds": 60}, key)
    assert other.json()["code"] == "idempotency-key-reused"


async def test_a_table_that_cannot_be_is_refused(api: Api) -> None:
    ana = await api.guest("Ana")
    answer = await ana.ask("POST", "/v1/matches", {**EXPRESS, "players": 4})
    assert (answer.json()["code"], answer.json()["players_allowed"]) == ("illegal-table", [3])


@pytest.fixture
async def processes(clock: SetClock) -> AsyncGenerator[list[tuple[Service, Api]]]:
    """Two processes over one store."""
    store, side_stores, bus = MemoryStore(), SideStores.in_memory(), MemoryBus()
    services = [
        Service(store, clock, SeededShuffler(), SECRET, notifier=MemoryNotifier(bus), side_stores=side_stores)
        for _ in range(2)
    ]
    clients = [client_of(service.asgi) for service in services]
    yield [(service, Api(client)) for service, client in zip(services, clients, strict=True)]
    for client in clients:
        await client.aclose()


async def test_players_of_several_processes_are_matched(processes: list[tuple[Service, Api]]) -> None:
    (one, here), (_, there) = processes
    ana, beto, carmen = await here.guest("Ana"), await there.guest("Beto"), await there.guest("Carmen")
    match = await ask(ana)
    waiting = asyncio.create_task(look(ana, match, "?wait=30"))
    await until(lambda: len(one.waiters) == 1)
    await ask(beto)
    assert (await ask(carmen))["game_id"] == (await waiting)["game_id"]


async def test_another_process_finishes_what_a_dead_one_has_begun(
    processes: list[tuple[Service, Api]], clock: SetClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    (dying, here), (heir, there) = processes
    guests = [await here.guest(name) for name in ("Ana", "Beto", "Carmen")]
    matches = [await ask(guest) for guest in guests[:2]]

    async def die(*_: object) -> None:
        raise ConnectionAbortedError

    monkeypatch.setattr(dying.matching, "_seat", die)
    assert (await guests[2].ask("POST", "/v1/matches", EXPRESS)).status_code == 500
    assert (await look(guests[0], matches[0]))["status"] == "waiting"
    clock.time += timedelta(seconds=5)
    await heir.matching.run_once()
    ana = Guest(there.client, {"player_id": guests[0].player_id, "token": guests[0].token})
    game = await ana.look((await look(ana, matches[0]))["game_id"])
    assert game["status"] == "playing"
