"""Joining tables by a short code."""

from service.application.joining import ALPHABET, LENGTH
from tests.kit.player import Api


async def test_a_code_leads_to_a_seat_at_a_private_table(api: Api) -> None:
    ana, beto, eva = [await api.guest(name) for name in ("Ana", "Beto", "Eva")]
    game = await ana.create("ludoteka-express-3", 3, visibility="private")
    path = f"/v1/games/{game['game_id']}/join-code"
    assert (await eva.ask("POST", path)).json()["code"] == "not-found"
    code: str = (await ana.ask("POST", path)).json()["code"]
    assert len(code) == LENGTH
    assert set(code) <= set(ALPHABET)
    assert (await ana.ask("POST", path)).json()["code"] == code
    joined = (await beto.ask("POST", "/v1/joins", {"code": code.lower(), "client_seed": "of-beto"})).json()["game"]
    assert joined["my_seat"] == 1
    again = (await beto.ask("POST", "/v1/joins", {"code": code})).json()["game"]
    assert (again["version"], again["my_seat"]) == (joined["version"], 1)
    started = (await eva.ask("POST", "/v1/joins", {"code": code})).json()["game"]
    assert (started["status"], started["my_seat"]) == ("playing", 2)
    late = await api.guest("Late")
    assert (await late.ask("POST", "/v1/joins", {"code": code})).json()["code"] == "game-full"
    assert (await beto.ask("POST", "/v1/joins", {"code": code})).json()["game"]["my_seat"] == 1


async def test_a_code_of_a_game_is_made_for_who_knows_of_it(api: Api) -> None:
    ana, eva = await api.guest("Ana"), await api.guest("Eva")
    game = await ana.create("ludoteka-express-3", 3)
    code = (await eva.ask("POST", f"/v1/games/{game['game_id']}/join-code")).json()["code"]
    assert (await eva.ask("POST", "/v1/joins", {"code": code})).json()["game"]["my_seat"] == 1
