"""Tenants are apart: what one has does not exist for the others, whatever they ask, and whoever asks."""

from typing import Any
from uuid import UUID

import httpx
import pytest

from tests.contract.document import operations
from tests.contract.kinds import hands
from tests.kit.player import Json, legal_moves
from tests.security.every_operation import BODIES, Asked, at_a_table, of_every_operation
from tests.security.world import World, assert_refused, lasting

ABSENT = "01a22b65-9f82-74a4-86b2-99ff9c4cab8e"
AT_A_TABLE = at_a_table()
WAYS = pytest.mark.parametrize(
    "asked", AT_A_TABLE, ids=[f"{asked.operation}-{place}" for place, asked in enumerate(AT_A_TABLE)]
)
OWNERS = ("guest", "shop", "issuer")


async def people(world: World, shop: str, mall: str) -> dict[str, dict[str, str]]:
    """Return the credentials of all kinds of callers, by tenant and kind."""
    guests = [(await world.player())["token"] for _ in range(2)]
    users = {key: [(await world.player(key, f"user-{number}"))["token"] for number in (1, 2)] for key in (shop, mall)}
    return {
        "guest": {"host": guests[0], "other": guests[1]},
        "shop": {"host": users[shop][0], "other": users[shop][1], "app": shop},
        "mall": {"host": users[mall][0], "other": users[mall][1], "app": mall},
        "issuer": {"host": world.issuer.token("user-1"), "other": world.issuer.token("user-2")},
    }


async def tables(world: World, host: str, other: str) -> dict[str, Json]:
    """Return tables of a tenant at all stages, as their host sees them."""
    robots = {"robots": [{"level": "easy"}] * 2}
    one_card = {"ruleset": "clasica", "house_rules": hands(("normal", "1", "1"))}
    private = await world.table(host, visibility="private")
    await world.ask(other, "POST", f"/v1/games/{private['game_id']}/seats", {"invite_code": private["invite_code"]})
    return {
        "public": await world.table(host),
        "private": private,
        "playing": await world.table(host, **robots),
        "finished": await played(world, host, await world.table(host, **robots, **one_card)),
    }


async def played(world: World, host: str, game: Json) -> Json:
    while game["status"] == "playing":
        path, body = legal_moves(game)[0]
        game = (await world.ask(host, "POST", f"/v1/games/{game['game_id']}/{path}", body)).json()["game"]
    return game


def strangers(everybody: dict[str, dict[str, str]], owner: str) -> dict[str, str]:
    """Return the credentials of all who are of another tenant."""
    return {
        f"{tenant} {kind}": credential
        for tenant, kinds in everybody.items()
        if tenant != owner
        for kind, credential in kinds.items()
    }


async def send(world: World, credential: str, asked: Asked, game_id: str, **body: Any) -> httpx.Response:
    whole = asked.body if asked.body is None else {**asked.body, **body}
    return await world.client.request(
        asked.method,
        asked.of(game_id),
        json=whole,
        headers={"Authorization": f"Bearer {credential}", **asked.headers},
    )


async def versions(world: World, games: dict[str, Json]) -> dict[UUID, int]:
    return dict(await world.log.heads([UUID(game["game_id"]) for game in games.values()]))


def test_every_operation_of_the_contract_is_tried() -> None:
    assert {operation.id for operation in operations()} == set(BODIES)
    assert {asked.operation for asked in AT_A_TABLE} == {
        operation.id for operation in operations() if "{game_id}" in operation.path
    }


@pytest.mark.parametrize("owner", OWNERS)
async def test_a_game_of_another_tenant_cannot_be_told_from_one_that_is_not_there(
    world: World, shop: str, mall: str, owner: str
) -> None:
    everybody = await people(world, shop, mall)
    games = await tables(world, everybody[owner]["host"], everybody[owner]["other"])
    before = await versions(world, games)
    assert len(before) == 4
    invitation = {"invite_code": games["private"]["invite_code"]}
    told = 0
    for who, credential in strangers(everybody, owner).items():
        for asked in AT_A_TABLE:
            more = invitation if asked.operation == "joinGame" else {}
            absent = await send(world, credential, asked, ABSENT, **more)
            assert (absent.status_code, absent.json()["code"]) == (404, "not-found"), (who, asked)
            for stage, game in games.items():
                foreign = await send(world, credential, asked, game["game_id"], **more)
                assert lasting(foreign) == lasting(absent), (who, asked, stage)
                told += 1
    assert told > 500
    assert await versions(world, games) == before


@WAYS
async def test_to_its_own_tenant_the_game_is_there(world: World, shop: str, asked: Asked) -> None:
    """Or else the test above would prove nothing."""
    token = (await world.player(shop))["token"]
    game = await world.table(token, robots=[{"level": "easy"}])
    # A stream of a game that goes on would not end by itself.
    asked = asked._replace(method="HEAD") if asked.operation == "streamGame" else asked
    for credential in (token, shop):
        answer = await send(world, credential, asked, game["game_id"])
        assert answer.status_code in {200, 201, 304, 403, 409, 422}, answer.text


@pytest.mark.parametrize("owner", [*OWNERS, "mall"])
async def test_lists_tell_of_ones_own_tenant_only(world: World, shop: str, mall: str, owner: str) -> None:
    everybody = await people(world, shop, mall)
    games = await tables(world, everybody[owner]["host"], everybody[owner]["other"])
    mine = {name: game["game_id"] for name, game in games.items()}
    for query in ("", "?visibility=public", "?visibility=private", "?status=waiting", "?ruleset=clasica", "?limit=100"):
        for who, credential in strangers(everybody, owner).items():
            answer = (await world.ask(credential, "GET", f"/v1/games{query}")).json()
            assert answer == {"items": []}, (who, query)
    for who, credential in strangers(everybody, owner).items():
        assert not (await world.ask(credential, "GET", "/v1/me/turns")).json().get("items"), who
    listed = {
        item["game_id"] for item in (await world.ask(everybody[owner]["host"], "GET", "/v1/games")).json()["items"]
    }
    assert listed == {mine["public"], mine["playing"], mine["finished"]}
    turns = (await world.ask(everybody[owner]["host"], "GET", "/v1/me/turns")).json()["items"]
    assert [item["game_id"] for item in turns] == [mine["playing"]]


async def test_a_cursor_of_another_tenant_leads_to_ones_own_tables(world: World, shop: str, mall: str) -> None:
    everybody = await people(world, shop, mall)
    own = [(await world.table(everybody["mall"]["host"]))["game_id"] for _ in range(2)]
    for _ in range(3):
        await world.table(everybody["shop"]["host"])
    cursor = (await world.ask(shop, "GET", "/v1/games?limit=1")).json()["next_cursor"]
    page = (await world.ask(mall, "GET", f"/v1/games?cursor={cursor}")).json()
    assert [item["game_id"] for item in page["items"]] == own[::-1]


async def test_the_same_key_of_callers_of_two_tenants_names_two_requests(world: World, shop: str, mall: str) -> None:
    everybody = await people(world, shop, mall)
    made = {
        (await world.ask(kinds["host"], "POST", "/v1/games", {"players": 4}, Idempotency_Key="a key")).json()["game_id"]
        for kinds in everybody.values()
    }
    assert len(made) == len(everybody)


@pytest.mark.parametrize("owner", OWNERS)
async def test_a_rematch_stays_in_its_tenant(world: World, shop: str, mall: str, owner: str) -> None:
    everybody = await people(world, shop, mall)
    host = everybody[owner]["host"]
    game = (await tables(world, host, everybody[owner]["other"]))["finished"]
    made = (await world.ask(host, "POST", f"/v1/games/{game['game_id']}/rematch")).json()["game_id"]
    assert (await world.ask(host, "GET", f"/v1/games/{made}")).status_code == 200
    for credential in strangers(everybody, owner).values():
        assert (await world.ask(credential, "GET", f"/v1/games/{made}")).status_code == 404


async def test_users_of_the_same_name_in_two_tenants_are_two_players(world: World, shop: str, mall: str) -> None:
    everybody = await people(world, shop, mall)
    ids = {(await world.table(kinds["host"]))["seats"][0]["player"]["player_id"] for kinds in everybody.values()}
    assert len(ids) == len(everybody)


async def test_without_a_credential_nothing_of_the_game_is_open(world: World) -> None:
    """Every operation that is not for strangers refuses them, whatever else they send."""
    open_to_all = {
        operation.id
        for operation in operations()
        if operation.what.get("security") == [] or {} in operation.what.get("security", [])
    }
    for asked in of_every_operation():
        for bad in ({}, {"Authorization": "Bearer x.y.z"}, {"Authorization": f"Bearer pocha_{'0' * 16}_{'0' * 64}"}):
            answer = await world.client.request(
                asked.method, asked.of(ABSENT), json=asked.body, headers={**asked.headers, **bad}
            )
            if asked.operation not in open_to_all or (
                asked.operation == "createPlayer" and "pocha_" in bad.get("Authorization", "")
            ):
                assert_refused(answer)
            elif asked.operation in {"openScoreSheetAsHtml", "openScoreSheetAsCsv"}:
                assert (answer.status_code, answer.json()["code"]) == (404, "not-found")  # the link is the credential
            else:
                assert answer.status_code < 300, asked


async def test_everybodys_games_and_name_are_their_own(world: World, shop: str, mall: str) -> None:
    everybody = await people(world, shop, mall)
    players = {
        f"{tenant} {kind}": credential
        for tenant, kinds in everybody.items()
        for kind, credential in kinds.items()
        if kind != "app"
    }
    mine: dict[str, str] = {}
    for who, credential in players.items():
        named = await world.ask(credential, "PATCH", "/v1/me", {"display_name": who})
        assert named.json()["display_name"] == who
        mine[who] = (await world.table(credential, visibility="private"))["game_id"]
    for who, credential in players.items():
        assert (await world.ask(credential, "GET", "/v1/me")).json()["display_name"] == who
        [game] = (await world.ask(credential, "GET", "/v1/me/games")).json()["items"]
        assert game["game_id"] == mine[who]
        assert game["seats"][0]["player"]["display_name"] == who
    for app in (shop, mall):
        for method, path, body in (
            ("GET", "/v1/me", None),
            ("PATCH", "/v1/me", {"display_name": "Shop"}),
            ("GET", "/v1/me/games", None),
        ):
            refused = await world.ask(app, method, path, body)
            assert (refused.status_code, refused.json()["code"]) == (403, "not-your-seat")


async def test_an_apps_name_for_its_user_replaces_the_one_that_the_user_chose(world: World, shop: str) -> None:
    token = (await world.player(shop, "user-7"))["token"]
    await world.ask(token, "PATCH", "/v1/me", {"display_name": "Chosen"})
    again = await world.player(shop, "user-7")
    assert (await world.ask(token, "GET", "/v1/me")).json()["player_id"] == again["player_id"]
    name = (await world.ask(again["token"], "GET", "/v1/me")).json()["display_name"]
    assert name == again["display_name"] != "Chosen"
