"""Score sheets of one tenant do not exist for the others, whatever code they have."""

from tests.contract.document import Json
from tests.security.world import World

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
