"""A player gets everything that is kept about them."""

from tests.contract.kinds import hands
from tests.kit.player import Api
from tests.rest.test_me import finish, my_games, rename

ONE_CARD = hands(("normal", "1", "1"))


async def test_the_export_has_all_that_is_kept(api: Api) -> None:
    ana, eva = await api.guest("Ana"), await api.guest("Eva")
    await rename(ana, "Ana la Pochera")
    match = (await ana.ask("POST", "/v1/matches", {"players": 3})).json()
    sheet = (await ana.ask("POST", "/v1/score-keepers", {"players": ["Ana", "Beto", "Carmen"]})).json()
    seat = sheet["next"]["seat"]
    await ana.ask("POST", f"/v1/score-keepers/{sheet['score_keeper_id']}/bids", {"seat": seat, "bid": 0})
    game = await finish(ana, await ana.create("clasica", robots=2, house_rules=ONE_CARD))
    theirs = await eva.create(players=3, robots=1)
    await ana.join(theirs["game_id"])
    await ana.ask("DELETE", f"/v1/games/{theirs['game_id']}/seats/1")
    answer = await ana.ask("GET", "/v1/me/export")
    assert answer.status_code == 200
    found = answer.json()
    assert found["player"]["player_id"] == ana.player_id
    assert found["player"]["display_name"] == "Ana la Pochera"
    assert [each["match_id"] for each in found["matches"]] == [match["match_id"]]
    [kept] = found["score_keepers"]
    assert kept["sheet"]["score_keeper_id"] == sheet["score_keeper_id"]
    assert [(each["type"], each["bid"]) for each in kept["entries"]] == [("bid", 0)]
    assert [each["game"] for each in found["games"]] == await my_games(ana)
    own = {each["game"]["game_id"]: [move["type"] for move in each["moves"]] for each in found["games"]}
    assert own[game["game_id"]][:3] == ["seat_taken", "bid_made", "card_played"]
    assert set(own[game["game_id"]]) == {"seat_taken", "bid_made", "card_played"}
    assert own[theirs["game_id"]] == ["seat_taken", "seat_left"]


async def test_who_has_done_nothing_gets_a_document_too_and_an_app_has_none(api: Api) -> None:
    ana = await api.guest("Ana")
    found = (await ana.ask("GET", "/v1/me/export")).json()
    assert found["player"] == {"player_id": ana.player_id, "tenant": "", "display_name": "Ana"}
    assert (found["matches"], found["score_keepers"], found["games"]) == ([], [], [])
