"""One next game for all who ask."""

import asyncio
from datetime import timedelta
from typing import Any

import pytest

from service.application.games import KEEP_SEATS
from tests.kit.clock import SetClock
from tests.kit.player import Api, Guest, Json, on_turn


async def finished(guests: list[Guest], game: Json) -> Json:
    while game["status"] == "playing":
        guest, view = await on_turn(guests, game)
        game = (await guest.move(view))["game"]
    return game


async def over(api: Api, **more: Any) -> tuple[list[Guest], Json]:
    """Return Ana and Eva after a game with a robot."""
    guests = [await api.guest("Ana"), await api.guest("Eva")]
    game = await guests[0].create(robots=1, house_rules=SHORT, **more)
    game = await guests[1].join(
        game["game_id"], **({"invite_code": game["invite_code"]} if "invite_code" in game else {})
    )
    return guests, await finished(guests, game)


def invite(game: Json) -> Json:
    return {"invite_code": game["invite_code"]} if "invite_code" in game else {}


SHORT = {"schedule": {"blocks": [{"kind": "normal", "first": "1", "last": "2", "times": "1"}]}}


def path(game: Json) -> str:
    return f"/v1/games/{game['game_id']}/rematch"


async def test_the_first_to_ask_makes_the_next_game_and_the_others_sit_down_there(api: Api) -> None:
    guests, game = await over(api, turn_seconds=30)
    first = await guests[1].ask("POST", path(game))
    assert first.status_code == 201
    following = first.json()
    assert following["game_id"] != game["game_id"]
    assert first.headers["location"] == f"/v1/games/{following['game_id']}"
    assert (following["status"], following["my_seat"], following["turn_seconds"]) == ("waiting", 0, 30)
    assert following["ruleset"] == game["ruleset"]
    assert following["seats"][2]["robot"] == {"level": "easy"}
    second = await guests[0].ask("POST", path(game), {"client_seed": "mine"})
    assert second.status_code == 200
    assert (second.json()["game_id"], second.json()["status"]) == (following["game_id"], "playing")


async def test_asking_again_changes_nothing(api: Api) -> None:
    guests, game = await over(api)
    answers = [await guests[0].ask("POST", path(game)) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [201, 200, 200]
    assert len({(answer.json()["game_id"], answer.json()["version"]) for answer in answers}) == 1


async def test_all_who_ask_at_once_get_one_game(api: Api) -> None:
    guests, game = await over(api)
    answers = await asyncio.gather(*(guest.ask("POST", path(game)) for guest in guests * 5))
    assert sorted(answer.status_code for answer in answers) == [200] * 9 + [201]
    assert len({answer.json()["game_id"] for answer in answers}) == 1
    assert (await guests[0].look(answers[0].json()["game_id"]))["status"] == "playing"


async def test_a_private_table_is_private_again_and_open_to_those_who_were_there(api: Api) -> None:
    guests, game = await over(api, visibility="private")
    following = (await guests[0].ask("POST", path(game))).json()
    assert following["visibility"] == "private"
    stranger, fairness = await api.guest("Stranger"), f"/v1/games/{following['game_id']}/fairness"
    assert (await guests[1].ask("GET", fairness)).json()["commitment"] == following["commitment"]
    assert (await stranger.ask("GET", fairness)).status_code == 404
    assert (await stranger.ask("POST", path(game))).status_code == 404
    assert (await stranger.ask("GET", f"/v1/games/{following['game_id']}")).status_code == 404
    assert (await guests[1].ask("POST", path(game))).json()["my_seat"] == 1


async def test_there_is_no_rematch_before_the_end(api: Api) -> None:
    guests, game = await api.full_table()
    refused = await guests[0].ask("POST", path(game))
    assert (refused.status_code, refused.json()["code"]) == (409, "game-not-over")


async def test_a_spectator_has_no_rematch(api: Api) -> None:
    _, game = await over(api)
    refused = await (await api.guest("Stranger")).ask("POST", path(game))
    assert (refused.status_code, refused.json()["code"]) == (403, "not-your-seat")


async def test_who_was_away_at_the_end_may_ask_and_no_robot_keeps_the_seat(api: Api) -> None:
    guests = [await api.guest("Ana"), await api.guest("Eva")]
    game = await guests[0].create(robots=1, house_rules=SHORT)
    await guests[1].join(game["game_id"])
    await guests[1].ask("DELETE", f"/v1/games/{game['game_id']}/seats/1")
    game = await finished([guests[0]] * 3, await guests[0].look(game["game_id"]))
    following = (await guests[1].ask("POST", path(game))).json()
    assert [set(seat) - {"seat", "presence", "kept_until"} for seat in following["seats"]] == [
        {"player"},
        set(),
        {"robot"},
    ]


async def test_a_next_game_that_was_given_up_makes_room_for_another(api: Api) -> None:
    guests, game = await over(api)
    given_up = (await guests[0].ask("POST", path(game))).json()
    await guests[0].ask("DELETE", f"/v1/games/{given_up['game_id']}/seats/0")
    again = await guests[1].ask("POST", path(game))
    assert again.status_code == 201
    assert again.json()["game_id"] != given_up["game_id"]


async def listed(guest: Guest, game_id: str) -> Json:
    games = (await guest.ask("GET", "/v1/games?status=waiting")).json()["items"]
    return next(game for game in games if game["game_id"] == game_id)


@pytest.mark.parametrize("visibility", ["public", "private"])
async def test_for_a_while_no_stranger_takes_the_seat_of_one_who_played(
    api: Api, clock: SetClock, visibility: str
) -> None:
    guests, game = await over(api, visibility=visibility)
    following = (await guests[0].ask("POST", path(game))).json()
    stranger, seats = await api.guest("Stranger"), f"/v1/games/{following['game_id']}/seats"
    clock.time += KEEP_SEATS - timedelta(microseconds=1)
    for body in ({}, {"seat": 1}):
        refused = await stranger.ask("POST", seats, {**body, **invite(following)})
        assert (refused.status_code, refused.json()["code"]) == (409, "game-full")
    if visibility == "public":
        assert (await listed(stranger, following["game_id"]))["free_seats"] == 0
        until = following["seats"][1]["kept_until"]
        assert (await listed(stranger, following["game_id"]))["seats"][1] == {"seat": 1, "kept_until": until}
        assert (await stranger.look(following["game_id"]))["seats"][1] == {"seat": 1, "kept_until": until}
    assert (await guests[1].ask("POST", path(game))).json()["status"] == "playing"


async def test_then_the_seat_is_for_anybody(api: Api, clock: SetClock) -> None:
    guests, game = await over(api)
    following = (await guests[0].ask("POST", path(game))).json()
    clock.time += KEEP_SEATS
    stranger = await api.guest("Stranger")
    assert (await listed(stranger, following["game_id"]))["free_seats"] == 1
    assert (await listed(stranger, following["game_id"]))["seats"][1] == {"seat": 1}
    assert (await stranger.look(following["game_id"]))["seats"][1] == {"seat": 1}
    assert (await stranger.join(following["game_id"]))["my_seat"] == 1


async def test_the_host_may_give_a_kept_seat_to_a_robot(api: Api) -> None:
    guests, game = await over(api)
    following = (await guests[0].ask("POST", path(game))).json()
    robot = await guests[0].ask("PUT", f"/v1/games/{following['game_id']}/seats/1/robot", {"level": "easy"})
    assert robot.json()["status"] == "playing"


async def test_a_next_game_that_is_full_is_closed(api: Api, clock: SetClock) -> None:
    guests, game = await over(api)
    following = (await guests[0].ask("POST", path(game))).json()
    clock.time += KEEP_SEATS
    await (await api.guest("Stranger")).join(following["game_id"])
    refused = await guests[1].ask("POST", path(game))
    assert (refused.status_code, refused.json()["code"]) == (409, "game-full")


@pytest.mark.parametrize("body", [{"players": 4}, [], {"client_seed": 1}])
async def test_a_rematch_changes_nothing_of_the_table(api: Api, body: object) -> None:
    guests, game = await over(api)
    assert (await guests[0].ask("POST", path(game), body)).status_code == 400


async def test_the_house_rules_stay(api: Api) -> None:
    guests, game = await over(api)
    following = (await guests[0].ask("POST", path(game))).json()
    rules = [
        (await guests[0].ask("GET", f"/v1/games/{one['game_id']}/ruleset")).json()["ruleset"]
        for one in (game, following)
    ]
    assert rules[0] == rules[1]


async def test_rematches_are_not_made_and_given_up_for_ever(api: Api) -> None:
    guests, game = await over(api)
    for _ in range(20):
        following = (await guests[0].ask("POST", path(game))).json()
        await guests[0].ask("DELETE", f"/v1/games/{following['game_id']}/seats/0")
    refused = await guests[1].ask("POST", path(game))
    assert (refused.status_code, refused.json()["code"]) == (409, "game-over")
