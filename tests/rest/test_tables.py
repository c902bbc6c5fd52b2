"""Making, finding, filling and leaving tables."""

import pytest

from service.bootstrap.service import Service
from tests.kit.player import Api


async def test_a_creator_sits_at_seat_0_and_robots_take_the_last_seats(api: Api) -> None:
    ana = await api.guest("Ana")
    game = await ana.create("fournier", 5, robots=2)
    kinds = ["player" if "player" in seat else "robot" if "robot" in seat else "free" for seat in game["seats"]]
    assert kinds == ["player", "free", "free", "robot", "robot"]
    assert game["seats"][0]["player"] == {"player_id": ana.player_id, "display_name": "Ana"}
    assert game["my_seat"] == 0
    assert game["status"] == "waiting"
    assert "hand" not in game
    assert "turn" not in game


async def test_a_created_game_is_found_where_location_says(api: Api) -> None:
    ana = await api.guest()
    body = {"ruleset": "torofun", "players": 3}
    response = await ana.ask("POST", "/v1/games", body)
    found = await ana.ask("GET", response.headers["location"])
    assert found.json() == response.json()
    assert found.headers["etag"] == response.headers["etag"]


async def test_a_game_starts_when_its_last_seat_is_taken(api: Api) -> None:
    _, game = await api.full_table("torofun", 4)
    assert game["status"] == "playing"
    assert game["hand"]["number"] == 1
    assert game["hand"]["of"] == 22
    assert len(game["hand"]["my_cards"]) == 1


async def test_a_table_with_one_person_and_robots_starts_at_once_and_waits_for_the_person(api: Api) -> None:
    ana = await api.guest()
    game = await ana.create("ludoteka-express-4", 4, robots=3)
    assert game["status"] == "playing"
    assert game["turn"]["seat"] == 0


async def test_a_guest_takes_the_seat_asked_for(api: Api) -> None:
    ana, eva = await api.guest("Ana"), await api.guest("Eva")
    game = await ana.create()
    assert (await eva.join(game["game_id"], seat=2))["my_seat"] == 2


async def test_a_taken_seat_is_refused(api: Api) -> None:
    ana, eva = await api.guest("Ana"), await api.guest("Eva")
    game = await ana.create()
    response = await eva.ask("POST", f"/v1/games/{game['game_id']}/seats", {"seat": 0})
    assert (response.status_code, response.json()["code"]) == (409, "seat-taken")


async def test_nobody_sits_twice_at_one_table(api: Api) -> None:
    ana = await api.guest("Ana")
    game = await ana.create()
    response = await ana.ask("POST", f"/v1/games/{game['game_id']}/seats", {})
    assert (response.status_code, response.json()["code"]) == (409, "seat-taken")
    assert response.json()["reason"] == "already-seated"


async def test_joining_a_started_game_is_refused_as_full(api: Api) -> None:
    _, game = await api.full_table()
    late = await api.guest("Late")
    response = await late.ask("POST", f"/v1/games/{game['game_id']}/seats", {})
    assert (response.status_code, response.json()["code"]) == (409, "game-full")


async def test_a_seat_that_the_table_does_not_have_is_not_found(api: Api) -> None:
    ana, eva = await api.guest("Ana"), await api.guest("Eva")
    game = await ana.create()
    response = await eva.ask("POST", f"/v1/games/{game['game_id']}/seats", {"seat": 3})
    assert (response.status_code, response.json()["code"]) == (404, "not-found")


async def test_the_host_fills_a_free_seat_with_a_robot(api: Api) -> None:
    ana = await api.guest("Ana")
    game_id = (await ana.create())["game_id"]
    response = await ana.ask("PUT", f"/v1/games/{game_id}/seats/1/robot", {"level": "easy"})
    assert response.status_code == 200
    assert response.json()["seats"][1] == {"seat": 1, "robot": {"level": "easy"}}


async def test_only_the_host_seats_robots(api: Api) -> None:
    ana, eva = await api.guest("Ana"), await api.guest("Eva")
    game_id = (await ana.create())["game_id"]
    await eva.join(game_id)
    response = await eva.ask("PUT", f"/v1/games/{game_id}/seats/2/robot", {"level": "easy"})
    assert (response.status_code, response.json()["code"]) == (403, "not-the-host")


async def test_when_the_host_has_left_the_next_player_speaks_for_the_table(api: Api) -> None:
    ana, eva, leo = [await api.guest(name) for name in ("Ana", "Eva", "Leo")]
    path = f"/v1/games/{(await ana.create('fournier', 5))['game_id']}"
    for guest in (eva, leo):
        await guest.join(path.rpartition("/")[2])
    await ana.ask("DELETE", f"{path}/seats/0")
    for guest, status in ((ana, 403), (leo, 403), (eva, 200)):
        assert (await guest.ask("PUT", f"{path}/seats/4/robot", {"level": "easy"})).status_code == status


async def test_a_seat_left_before_the_start_is_free_again(api: Api) -> None:
    ana, eva = await api.guest("Ana"), await api.guest("Eva")
    game_id = (await ana.create())["game_id"]
    await eva.join(game_id)
    response = await eva.ask("DELETE", f"/v1/games/{game_id}/seats/1")
    assert response.json()["seats"][1] == {"seat": 1}
    assert "my_seat" not in response.json()


async def test_a_seat_left_after_the_start_is_a_robots(api: Api) -> None:
    guests, game = await api.full_table()
    response = await guests[1].ask("DELETE", f"/v1/games/{game['game_id']}/seats/1")
    away = {"player_id": guests[1].player_id, "display_name": "Guest 1"}
    assert response.json()["seats"][1] == {"seat": 1, "robot": {"level": "easy"}, "away": away}
    assert response.json()["status"] == "playing"


async def test_a_table_that_all_left_before_the_start_is_abandoned(api: Api) -> None:
    ana = await api.guest()
    game_id = (await ana.create())["game_id"]
    response = await ana.ask("DELETE", f"/v1/games/{game_id}/seats/0")
    assert response.json()["status"] == "abandoned"
    late = await (await api.guest()).ask("POST", f"/v1/games/{game_id}/seats", {})
    assert (late.status_code, late.json()["code"]) == (409, "game-over")


@pytest.mark.parametrize("seat", [0, 2])
async def test_nobody_but_the_host_leaves_for_another(api: Api, seat: int) -> None:
    ana, eva = await api.guest("Ana"), await api.guest("Eva")
    game_id = (await ana.create())["game_id"]
    await eva.join(game_id, seat=1)
    response = await eva.ask("DELETE", f"/v1/games/{game_id}/seats/{seat}")
    assert (response.status_code, response.json()["code"]) == (403, "not-your-seat")


async def test_the_host_removes_players_and_robots_before_the_start(api: Api) -> None:
    ana, eva = await api.guest("Ana"), await api.guest("Eva")
    game = await ana.create(robots=1, visibility="private")
    path, invited = f"/v1/games/{game['game_id']}", {"invite_code": game["invite_code"]}
    await ana.ask("DELETE", f"{path}/seats/2")
    await eva.join(game["game_id"], **invited)
    key = {"Idempotency-Key": "out"}
    removed = [await ana.ask("DELETE", f"{path}/seats/1", headers=key) for _ in range(2)]
    assert [answer.status_code for answer in removed] == [200, 200]
    assert removed[1].json()["seats"][1:] == [{"seat": 1}, {"seat": 2}]
    last = (await ana.ask("GET", f"{path}/events?after=1")).json()["items"]
    assert [(event["type"], event["seat"], "player" in event) for event in last] == [
        ("seat_cleared", 2, False),
        ("seat_taken", 1, True),
        ("seat_cleared", 1, True),
    ]
    back = await eva.ask("POST", f"{path}/seats", invited)
    assert (back.status_code, back.json()["reason"]) == (403, "removed-by-host")
    assert (await eva.ask("GET", path)).status_code == 404


async def test_the_host_closes_a_table_that_waits(api: Api) -> None:
    ana, eva = await api.guest("Ana"), await api.guest("Eva")
    path = f"/v1/games/{(await ana.create())['game_id']}"
    await eva.join(path.rpartition("/")[2])
    refused = await eva.ask("DELETE", path)
    assert (refused.status_code, refused.json()["reason"]) == (403, "not-the-host")
    closed = [await ana.ask("DELETE", path, headers={"Idempotency-Key": "close"}) for _ in range(2)]
    assert [(answer.status_code, answer.json()["status"]) for answer in closed] == [(200, "abandoned")] * 2
    assert (await eva.ask("GET", "/v1/games?status=waiting")).json()["items"] == []


async def test_the_lobby_says_who_is_present(api: Api, service: Service) -> None:
    ana, eva = await api.guest("Ana"), await api.guest("Eva")
    await eva.join((await ana.create())["game_id"])
    with service.waiters.presence.connection(ana.player_id):
        [listed] = (await eva.ask("GET", "/v1/games")).json()["items"]
    assert [seat["presence"]["connected"] for seat in listed["seats"][:2]] == [True, False]


async def test_a_private_table_does_not_exist_for_strangers(api: Api) -> None:
    ana, eva = await api.guest("Ana"), await api.guest("Eva")
    game = await ana.create(visibility="private")
    path = f"/v1/games/{game['game_id']}"
    unknown = await eva.ask("GET", path[:-12] + "000000000000")
    asked: list[tuple[str, str, object]] = [
        ("GET", path, None),
        ("GET", f"{path}/events", None),
        ("GET", f"{path}/score-sheet", None),
        ("POST", f"{path}/seats", {}),
        ("POST", f"{path}/seats", {"invite_code": "wrong"}),
        ("POST", f"{path}/bids", {"bid": 0}),
        ("POST", f"{path}/plays", {"card": "oros-1"}),
        ("PUT", f"{path}/seats/1/robot", {"level": "easy"}),
        ("DELETE", f"{path}/seats/0", None),
    ]
    for method, where, body in asked:
        response = await eva.ask(method, where, body)
        assert (response.status_code, response.content) == (404, unknown.content), (method, where)
    assert (await eva.ask("GET", "/v1/games")).json()["items"] == []


async def test_a_started_private_table_does_not_exist_for_strangers_either(api: Api) -> None:
    ana, eva = await api.guest("Ana"), await api.guest("Eva")
    game = await ana.create(robots=2, visibility="private")
    response = await eva.ask("POST", f"/v1/games/{game['game_id']}/seats", {})
    assert (response.status_code, response.json()["code"]) == (404, "not-found")


async def test_the_invite_code_opens_a_private_table_and_is_shown_to_those_who_sit_there(api: Api) -> None:
    ana, eva = await api.guest("Ana"), await api.guest("Eva")
    game = await ana.create(visibility="private")
    joined = await eva.join(game["game_id"], invite_code=game["invite_code"])
    assert joined["my_seat"] == 1
    assert joined["invite_code"] == game["invite_code"]


async def test_a_public_table_has_no_invite_code(api: Api) -> None:
    assert "invite_code" not in await (await api.guest()).create()


async def test_the_lobby_lists_public_tables_newest_first_page_by_page(api: Api) -> None:
    ana = await api.guest()
    made = [(await ana.create())["game_id"] for _ in range(5)]
    first = (await ana.ask("GET", "/v1/games?limit=3")).json()
    second = (await ana.ask("GET", f"/v1/games?limit=3&cursor={first['next_cursor']}")).json()
    assert [item["game_id"] for item in first["items"] + second["items"]] == made[::-1]
    assert "next_cursor" not in second


async def test_a_page_that_is_just_full_leads_nowhere(api: Api) -> None:
    ana = await api.guest()
    await ana.create()
    assert "next_cursor" not in (await ana.ask("GET", "/v1/games?limit=1")).json()


async def test_the_lobby_filters_by_status_and_ruleset(api: Api) -> None:
    ana = await api.guest()
    waiting = await ana.create("torofun", 3)
    playing = await ana.create("torofun", 3, robots=2)
    other = await ana.create("fournier", 3)

    async def listed(query: str) -> list[str]:
        return [item["game_id"] for item in (await ana.ask("GET", f"/v1/games?{query}")).json()["items"]]

    assert await listed("status=playing") == [playing["game_id"]]
    assert await listed("ruleset=fournier") == [other["game_id"]]
    assert await listed("ruleset=torofun&status=waiting") == [waiting["game_id"]]
    assert await listed("status=finished") == []


async def test_the_lobby_tells_who_sits_where_and_what_is_free(api: Api) -> None:
    ana = await api.guest("Ana")
    game = await ana.create("fournier", 4, robots=1)
    item = (await ana.ask("GET", "/v1/games")).json()["items"][0]
    assert item == {
        "game_id": game["game_id"],
        "status": "waiting",
        "ruleset": {"ruleset_id": "fournier", "version": 1, "title": "Fournier", "house_rules": False},
        "players": 4,
        "free_seats": 2,
        "created_at": game["created_at"],
        "seats": game["seats"],
    }
