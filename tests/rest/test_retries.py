"""A repeated request is answered as it was, and not carried out again; rulings of the design, section 4."""

import asyncio
from typing import Any
from uuid import UUID

import pytest

from service.adapters.memory.store import MemoryStore
from tests.kit.player import Api, Guest, Json, legal_moves, on_turn

KEY = {"Idempotency-Key": "8e03978e-40d5-43dd-bc93-6894a57f9324"}
OTHER = {"Idempotency-Key": "another"}
TIMES = ("server_time", "seats")


def of_the_game(view: Json) -> Json:
    """Return what a view says of the game itself; who is there may change."""
    return {name: value for name, value in view.items() if name not in TIMES}


async def moving(api: Api) -> tuple[list[Guest], Guest, Json, str, Json]:
    """Return a started game's guests, the one on turn, its view, and where to post a legal move, with which body."""
    guests, game = await api.full_table()
    guest, view = await on_turn(guests, game)
    path, body = legal_moves(view)[0]
    return guests, guest, view, f"/v1/games/{game['game_id']}/{path}", body


async def test_a_repeated_move_is_made_once_and_answered_the_same(api: Api) -> None:
    _, guest, view, path, body = await moving(api)
    first = await guest.ask("POST", path, body, KEY)
    again = await guest.ask("POST", path, body, KEY)
    assert "idempotency-replayed" not in first.headers
    assert again.headers["idempotency-replayed"] == "true"
    assert (again.status_code, again.headers["etag"]) == (first.status_code, first.headers["etag"])
    assert again.json() == first.json()
    assert (await guest.look(view["game_id"]))["version"] == view["version"] + 1


async def test_a_game_id_in_capitals_names_the_same_request(api: Api) -> None:
    _, guest, view, path, body = await moving(api)
    first = await guest.ask("POST", path, body, KEY)
    for written in (view["game_id"].upper(), view["game_id"].title()):
        again = await guest.ask("POST", path.replace(view["game_id"], written), body, KEY)
        assert (again.json()["version"], again.headers["idempotency-replayed"]) == (first.json()["version"], "true")


async def test_a_move_is_replayed_as_it_was_after_the_game_went_on(api: Api) -> None:
    guests, guest, view, path, body = await moving(api)
    first = (await guest.ask("POST", path, body, KEY)).json()
    for _ in range(3):
        other, shown = await on_turn(guests, await guests[0].look(view["game_id"]))
        await other.move(shown)
    again = (await guest.ask("POST", path, body, KEY)).json()
    assert (again["version"], again["events"]) == (first["version"], first["events"])
    assert of_the_game(again["game"]) == of_the_game(first["game"])


async def test_the_key_is_looked_up_before_the_expected_version(api: Api) -> None:
    _, guest, view, path, body = await moving(api)
    body = {**body, "expected_version": view["version"]}
    assert (await guest.ask("POST", path, body, KEY)).status_code == 200
    again = await guest.ask("POST", path, body, KEY)
    assert (again.status_code, again.headers["idempotency-replayed"]) == (200, "true")
    stale = await guest.ask("POST", path, body, OTHER)
    assert (stale.status_code, stale.json()["code"]) == (409, "version-conflict")


@pytest.mark.parametrize("expected", [True, False])
async def test_another_body_under_the_key_is_refused_and_changes_nothing(api: Api, *, expected: bool) -> None:
    _, guest, view, path, body = await moving(api)
    await guest.ask("POST", path, body, KEY)
    other: Json = {"bid": 12} | ({"expected_version": view["version"]} if expected else {})
    refused = await guest.ask("POST", path, other, KEY)
    assert (refused.status_code, refused.json()["code"]) == (422, "idempotency-key-reused")
    assert (await guest.look(view["game_id"]))["version"] == view["version"] + 1


async def test_the_same_body_elsewhere_at_the_table_is_another_request(api: Api) -> None:
    _, guest, view, path, body = await moving(api)
    await guest.ask("POST", path, body, KEY)
    refused = await guest.ask("POST", f"/v1/games/{view['game_id']}/auction-bids", body, KEY)
    assert (refused.status_code, refused.json()["code"]) == (422, "idempotency-key-reused")


async def test_house_rules_written_in_another_order_are_the_same_request(api: Api) -> None:
    guest = await api.guest()
    bodies: list[Json] = [
        {"players": 4, "house_rules": {"scoring": {"hit_base": 5, "suit_multiplier": {"oros": 4, "copas": 3}}}},
        {"house_rules": {"scoring": {"suit_multiplier": {"copas": 3, "oros": 4}, "hit_base": 5}}, "players": 4},
    ]
    made, again = [await guest.ask("POST", "/v1/games", body, KEY) for body in bodies]
    assert (made.status_code, again.headers["idempotency-replayed"]) == (201, "true")
    assert again.json()["game_id"] == made.json()["game_id"]


async def test_a_body_written_in_another_way_is_the_same_request(api: Api) -> None:
    _, guest, view, path, body = await moving(api)
    await guest.ask("POST", path, {**body, "expected_version": view["version"]}, KEY)
    turned = {"expected_version": view["version"], **body}
    assert (await guest.ask("POST", path, turned, KEY)).headers["idempotency-replayed"] == "true"


async def test_two_callers_may_use_the_same_key(api: Api) -> None:
    guests, guest, view, path, body = await moving(api)
    await guest.ask("POST", path, body, KEY)
    other, shown = await on_turn(guests, await guests[0].look(view["game_id"]))
    bid = {"bid": shown["turn"]["legal_bids"][0]}
    response = await other.ask("POST", path, bid, KEY)
    assert response.status_code == 200
    assert "idempotency-replayed" not in response.headers


async def test_a_refused_request_leaves_its_key_free(api: Api) -> None:
    guests, guest, view, path, body = await moving(api)
    other = next(one for one in guests if one is not guest)
    assert (await other.ask("POST", path, {"bid": 0}, KEY)).json()["code"] == "not-your-turn"
    await guest.ask("POST", path, body)
    while (turn := (await other.look(view["game_id"]))["turn"])["seat"] != (await other.look(view["game_id"]))[
        "my_seat"
    ]:
        assert turn
        mover, shown = await on_turn(guests, await guests[0].look(view["game_id"]))
        await mover.move(shown)
    assert (await other.ask("POST", path, {"bid": 0}, KEY)).status_code == 200


async def test_a_repeated_creation_makes_one_table(api: Api, log: MemoryStore) -> None:
    ana = await api.guest()
    body = {"ruleset": "ludoteka-express-3", "players": 3, "visibility": "private"}
    first, again = [await ana.ask("POST", "/v1/games", body, KEY) for _ in range(2)]
    assert again.headers["idempotency-replayed"] == "true"
    assert (again.status_code, again.json()) == (201, first.json())
    assert again.headers["location"] == first.headers["location"]
    assert await log.seated(ana.player_id, 10) == [UUID(first.json()["game_id"])]
    other = await ana.ask("POST", "/v1/games", {**body, "players": 4, "ruleset": "clasica"}, KEY)
    assert (other.status_code, other.json()["code"]) == (422, "idempotency-key-reused")


async def test_a_creation_is_replayed_as_it_was_after_the_table_has_filled(api: Api) -> None:
    ana, eva = await api.guest("Ana"), await api.guest("Eva")
    body = {"ruleset": "clasica", "players": 4, "robots": [{"level": "easy"}] * 2}
    first = (await ana.ask("POST", "/v1/games", body, KEY)).json()
    await eva.join(first["game_id"])
    again = await ana.ask("POST", "/v1/games", body, KEY)
    assert of_the_game(again.json()) == of_the_game(first)
    assert again.json()["status"] == "waiting"


async def test_sitting_down_and_getting_up_are_done_once(api: Api) -> None:
    ana, eva = await api.guest("Ana"), await api.guest("Eva")
    game = await ana.create(visibility="private")
    seats = f"/v1/games/{game['game_id']}/seats"
    code = {"invite_code": game["invite_code"]}
    joined = [await eva.ask("POST", seats, code, KEY) for _ in range(2)]
    assert [one.status_code for one in joined] == [201, 201]
    assert joined[1].headers["idempotency-replayed"] == "true"
    left = [await eva.ask("DELETE", f"{seats}/1", headers=OTHER) for _ in range(2)]
    # She has left a private table, and may no longer know of it; what she did there is still answered.
    assert [one.status_code for one in left] == [200, 200]
    assert left[1].headers["idempotency-replayed"] == "true"
    assert (await eva.ask("GET", f"/v1/games/{game['game_id']}")).status_code == 404


async def test_a_robot_is_seated_once(api: Api) -> None:
    ana = await api.guest()
    game = await ana.create()
    path = f"/v1/games/{game['game_id']}/seats/2/robot"
    seated = [await ana.ask("PUT", path, {"level": "easy"}, KEY) for _ in range(2)]
    assert [(one.status_code, one.headers.get("idempotency-replayed")) for one in seated] == [
        (200, None),
        (200, "true"),
    ]


async def test_a_request_sent_many_times_at_once_is_carried_out_once(api: Api) -> None:
    _, guest, view, path, body = await moving(api)
    answers = await asyncio.gather(*(guest.ask("POST", path, body, KEY) for _ in range(10)))
    assert {answer.status_code for answer in answers} == {200}
    assert len([answer for answer in answers if "idempotency-replayed" not in answer.headers]) == 1
    assert len({answer.json()["version"] for answer in answers}) == 1
    assert (await guest.look(view["game_id"]))["version"] == view["version"] + 1


@pytest.mark.parametrize("key", ["", " ", "x" * 129, "tab\there", "ñ".encode().decode("latin-1")])
async def test_a_malformed_key_is_refused_and_nothing_is_done(api: Api, key: str) -> None:
    _, guest, view, path, body = await moving(api)
    headers: Any = [(b"authorization", f"Bearer {guest.token}".encode()), (b"idempotency-key", key.encode("latin-1"))]
    refused = await api.client.post(path, json=body, headers=headers)
    assert (refused.status_code, refused.json()["errors"][0]["pointer"]) == (400, "header/Idempotency-Key")
    assert (await guest.look(view["game_id"]))["version"] == view["version"]


async def test_two_keys_are_refused(api: Api) -> None:
    _, guest, _, path, body = await moving(api)
    headers: Any = [
        (b"authorization", f"Bearer {guest.token}".encode()),
        (b"idempotency-key", b"one"),
        (b"idempotency-key", b"two"),
    ]
    assert (await api.client.post(path, json=body, headers=headers)).status_code == 400


async def test_a_guest_is_made_anew_each_time_since_nobody_could_tell_whose_key_it_is(api: Api) -> None:
    made = [await api.client.post("/v1/players", json={"display_name": "Ana"}, headers=KEY) for _ in range(2)]
    assert [one.status_code for one in made] == [201, 201]
    assert made[0].json()["player_id"] != made[1].json()["player_id"]


async def test_the_keys_used_at_a_game_are_apart_from_the_one_that_it_was_made_under(api: Api) -> None:
    ana = await api.guest()
    game = (await ana.ask("POST", "/v1/games", {"players": 3, "robots": [{"level": "easy"}]}, KEY)).json()
    left = await ana.ask("DELETE", f"/v1/games/{game['game_id']}/seats/0", headers=KEY)
    assert (left.status_code, "idempotency-replayed" in left.headers) == (200, False)
