"""A table at which no player sits rests: what a table of robots alone does must cost nobody anything."""

from datetime import datetime, timedelta

import pytest

from service.application import deadlines
from service.bootstrap.service import Service
from tests.kit.clock import SetClock
from tests.kit.player import Api, Guest, Json, on_turn

UNATTENDED = deadlines.AbandonAfter().unattended
MOMENT = timedelta(microseconds=1)
LONG = {
    "players": {"allowed": [10], "occasional": []},
    "schedule": {"blocks": [{"kind": "normal", "first": "4", "last": "4", "times": "20"}] * 10},
}
"""The longest game that robots can be asked for."""


async def leave(guest: Guest, game: Json) -> Json:
    seat = (await guest.look(game["game_id"]))["my_seat"]
    left = await guest.ask("DELETE", f"/v1/games/{game['game_id']}/seats/{seat}")
    assert left.status_code == 200
    return left.json()


async def events(guest: Guest, game: Json) -> list[Json]:
    return (await guest.ask("GET", f"/v1/games/{game['game_id']}/events?limit=1000")).json()["items"]


async def test_robots_alone_make_no_move(api: Api) -> None:
    ana = await api.guest()
    game = await ana.create("clasica", 10, robots=9, house_rules=LONG)
    left = await leave(ana, game)
    assert (left["status"], left["version"]) == ("playing", game["version"] + 1)
    assert [event["type"] for event in await events(ana, game)][-2:] == ["seat_left", "robot_seated"]


async def test_they_go_on_when_a_player_comes_back_in_time(api: Api, service: Service, clock: SetClock) -> None:
    guests, game = await api.table_of_two("ludoteka-express-3", 3)
    mover, _ = await on_turn(guests, game)
    other = next(guest for guest in guests if guest is not mover)
    await leave(other, game)
    resting = await leave(mover, game)
    clock.time += UNATTENDED - MOMENT
    await service.deadline_worker.run_once()
    back = await other.join(game["game_id"])
    assert (back["status"], back["turn"]["seat"]) == ("playing", back["my_seat"])
    moves = [event for event in await events(other, game) if event["version"] > resting["version"]]
    assert [event["type"] for event in moves][:2] == ["seat_taken", "bid_made"]


async def test_after_a_while_it_is_abandoned(api: Api, service: Service, clock: SetClock) -> None:
    ana = await api.guest()
    game = await ana.create(robots=2)
    await leave(ana, game)
    clock.time += UNATTENDED - MOMENT
    await service.deadline_worker.run_once()
    assert (await ana.look(game["game_id"]))["status"] == "playing"
    clock.time += MOMENT
    await service.deadline_worker.run_once()
    view = await ana.look(game["game_id"])
    assert (view["status"], "result" in view) == ("abandoned", False)


async def test_who_comes_back_to_a_resting_table_has_the_whole_time_of_a_turn(
    api: Api, service: Service, clock: SetClock
) -> None:
    ana = await api.guest()
    game = await ana.create(robots=2, turn_seconds=30)
    resting = await leave(ana, game)
    assert "deadline" not in resting["turn"]
    clock.time += UNATTENDED / 2
    assert await service.deadline_worker.run_once() == 0
    back = await ana.join(game["game_id"])
    assert datetime.fromisoformat(back["turn"]["deadline"]) == clock.time + timedelta(seconds=30)
    await service.deadline_worker.run_once()
    assert (await ana.look(game["game_id"]))["my_seat"] == 0


async def test_a_table_where_one_player_sits_does_not_rest(api: Api, service: Service, clock: SetClock) -> None:
    guests, game = await api.table_of_two("ludoteka-express-3", 3)
    await leave(guests[1], game)
    clock.time += UNATTENDED
    await service.deadline_worker.run_once()
    view = await guests[0].look(game["game_id"])
    while view["status"] == "playing":
        view = (await guests[0].move(view))["game"]
    assert view["status"] == "finished"


@pytest.mark.parametrize("returns", [False, True])
async def test_who_is_away_at_the_end_does_not_win_by_a_robot(api: Api, *, returns: bool) -> None:
    """Eva's robot plays the only hand that counts for her, with the highest total in one of these games."""
    won = 0
    for _ in range(12):
        guests, game = await api.table_of_two("ludoteka-express-3", 3)
        ana, eva = guests
        await leave(eva, game)
        view = await ana.look(game["game_id"])
        while view["status"] == "playing" and not (returns and view["hand"]["number"] == 3):
            view = (await ana.move(view))["game"]
        if returns:
            view = await eva.join(game["game_id"])
        while view["status"] == "playing":
            mover, view = await on_turn(guests, view)
            view = (await mover.move(view))["game"]
        best = view["scores"][1]["rank"] == 1
        assert (1 in view["result"]["winners"]) == (best and returns)
        first = min(score["rank"] for score in view["scores"] if returns or score["seat"] != 1)
        assert view["result"]["winners"] == [
            score["seat"] for score in view["scores"] if score["rank"] == first and (returns or score["seat"] != 1)
        ]
        record = (await ana.ask("GET", f"/v1/games/{game['game_id']}/record")).json()
        assert ("away" in record["seats"][1]) == (not returns)
        won += best
    assert won
