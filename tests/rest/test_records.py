"""The rules of a game, its fairness, and its record: what is told when, and to whom."""

import base64
import hashlib
from typing import Any

import httpx
import msgspec
import pytest

from domain.pocha.rules.presets import CLASICA
from domain.pocha.view.parts import whole_ruleset
from service.application.record.verify import verify
from tests.kit.player import Api, Guest, Json, on_turn, without_presence

SHORT: Json = {
    "seating": {"order": "random"},
    "schedule": {
        "blocks": [
            {"kind": "normal", "first": "1", "last": "2", "times": "1"},
            {"kind": "india", "first": "1", "last": "1", "times": "1"},
            {"kind": "subastado", "first": "2", "last": "2", "times": "1"},
        ]
    },
}


async def get(guest: Guest, game: Json, what: str) -> Json:
    response = await guest.ask("GET", f"/v1/games/{game['game_id']}/{what}")
    assert response.status_code == 200, response.text
    return response.json()


async def table(api: Api, **more: Any) -> tuple[list[Guest], Json]:
    """Three guests at a table of short hands, by seat in the game; the first and the last of them gave seeds."""
    guests = [await api.guest(name) for name in ("Ana", "Bea", "Carla")]
    game = await guests[0].create("clasica", 3, house_rules=SHORT, client_seed="ana!", **more)
    code = {"invite_code": game["invite_code"]} if "invite_code" in game else {}
    await guests[1].join(game["game_id"], **code)
    view = await guests[2].join(game["game_id"], client_seed="c" * 64, **code)
    ids = [seat["player"]["player_id"] for seat in view["seats"]]
    return sorted(guests, key=lambda guest: ids.index(guest.player_id)), view


async def to_the_end(guests: list[Guest], game: Json) -> Json:
    choice = 0
    while game["status"] == "playing":
        guest, view = await on_turn(guests, game)
        game = (await guest.move(view, choice))["game"]
        choice += 7
    return game


async def test_before_the_start_fairness_tells_the_commitment_and_who_gave_what_so_far(api: Api) -> None:
    ana, eva = await api.guest(), await api.guest()
    game = await ana.create("torofun", 3, client_seed="first")
    assert await get(eva, game, "fairness") == {
        "game_id": game["game_id"],
        "commitment": game["commitment"],
        "algorithm": "pocha-shuffle-2",
        "client_seeds": [{"seat": 0, "client_seed": "first"}],
    }


async def test_who_gets_up_before_the_start_takes_the_own_seed_along(api: Api) -> None:
    ana, eva = await api.guest(), await api.guest()
    game = await ana.create("torofun", 3)
    await eva.join(game["game_id"], client_seed="eva")
    assert (await get(ana, game, "fairness"))["client_seeds"] == [{"seat": 1, "client_seed": "eva"}]
    await eva.ask("DELETE", f"/v1/games/{game['game_id']}/seats/1")
    assert (await get(ana, game, "fairness"))["client_seeds"] == []


async def test_a_started_game_tells_order_and_first_dealer_and_its_seeds_by_the_seats_in_the_game(api: Api) -> None:
    guests, game = await table(api)
    fairness = await get(guests[0], game, "fairness")
    assert fairness["first_dealer"] == game["hand"]["dealer"]
    assert sorted(fairness["order"]) == [0, 1, 2]
    seats = {given["client_seed"]: fairness["order"][given["seat"]] for given in fairness["client_seeds"]}
    assert seats == {"ana!": 0, "c" * 64: 2}
    assert "server_seed" not in fairness


async def test_where_seats_are_not_drawn_there_is_no_order(api: Api) -> None:
    ana = await api.guest()
    assert "order" not in await get(ana, await ana.create(robots=2), "fairness")


async def test_after_the_end_the_servers_seed_is_told_and_fits_the_commitment(api: Api) -> None:
    guests, game = await table(api)
    await to_the_end(guests, game)
    fairness = await get(await api.guest("Stranger"), game, "fairness")
    assert hashlib.sha256(bytes.fromhex(fairness["server_seed"])).hexdigest() == game["commitment"]


async def test_the_digest_of_the_record_is_told_once_the_game_is_finished(api: Api) -> None:
    guests, game = await table(api)
    assert "record_digest" not in await get(guests[0], game, "fairness")
    await to_the_end(guests, game)
    digest = (await get(guests[0], game, "fairness"))["record_digest"]
    assert digest == (await get(guests[1], game, "record"))["digest"]
    assert digest == (await get(guests[2], game, "fairness"))["record_digest"]


async def test_an_abandoned_game_tells_its_seed_and_has_no_record(api: Api) -> None:
    ana = await api.guest()
    game = await ana.create("torofun", 3)
    await ana.ask("DELETE", f"/v1/games/{game['game_id']}/seats/0")
    fairness = await get(ana, game, "fairness")
    assert hashlib.sha256(bytes.fromhex(fairness["server_seed"])).hexdigest() == game["commitment"]
    assert "record_digest" not in fairness
    response = await ana.ask("GET", f"/v1/games/{game['game_id']}/record")
    assert (response.status_code, response.json()["code"]) == (409, "game-not-over")


async def test_a_record_is_for_finished_games_only(api: Api) -> None:
    guests, game = await table(api)
    response = await guests[0].ask("GET", f"/v1/games/{game['game_id']}/record")
    assert (response.status_code, response.json()["code"]) == (409, "game-not-over")


async def test_the_record_of_a_finished_game_is_right_and_agrees_with_the_last_view(api: Api) -> None:
    guests, game = await table(api)
    last = without_presence(await to_the_end(guests, game))
    response = await (await api.guest("Stranger")).ask("GET", f"/v1/games/{game['game_id']}/record")
    record = response.json()
    assert verify(response.content).hands == len(record["hands"]) >= 4
    told = ("game_id", "created_at", "commitment", "seats", "scores", "result")
    assert {name: record[name] for name in told} == {name: last[name] for name in told}
    assert record["format"] == 2
    assert record["ruleset"]["house_rules"] is True
    assert [hand["kind"] for hand in record["hands"][:4]] == ["normal", "normal", "india", "subastado"]


async def test_the_record_says_the_same_as_the_events(api: Api) -> None:
    guests, game = await table(api)
    await to_the_end(guests, game)
    events = (await get(guests[0], game, "events?limit=1000"))["items"]
    hands = (await get(guests[0], game, "record"))["hands"]
    plays = [{"seat": event["seat"], "card": event["card"]} for event in events if event["type"] == "card_played"]
    assert [play for hand in hands for play in hand["plays"]] == plays
    scored = [event["scores"] for event in events if event["type"] == "hand_scored"]
    told = ("seat", "bid", "tricks", "points", "total")
    assert [hand["scores"] for hand in hands] == [
        [{name: one[name] for name in told} for one in scores] for scores in scored
    ]


async def test_no_byte_that_anybody_gets_before_the_end_has_the_seed(api: Api) -> None:
    received: list[bytes] = []

    async def keep(response: httpx.Response) -> None:
        received.append(await response.aread() + repr(response.headers.raw).encode())

    api.client.event_hooks["response"].append(keep)
    guests, game = await table(api)
    stranger, before = await api.guest("Stranger"), 0
    while game["status"] == "playing":
        for guest in (*guests, stranger):
            for what in ("", "/fairness", "/record", "/ruleset", "/events", "/score-sheet"):
                await guest.ask("GET", f"/v1/games/{game['game_id']}{what}")
        before = len(received)
        guest, view = await on_turn(guests, game)
        game = (await guest.move(view, 1))["game"]
    seed = bytes.fromhex((await get(stranger, game, "fairness"))["server_seed"])
    told = b"\n".join(received[:before])
    assert len(told) > 10_000
    for written in _forms(seed):
        assert written not in told


async def test_a_private_games_proofs_are_for_those_who_sit_there(api: Api) -> None:
    guests, game = await table(api, visibility="private")
    await to_the_end(guests, game)
    stranger = await api.guest("Stranger")
    for what in ("fairness", "record", "ruleset"):
        response = await stranger.ask("GET", f"/v1/games/{game['game_id']}/{what}")
        assert (response.status_code, response.json()["code"]) == (404, "not-found")
        assert (await guests[1].ask("GET", f"/v1/games/{game['game_id']}/{what}")).status_code == 200


@pytest.mark.parametrize("what", ["fairness", "record", "ruleset"])
async def test_they_are_asked_with_a_token_and_without_parameters(api: Api, what: str) -> None:
    ana = await api.guest()
    game = await ana.create(robots=2)
    assert (await api.client.get(f"/v1/games/{game['game_id']}/{what}")).status_code == 401
    assert (await ana.ask("GET", f"/v1/games/{game['game_id']}/{what}?x=1")).status_code == 400
    assert (await ana.ask("GET", f"/v1/games/nonsense/{what}")).status_code == 400


async def test_the_rules_of_a_game_are_those_of_its_preset_with_its_house_rules(api: Api) -> None:
    guests, game = await table(api)
    rules = await get(guests[0], game, "ruleset")
    preset = msgspec.json.decode(msgspec.json.encode(whole_ruleset(CLASICA)))
    changed = {name for name, value in rules["ruleset"].items() if preset[name] != value}
    assert changed == {"seating", "schedule", "house_rules"}
    assert rules["schedule"]["players"] == 3
    assert len(rules["schedule"]["removed"]) == 4
    kinds = [hand["kind"] for hand in rules["schedule"]["hands"]]
    assert kinds == ["normal", "normal", "india", "subastado"]


async def test_a_waiting_table_tells_its_rules_as_the_started_one_will(api: Api) -> None:
    ana = await api.guest()
    waiting = await ana.create("fournier", 5)
    started = await ana.create("fournier", 5, robots=4)
    assert await get(ana, waiting, "ruleset") == await get(ana, started, "ruleset")


def _forms(seed: bytes) -> list[bytes]:
    """Ways in which a seed might slip out."""
    plain = [seed, base64.b64encode(seed).rstrip(b"="), base64.urlsafe_b64encode(seed).rstrip(b"=")]
    return [*plain, seed.hex().encode(), seed.hex().upper().encode(), str(int.from_bytes(seed, "big")).encode()]


async def test_who_sits_there_may_give_a_seed_after_reading_the_commitment(api: Api) -> None:
    ana, eva = await api.guest(), await api.guest()
    game = await ana.create("torofun", 3)
    await eva.join(game["game_id"], client_seed="eva")
    commitment = (await get(ana, game, "fairness"))["commitment"]
    view = await ana.join(game["game_id"], client_seed="ana")
    assert (view["commitment"], view["my_seat"]) == (commitment, 0)
    seeds = [{"seat": 0, "client_seed": "ana"}, {"seat": 1, "client_seed": "eva"}]
    assert (await get(eva, game, "fairness"))["client_seeds"] == seeds
    for guest, body in ((ana, {"client_seed": "other"}), (ana, {}), (eva, {"client_seed": "other"})):
        refused = await guest.ask("POST", f"/v1/games/{game['game_id']}/seats", body)
        assert (refused.status_code, refused.json()["code"]) == (409, "seat-taken")
    assert (await get(eva, game, "fairness"))["client_seeds"] == seeds


async def test_the_invite_code_shows_the_commitment_before_one_sits_down(api: Api) -> None:
    ana, eva = await api.guest(), await api.guest()
    game = await ana.create("torofun", 3, visibility="private")
    path = f"/v1/games/{game['game_id']}/fairness"
    shown = await eva.ask("GET", f"{path}?invite_code={game['invite_code']}")
    assert (shown.status_code, shown.json()["commitment"]) == (200, game["commitment"])
    for query in ("", "?invite_code=a-guess"):
        assert (await eva.ask("GET", path + query)).status_code == 404
    assert (await eva.ask("GET", f"/v1/games/{game['game_id']}?invite_code={game['invite_code']}")).status_code in (
        400,
        404,
    )
