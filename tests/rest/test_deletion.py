"""Players are deleted by themselves and by their apps."""

import pytest

from service.application.deleting import LATE
from service.application.record import verify
from service.bootstrap.service import Service
from tests.contract.kinds import hands
from tests.kit.clock import SetClock
from tests.kit.player import Api, Guest
from tests.rest.test_apps import App, app
from tests.rest.test_me import finish

__all__ = ["app"]

ONE_CARD = hands(("normal", "1", "1"))
WORDS = {"en": "Deleted player", "es": "Jugador eliminado", "fr": "Joueur supprimé", "de": "Gelöschter Spieler"}


async def delete(guest: Guest) -> None:
    assert (await guest.ask("DELETE", "/v1/me")).status_code == 204


async def test_a_token_of_a_deleted_player_is_void_and_a_second_request_says_so(api: Api) -> None:
    ana = await api.guest("Ana")
    await ana.create(players=3)
    await delete(ana)
    for method, path in (("GET", "/v1/me"), ("POST", "/v1/me/token"), ("DELETE", "/v1/me"), ("GET", "/v1/games")):
        assert (await ana.ask(method, path)).status_code == 401


async def test_robots_play_on_and_waiting_tables_are_left(api: Api) -> None:
    ana, eva = await api.guest("Ana"), await api.guest("Eva")
    alone = await ana.create(players=3)
    shared = await ana.create(players=3)
    await eva.join(shared["game_id"])
    playing = await ana.create(players=3, robots=1)
    await eva.join(playing["game_id"])
    await delete(ana)
    assert (await eva.look(alone["game_id"]))["status"] == "abandoned"
    assert [seat["seat"] for seat in (await eva.look(shared["game_id"]))["seats"] if "player" in seat] == [1]
    after = await eva.look(playing["game_id"])
    [away] = [seat["away"] for seat in after["seats"] if "away" in seat]
    assert away == {"player_id": ana.player_id, "display_name": WORDS["en"], "deleted": True}
    assert after["status"] == "playing"


@pytest.mark.parametrize("language", WORDS)
async def test_a_game_shows_a_deleted_player_in_the_words_of_the_reader(api: Api, language: str) -> None:
    ana, eva = await api.guest("Ana"), await api.guest("Eva")
    game = await ana.create(players=3, robots=1)
    await eva.join(game["game_id"])
    await delete(ana)
    for path in (f"/v1/games/{game['game_id']}", f"/v1/games/{game['game_id']}/events", "/v1/me/games", "/v1/games"):
        answer = await eva.ask("GET", path, headers={"Accept-Language": language})
        assert f'"display_name":"{WORDS[language]}","deleted":true' in answer.text
        assert '"Ana"' not in answer.text


async def test_the_record_of_a_deleted_player_s_game_is_still_right(api: Api) -> None:
    ana, eva = await api.guest("Ana"), await api.guest("Eva")
    game = await finish(ana, await ana.create("clasica", robots=2, house_rules=ONE_CARD))
    path = f"/v1/games/{game['game_id']}"
    before = await eva.ask("GET", f"{path}/record")
    await delete(ana)
    after = await eva.ask("GET", f"{path}/record")
    assert verify.verify(after.content) == verify.verify(before.content)
    assert after.json()["hands"] == before.json()["hands"]
    assert [seat["player"]["display_name"] for seat in after.json()["seats"] if "player" in seat] == [WORDS["en"]]
    for form in ("csv", "html"):
        sheet = await eva.ask("GET", f"{path}/score-sheet.{form}", headers={"Accept-Language": "es"})
        assert WORDS["es"] in sheet.text
        assert "Ana" not in sheet.text


async def test_requests_for_matches_end_and_own_score_sheets_go_with_the_names_on_them(api: Api) -> None:
    ana, eva = await api.guest("Ana"), await api.guest("Eva")
    match = (await ana.ask("POST", "/v1/matches", {"players": 3, "ruleset": "ludoteka-express-3"})).json()
    made = (await ana.ask("POST", "/v1/score-keepers", {"players": ["Ana", "Beto", "Carmen"]})).json()
    shared = (await eva.ask("POST", "/v1/score-keepers", {"players": ["Eva", "Beto", "Carmen"]})).json()
    for owner, member, sheet in ((ana, eva, made), (eva, ana, shared)):
        code = (await owner.ask("POST", f"/v1/score-keepers/{sheet['score_keeper_id']}/join-code")).json()["code"]
        assert (await member.ask("POST", "/v1/joins", {"code": code})).status_code == 200
    await delete(ana)
    assert match["status"] == "waiting"
    assert (await eva.ask("GET", f"/v1/score-keepers/{made['score_keeper_id']}")).status_code == 404
    assert (await eva.ask("GET", f"/v1/score-keepers/{shared['score_keeper_id']}")).status_code == 200


async def test_what_a_late_request_has_left_is_erased_later(api: Api, service: Service, clock: SetClock) -> None:
    ana, eva = await api.guest("Ana"), await api.guest("Eva")
    game = await ana.create(players=3)
    await eva.join(game["game_id"])
    await delete(ana)
    await service.deleting.run_once()
    for _ in range(2):
        clock.time += LATE
        await service.deleting.run_once()
    assert (await eva.look(game["game_id"]))["status"] == "waiting"


async def test_an_app_deletes_its_user_who_comes_back_as_another(app: App) -> None:
    user, again = await app.user("7"), await app.user("7")
    game = await user.create(players=3)
    assert again.player_id == user.player_id
    path = f"/v1/players/{user.player_id}"
    for _ in range(2):
        assert (await app.ask("DELETE", path)).status_code == 204
    assert b"pocha_players_deleted_total 1.0" in (await app.client.get("/metrics")).content
    assert {(await each.ask("GET", "/v1/me")).status_code for each in (user, again)} == {401}
    back = await app.user("7", "Ana")
    assert back.player_id != user.player_id
    assert (await back.ask("GET", "/v1/me/games")).json()["items"] == []
    assert (await app.ask("GET", f"/v1/games/{game['game_id']}")).json()["status"] == "abandoned"
    assert (await app.user("7")).player_id == back.player_id


async def test_only_an_app_deletes_others_and_only_its_own(app: App) -> None:
    guest, user = await app.guest(), await app.user("7")
    await guest.create(players=3)
    assert (await app.ask("DELETE", f"/v1/players/{guest.player_id}")).status_code == 404
    refused = await user.ask("DELETE", f"/v1/players/{user.player_id}")
    assert (refused.status_code, refused.json()["code"]) == (403, "app-required")
    assert (await app.ask("DELETE", "/v1/me")).status_code == 403
    assert (await guest.ask("GET", "/v1/me")).status_code == 200
