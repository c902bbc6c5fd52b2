"""A robot makes the caller's move, once, as the caller's command."""

import pytest

from tests.contract.kinds import BLIND_PICK, PENALISED, hands
from tests.kit.player import Api, Json, on_turn

AUCTION = hands(("subastado", "3", "2"))
ALL_KINDS: list[Json] = [
    hands(("india", "1", "1"), ("oros", "2", "1"), ("ciega", "2", "1"), ("normal", "3", "1")),
    {**AUCTION, "auction": {"protocol": "ascending-once", "winner_second_bid": "locked"}},
    {**hands(("normal", "max", "1")), **BLIND_PICK},
    {**hands(("normal", "4", "2")), **PENALISED},
]


@pytest.mark.parametrize("house_rules", ALL_KINDS)
async def test_robots_play_whole_games_for_people_who_never_move(api: Api, house_rules: Json) -> None:
    guests = [await api.guest("Ana"), await api.guest("Eva")]
    game = await guests[0].create("clasica", 4, 2, house_rules=house_rules)
    game = await guests[1].join(game["game_id"])
    levels = ("easy", "normal", "hard")
    moves = 0
    while game["status"] == "playing":
        guest, view = await on_turn(guests, game)
        body = {"level": levels[moves % 3], "expected_version": view["version"]}
        response = await guest.ask("POST", f"/v1/games/{game['game_id']}/robot-moves", body)
        assert response.status_code == 200, response.text
        assert response.json()["version"] == view["version"] + 1
        game, moves = response.json()["game"], moves + 1
    assert game["status"] == "finished"


async def test_only_the_move_on_turn_is_made(api: Api) -> None:
    guests, game = await api.full_table()
    guest, view = await on_turn(guests, game)
    waiting = guests[(int(view["turn"]["seat"]) + 1) % 3]
    path = f"/v1/games/{game['game_id']}/robot-moves"
    refused = await waiting.ask("POST", path)
    assert (refused.status_code, refused.json()["code"]) == (409, "not-your-turn")
    stranger = await (await api.guest()).ask("POST", path)
    assert (stranger.status_code, stranger.json()["code"]) == (403, "not-your-seat")
    stale = await guest.ask("POST", path, {"expected_version": view["version"] + 1})
    assert (stale.status_code, stale.json()["code"]) == (409, "version-conflict")
    assert (await guest.look(game["game_id"]))["version"] == view["version"]


async def test_before_the_start_and_after_the_end_there_is_no_move(api: Api) -> None:
    ana = await api.guest()
    waiting = await ana.create(players=3)
    refused = await ana.ask("POST", f"/v1/games/{waiting['game_id']}/robot-moves")
    assert (refused.status_code, refused.json()["code"]) == (409, "wrong-phase")
    game = await ana.create("clasica", 3, 2, house_rules=hands(("normal", "1", "1")))
    while game["status"] == "playing":
        game = (await ana.ask("POST", f"/v1/games/{game['game_id']}/robot-moves")).json()["game"]
    refused = await ana.ask("POST", f"/v1/games/{game['game_id']}/robot-moves")
    assert (refused.status_code, refused.json()["code"]) == (409, "game-over")


async def test_a_repeated_request_moves_once(api: Api) -> None:
    ana = await api.guest()
    game = await ana.create(players=3, robots=2)
    key = {"Idempotency-Key": "once"}
    path = f"/v1/games/{game['game_id']}/robot-moves"
    first = await ana.ask("POST", path, headers=key)
    again = await ana.ask("POST", path, headers=key)
    assert again.headers["idempotency-replayed"] == "true"
    assert again.json()["events"] == first.json()["events"]
    assert again.json()["version"] == first.json()["version"] == game["version"] + 1
