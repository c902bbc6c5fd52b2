"""Foreign seats: who sits elsewhere, or nowhere, can do nothing there."""

from typing import Any

import httpx
import pytest

from tests.kit.player import Json, legal_moves
from tests.security.every_operation import Asked, at_a_table
from tests.security.world import World

# Everyone who may look at a table may pass it on.
FOR_ALL = {"createScoreSheetLinks", "getGameCode"}
DONE_AT_A_SEAT = [
    asked for asked in at_a_table() if asked.method != "GET" and asked.operation not in {"abandonGame", *FOR_ALL}
]


async def ask(world: World, credential: str, asked: Asked, game: Json) -> httpx.Response:
    path = asked.of(game["game_id"]).replace("/seats/1", "/seats/0")
    return await world.client.request(
        asked.method, path, json=asked.body, headers={"Authorization": f"Bearer {credential}", **asked.headers}
    )


async def playing(world: World, key: str | None = None) -> tuple[str, Json]:
    """Return somebody's token, and their view of a game that waits for them."""
    token = (await world.player(key))["token"]
    return token, await world.table(token, robots=[{"level": "easy"}] * 2)


def unseen(game: Json) -> set[str]:
    """Return the cards that only the seat may know: all but the one that was turned up, which is the dealer's."""
    return set(game["hand"]["my_cards"]) - {game["hand"].get("turn_up")}


@pytest.mark.parametrize("key", [None, "shop"])
async def test_who_sits_nowhere_can_do_nothing_at_a_table(world: World, shop: str, key: str | None) -> None:
    key = shop if key else None
    token, game = await playing(world, key)
    spectator = (await world.player(key, "user-2"))["token"]
    for asked in DONE_AT_A_SEAT:
        answer = await ask(world, spectator, asked, game)
        refusal = (answer.status_code, answer.json()["code"])
        assert refusal in {(403, "not-your-seat"), (409, "wrong-phase"), (409, "game-full"), (409, "game-not-over")}
        if asked.operation not in {"joinGame", "seatRobot", "requestRematch"}:
            assert refusal == (403, "not-your-seat"), asked
    now = (await world.ask(token, "GET", f"/v1/games/{game['game_id']}")).json()
    assert now["version"] == game["version"]


async def test_who_sits_elsewhere_moves_for_nobody_else(world: World) -> None:
    tokens = [(await world.player())["token"] for _ in range(3)]
    game = await world.table(tokens[0])
    for token in tokens[1:]:
        await world.ask(token, "POST", f"/v1/games/{game['game_id']}/seats", {})
    views = [(await world.ask(token, "GET", f"/v1/games/{game['game_id']}")).json() for token in tokens]
    turn = views[0]["turn"]["seat"]
    on_turn = next(view for view in views if view["my_seat"] == turn)
    for token, view in zip(tokens, views, strict=True):
        if view["my_seat"] == turn:
            continue
        for path, body in legal_moves(on_turn):
            answer = await world.ask(token, "POST", f"/v1/games/{game['game_id']}/{path}", body)
            assert (answer.status_code, answer.json()["code"]) == (409, "not-your-turn")
        answer = await world.ask(token, "DELETE", f"/v1/games/{game['game_id']}/seats/{turn}")
        assert (answer.status_code, answer.json()["code"]) == (403, "not-your-seat")


async def test_nobody_but_the_host_speaks_for_a_table(world: World) -> None:
    host, other = [(await world.player())["token"] for _ in range(2)]
    game = await world.table(host)
    await world.ask(other, "POST", f"/v1/games/{game['game_id']}/seats", {})
    for credential in (other, (await world.player())["token"]):
        answer = await world.ask(credential, "PUT", f"/v1/games/{game['game_id']}/seats/2/robot", {"level": "easy"})
        assert (answer.status_code, answer.json()["code"]) == (403, "not-the-host")


async def test_what_a_seat_sees_is_for_that_seat(world: World) -> None:
    """No other caller is answered with what only the seat may know, with or without its entity tag."""
    _, game = await playing(world)
    cards = unseen(game)
    tag = {"If_None_Match": f'W/"{game["version"]}-0"'}
    for other in (await world.player(), await world.player(name="Eva")):
        for path in ("", "/events", "/score-sheet", "/fairness", "/ruleset"):
            answer: Any = await world.ask(other["token"], "GET", f"/v1/games/{game['game_id']}{path}", None, **tag)
            assert answer.status_code == 200
            assert not [card for card in cards if f'"{card}"' in answer.text and path != "/ruleset"], path


@pytest.mark.parametrize("asked", DONE_AT_A_SEAT, ids=lambda asked: asked.operation)
async def test_an_app_does_nothing_at_its_own_tables_but_give_them_up(world: World, shop: str, asked: Asked) -> None:
    _, game = await playing(world, shop)
    answer = await ask(world, shop, asked, game)
    assert (answer.status_code, answer.json()["code"]) == (403, "not-your-seat")


async def test_an_app_makes_no_table(world: World, shop: str) -> None:
    for headers in ({}, {"Idempotency_Key": "x"}):
        answer = await world.ask(shop, "POST", "/v1/games", {"players": 4}, **headers)
        assert (answer.status_code, answer.json()["code"]) == (403, "not-your-seat")
        assert answer.json()["detail"] == "An app itself has no seat: call with the token of one of its players."


async def test_an_app_sees_no_card_at_its_own_tables(world: World, shop: str) -> None:
    token = (await world.player(shop))["token"]
    game = await world.table(token, robots=[{"level": "easy"}] * 2, visibility="private")
    for path in ("", "/events", "/fairness"):
        answer = await world.ask(shop, "GET", f"/v1/games/{game['game_id']}{path}")
        assert answer.status_code == 200
        assert not [card for card in unseen(game) if f'"{card}"' in answer.text]
        for secret in ("my_cards", "invite_code", "server_seed"):
            assert f'"{secret}"' not in answer.text
