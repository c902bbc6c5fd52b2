"""Score sheets of one tenant do not exist for the others, whatever code they have."""

from tests.contract.document import Json
from tests.security.world import SHOP, World

PLAYERS = {"players": ["Ana", "Beto", "Carmen"]}


async def test_a_sheet_and_its_code_are_of_one_tenant(world: World, shop: str, mall: str) -> None:
    ana, eva = (await world.player(shop, "ana"))["token"], (await world.player(mall, "eva"))["token"]
    guest = (await world.player())["token"]
    sheet: Json = (await world.ask(ana, "POST", "/v1/score-keepers", PLAYERS)).json()
    path = f"/v1/score-keepers/{sheet['score_keeper_id']}"
    code: str = (await world.ask(ana, "POST", f"{path}/join-code")).json()["code"]
    for stranger in (eva, guest, mall):
        assert (await world.ask(stranger, "GET", path)).status_code == 404
        assert (await world.ask(stranger, "DELETE", path)).status_code == 404
        assert (await world.ask(stranger, "POST", f"{path}/bids", {"seat": 1, "bid": 0})).status_code == 404
    for stranger in (eva, guest):
        assert (await world.ask(stranger, "POST", "/v1/joins", {"code": code})).status_code == 404


async def test_an_app_reads_and_deletes_the_sheets_of_its_users_but_writes_nothing(world: World, shop: str) -> None:
    ana = (await world.player(shop, "ana"))["token"]
    sheet: Json = (await world.ask(ana, "POST", "/v1/score-keepers", PLAYERS)).json()
    path = f"/v1/score-keepers/{sheet['score_keeper_id']}"
    assert (await world.ask(shop, "GET", path)).json() == sheet
    for refused, body in (("/v1/score-keepers", PLAYERS), (f"{path}/bids", {"seat": 1, "bid": 0})):
        assert (await world.ask(shop, "POST", refused, body)).json()["code"] == "not-your-seat"
    assert (await world.ask(shop, "DELETE", path)).status_code == 204
    assert (await world.ask(ana, "GET", path)).status_code == 404


async def test_a_link_that_an_app_asked_for_ends_with_the_key_of_the_app(world: World, shop: str, mall: str) -> None:
    ana = (await world.player(shop, "ana"))["token"]
    sheet: Json = (await world.ask(ana, "POST", "/v1/score-keepers", PLAYERS)).json()
    game = await world.table(ana, visibility="private")
    wanted = [
        f"/v1/{of}/score-sheet-links"
        for of in (f"score-keepers/{sheet['score_keeper_id']}", f"games/{game['game_id']}")
    ]
    assert [(await world.ask(mall, "POST", path)).status_code for path in wanted] == [404, 404]
    links = [(await world.ask(shop, "POST", path)).json()["html"] for path in wanted]
    assert [(await world.client.get(link)).status_code for link in links] == [200, 200]
    assert await world.apps.revoke(SHOP, world.clock.now())
    assert [(await world.client.get(link)).status_code for link in links] == [404, 404]
