"""Moves without a choice that the service makes, and robots that take their time; the clock is the tests'."""

from datetime import timedelta

import pytest

from service.adapters.memory.store import MemoryStore
from service.application.shuffle import SeededShuffler
from service.bootstrap.service import Service
from tests.kit.clock import SetClock
from tests.kit.player import Api, Guest, Json, client_of, legal_moves, on_turn
from tests.rest.conftest import SECRET

PACE = timedelta(seconds=2)
SHORT = {"schedule": {"blocks": [{"kind": "normal", "first": "2", "last": "2", "times": "2"}]}}


def auto_play(game: Json, seat: int) -> str:
    return f"/v1/games/{game['game_id']}/seats/{seat}/auto-play"


async def events(guest: Guest, game: Json) -> list[Json]:
    return (await guest.ask("GET", f"/v1/games/{game['game_id']}/events?limit=1000")).json()["items"]


async def test_moves_without_a_choice_are_made_for_who_asks(api: Api) -> None:
    guests, game = await api.full_table()
    for seat, guest in enumerate(guests):
        chosen = await guest.ask("PUT", auto_play(game, seat), {"auto_play": "forced"})
        assert chosen.json()["seats"][seat]["auto_play"] == "forced"
    choices = 0
    while (game := await guests[0].look(game["game_id"]))["status"] == "playing":
        guest, view = await on_turn(guests, game)
        assert len(legal_moves(view)) > 1
        await guest.move(view)
        choices += 1
    moves = [event for event in await events(guests[0], game) if event["type"] in {"bid_made", "card_played"}]
    assert choices < len(moves)


async def test_who_does_not_ask_or_asks_no_more_makes_every_move(api: Api) -> None:
    guests, game = await api.full_table()
    for chosen in ("forced", "off"):
        await guests[0].ask("PUT", auto_play(game, 0), {"auto_play": chosen})
    view = await guests[0].look(game["game_id"])
    assert "auto_play" not in view["seats"][0]
    while view["status"] == "playing":
        guest, view = await on_turn(guests, view)
        view = (await guest.move(view))["game"]
    moves = [event for event in await events(guests[0], game) if event["type"] in {"bid_made", "card_played"}]
    assert len({event["version"] for event in moves}) == len(moves)


async def test_the_choice_is_for_the_own_seat_of_a_started_game_and_ends_with_a_robot(api: Api) -> None:
    guests, game = await api.full_table()
    refused = await guests[0].ask("PUT", auto_play(game, 1), {"auto_play": "forced"})
    assert (refused.status_code, refused.json()["code"]) == (403, "not-your-seat")
    waiting = await guests[0].create()
    early = await guests[0].ask("PUT", auto_play(waiting, 0), {"auto_play": "forced"})
    assert (early.status_code, early.json()["code"]) == (409, "wrong-phase")
    await guests[0].ask("PUT", auto_play(game, 0), {"auto_play": "forced"})
    await guests[0].ask("DELETE", f"/v1/games/{game['game_id']}/seats/0")
    assert "auto_play" not in (await guests[0].join(game["game_id"]))["seats"][0]


async def paced(guest: Guest, **more: int) -> Json:
    body = {"robot_seconds": 2, "house_rules": SHORT, **more}
    return await guest.create("ludoteka-express-3", 3, 2, **body)


async def next_move(service: Service, clock: SetClock, guest: Guest, game: Json) -> Json:
    """Return the game after the robot on turn has taken its time."""
    clock.time += PACE
    await service.deadline_worker.run_once()
    return await guest.look(game["game_id"])


async def test_robots_move_one_by_one_after_their_time(api: Api, service: Service, clock: SetClock) -> None:
    ana = await api.guest("Ana")
    game = await paced(ana, turn_seconds=30)
    assert game["robot_seconds"] == 2
    while game["status"] == "playing":
        seat = game["turn"]["seat"]
        if seat == 0:
            game = (await ana.move(game))["game"]
            continue
        assert "deadline" not in game["turn"]
        clock.time += PACE - timedelta(microseconds=1)
        await service.deadline_worker.run_once()
        assert (await ana.look(game["game_id"]))["version"] == game["version"]
        after = await next_move(service, clock, ana, game)
        assert after["version"] == game["version"] + 1
        game = after
    moves = [event for event in await events(ana, game) if event["type"] in {"bid_made", "card_played"}]
    assert len({event["version"] for event in moves}) == len(moves)


async def test_a_robot_goes_on_in_another_process(log: MemoryStore, api: Api, clock: SetClock) -> None:
    ana = await api.guest("Ana")
    game = await paced(ana)
    while game["turn"]["seat"] == 0:
        game = (await ana.move(game))["game"]
    restarted = Service(log, clock, SeededShuffler(), SECRET)
    async with client_of(restarted.asgi):
        assert (await next_move(restarted, clock, ana, game))["version"] == game["version"] + 1


async def test_two_workers_make_one_move(log: MemoryStore, api: Api, service: Service, clock: SetClock) -> None:
    ana = await api.guest("Ana")
    game = await paced(ana)
    while game["turn"]["seat"] == 0:
        game = (await ana.move(game))["game"]
    await next_move(Service(log, clock, SeededShuffler(), SECRET), clock, ana, game)
    await service.deadline_worker.run_once()
    assert (await ana.look(game["game_id"]))["version"] == game["version"] + 1


async def test_a_turn_that_expires_is_played_at_once_and_a_table_without_players_rests(
    api: Api, service: Service, clock: SetClock
) -> None:
    ana = await api.guest("Ana")
    game = await paced(ana, turn_seconds=1)
    while game["turn"]["seat"] != 0:
        game = await next_move(service, clock, ana, game)
    game = await next_move(service, clock, ana, game)
    happened = [event["type"] for event in await events(ana, game) if event["version"] == game["version"]]
    assert happened[0] == "turn_expired"
    left = (await ana.ask("DELETE", f"/v1/games/{game['game_id']}/seats/0")).json()
    clock.time += PACE
    await service.deadline_worker.run_once()
    assert (await ana.look(game["game_id"]))["version"] == left["version"]


async def test_a_rematch_keeps_the_pace(api: Api, service: Service, clock: SetClock) -> None:
    ana = await api.guest("Ana")
    game = await paced(ana)
    while game["status"] == "playing":
        if game["turn"]["seat"] == 0:
            game = (await ana.move(game))["game"]
        else:
            game = await next_move(service, clock, ana, game)
    assert (await ana.ask("POST", f"/v1/games/{game['game_id']}/rematch")).json()["robot_seconds"] == 2


@pytest.mark.parametrize("seconds", [-1, 61, 1.5, "2"])
async def test_the_pace_is_a_number_of_seconds(api: Api, seconds: object) -> None:
    refused = await (await api.guest()).ask("POST", "/v1/games", {"players": 3, "robot_seconds": seconds})
    assert refused.status_code == 400
