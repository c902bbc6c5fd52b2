"""The caller's name and games."""

import pytest

from tests.contract.kinds import hands
from tests.kit.player import Api, Guest, Json, legal_moves

ONE_CARD = hands(("normal", "1", "1"))


async def my_games(guest: Guest, query: str = "") -> list[Json]:
    response = await guest.ask("GET", f"/v1/me/games{query}")
    assert response.status_code == 200, response.text
    return response.json()["items"]


async def finish(guest: Guest, game: Json) -> Json:
    while game["status"] == "playing":
        path, body = legal_moves(game)[0]
        game = (await guest.ask("POST", f"/v1/games/{game['game_id']}/{path}", body)).json()["game"]
    return game


async def rename(guest: Guest, name: str) -> Json:
    response = await guest.ask("PATCH", "/v1/me", {"display_name": name})
    assert response.status_code == 200, response.text
    return response.json()


def names_at(game: Json) -> list[str]:
    return [seat["player"]["display_name"] for seat in game["seats"] if "player" in seat]


async def test_a_client_that_lost_everything_finds_all_its_games_again(api: Api) -> None:
    ana, eva = await api.guest("Ana"), await api.guest("Eva")
    waiting = await ana.create(players=3, robots=1, visibility="private")
    playing = await ana.create(players=3, robots=2)
    over = await finish(ana, await ana.create("clasica", robots=2, house_rules=ONE_CARD))
    theirs = await eva.create(players=3, robots=1)
    await ana.join(theirs["game_id"], seat=1)
    games = await my_games(ana)
    assert [game["game_id"] for game in games] == [game["game_id"] for game in (theirs, over, playing, waiting)]
    for game in games:
        view = await ana.look(game["game_id"])
        shown = ("version", "status", "ruleset", "players", "visibility", "created_at", "seats", "scores")
        assert {name: game[name] for name in shown} == {name: view[name] for name in shown}
        for name in ("my_seat", "turn", "result"):
            assert game.get(name) == view.get(name)
    assert [game["game_id"] for game in await my_games(eva)] == [theirs["game_id"]]


async def test_games_are_filtered_by_status_and_paged(api: Api) -> None:
    ana = await api.guest()
    games = [await ana.create(players=3, robots=2 - (place + 1) % 2) for place in range(5)]
    ids = [game["game_id"] for game in reversed(games)]
    first = (await ana.ask("GET", "/v1/me/games?limit=2")).json()
    second = (await ana.ask("GET", f"/v1/me/games?limit=2&cursor={first['next_cursor']}")).json()
    third = (await ana.ask("GET", f"/v1/me/games?limit=2&cursor={second['next_cursor']}")).json()
    assert [game["game_id"] for page in (first, second, third) for game in page["items"]] == ids
    assert "next_cursor" not in third
    assert [game["game_id"] for game in await my_games(ana, "?status=playing")] == ids[1::2]
    assert [game["game_id"] for game in await my_games(ana, "?status=waiting")] == ids[0::2]
    assert await my_games(ana, "?status=finished") == []


async def test_a_game_whose_seat_a_robot_keeps_is_still_found_and_a_table_left_before_the_start_is_not(
    api: Api,
) -> None:
    guests, game = await api.full_table()
    left = await guests[1].create()
    await guests[1].ask("DELETE", f"/v1/games/{left['game_id']}/seats/0")
    await guests[1].ask("DELETE", f"/v1/games/{game['game_id']}/seats/1")
    [found] = await my_games(guests[1])
    assert found["game_id"] == game["game_id"]
    assert "my_seat" not in found
    assert found["seats"][1]["away"]["player_id"] == guests[1].player_id
    assert found["turn"]["action"] == "wait"


async def test_a_name_is_shown_from_then_on_also_at_tables_of_before(api: Api) -> None:
    ana, eva = await api.guest("Ana"), await api.guest("Eva")
    before = await ana.create(players=3)
    assert await rename(ana, "  Ana   la Pochera ") == {"player_id": ana.player_id, "display_name": "Ana la Pochera"}
    assert (await ana.ask("GET", "/v1/me")).json()["display_name"] == "Ana la Pochera"
    created = await ana.create(players=3)
    theirs = await eva.create(players=3)
    joined = await ana.join(theirs["game_id"])
    assert names_at(await ana.look(before["game_id"])) == ["Ana la Pochera"]
    assert names_at(created) == ["Ana la Pochera"]
    assert names_at(joined) == ["Eva", "Ana la Pochera"]
    [listed] = (await eva.ask("GET", "/v1/games?limit=1")).json()["items"]
    assert names_at(listed) == ["Eva", "Ana la Pochera"]


async def test_a_name_is_shown_in_a_rematch_and_in_a_renewed_token(api: Api) -> None:
    ana = await api.guest("Ana")
    over = await finish(ana, await ana.create("clasica", robots=2, house_rules=ONE_CARD))
    await rename(ana, "Anita")
    rematch = (await ana.ask("POST", f"/v1/games/{over['game_id']}/rematch")).json()
    assert names_at(rematch) == ["Anita"]
    assert (await ana.ask("POST", "/v1/me/token")).json()["display_name"] == "Anita"


async def test_before_a_name_is_chosen_that_of_the_token_is_told(api: Api) -> None:
    ana = await api.guest("Ana")
    assert (await ana.ask("GET", "/v1/me")).json() == {"player_id": ana.player_id, "display_name": "Ana"}


@pytest.mark.parametrize("name", ["", "\u200b", "a" * 41, "a\nb"])
async def test_a_name_that_cannot_be_shown_is_refused_by_its_place(api: Api, name: str) -> None:
    ana = await api.guest("Ana")
    refused = await ana.ask("PATCH", "/v1/me", {"display_name": name})
    assert refused.status_code == 400
    assert refused.json()["errors"][0]["pointer"].endswith("/display_name")
    assert (await ana.ask("GET", "/v1/me")).json()["display_name"] == "Ana"
