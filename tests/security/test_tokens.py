"""Tokens of the service's own: only what it signed itself, undamaged and in its time, is good."""

import base64
import json
from typing import Any

import jwt
import pytest

from tests.kit.player import Json
from tests.security.world import SECRET, World, assert_refused

OTHER_SECRET = b"another secret of the tests, as long as the first"


def claims_of(token: str) -> Json:
    return jwt.decode(token, options={"verify_signature": False})


def signed(claims: Json, secret: bytes = SECRET, algorithm: str = "HS256", **header: Any) -> str:
    return jwt.encode(claims, secret, algorithm, header)


def part(value: Json | str) -> str:
    written = value if isinstance(value, str) else json.dumps(value)
    return base64.urlsafe_b64encode(written.encode()).rstrip(b"=").decode()


@pytest.fixture
async def token(world: World) -> str:
    return (await world.player())["token"]


@pytest.fixture
def kid(token: str) -> str:
    return jwt.get_unverified_header(token)["kid"]


async def test_a_token_says_whose_it_is_for_which_tenant_and_how_long(world: World, token: str) -> None:
    claims, now = claims_of(token), int(world.clock.now().timestamp())
    assert (claims["tenant"], claims["name"], claims["iat"], claims["exp"]) == ("", "Ana", now, now + 720 * 3600)
    assert await world.is_let_in(token)


async def test_a_token_ends_at_the_moment_it_says(world: World) -> None:
    player = await world.player()
    assert player["expires_at"] == "2026-12-30T12:00:00Z"
    world.clock.pass_by(hours=720, seconds=-1)
    assert await world.is_let_in(player["token"])
    world.clock.pass_by(seconds=1)
    assert not await world.is_let_in(player["token"])


async def test_two_tokens_of_one_second_differ(world: World) -> None:
    player = await world.player()
    renewed = [(await world.ask(player["token"], "POST", "/v1/me/token")).json() for _ in range(2)]
    assert len({player["token"], *(each["token"] for each in renewed)}) == 3
    assert {each["expires_at"] for each in renewed} == {player["expires_at"]}


async def test_a_renewed_token_speaks_for_the_same_player_for_longer(world: World) -> None:
    player = await world.player()
    world.clock.pass_by(hours=700)
    renewed = (await world.ask(player["token"], "POST", "/v1/me/token")).json()
    assert (renewed["player_id"], renewed["display_name"]) == (player["player_id"], "Ana")
    assert renewed["expires_at"] > player["expires_at"]
    assert await world.is_let_in(player["token"])
    world.clock.pass_by(hours=700)
    assert not await world.is_let_in(player["token"])
    assert await world.is_let_in(renewed["token"])
    assert_refused(await world.ask(player["token"], "POST", "/v1/me/token"))


@pytest.mark.parametrize("place", range(3))
async def test_a_token_with_a_changed_letter_is_refused(world: World, token: str, place: int) -> None:
    parts = token.split(".")
    for index in range(0, len(parts[place]) - 1, 7):
        letter = "A" if parts[place][index] != "A" else "B"
        changed = parts[place][:index] + letter + parts[place][index + 1 :]
        assert not await world.is_let_in(".".join([*parts[:place], changed, *parts[place + 1 :]]))


async def test_a_truncated_or_lengthened_token_is_refused(world: World, token: str) -> None:
    for length in range(1, len(token), 9):
        assert not await world.is_let_in(token[:length])
    head, payload, signature = token.split(".")
    for wrong in (
        f"{head}.{payload}.",
        f"{head}.{payload}",
        f"{head}..{signature}",
        f"{token}A",
        f"{token}.x",
        "..",
        ".",
    ):
        assert not await world.is_let_in(wrong)


@pytest.mark.parametrize("algorithm", ["none", "None", "NONE", "nOnE", ""])
async def test_a_token_that_nobody_signed_is_refused(world: World, token: str, kid: str, algorithm: str) -> None:
    unsigned = f"{part({'alg': algorithm, 'typ': 'JWT', 'kid': kid})}.{part(claims_of(token))}."
    assert not await world.is_let_in(unsigned)
    assert not await world.is_let_in(unsigned + token.split(".")[2])


@pytest.mark.parametrize("algorithm", ["HS384", "HS512"])
async def test_a_token_signed_in_another_way_is_refused(world: World, token: str, kid: str, algorithm: str) -> None:
    long_secret = SECRET * 2
    assert not await world.is_let_in(signed(claims_of(token), long_secret, algorithm, kid=kid))


async def test_a_token_signed_by_somebody_else_is_refused(world: World, token: str, kid: str) -> None:
    assert await world.is_let_in(signed(claims_of(token), kid=kid))
    assert not await world.is_let_in(signed(claims_of(token), OTHER_SECRET, kid=kid))


@pytest.mark.parametrize("kid", ["", "0" * 16, "../../../../dev/null", "' OR 1=1 --"])
async def test_a_token_that_names_no_key_of_ours_is_refused(world: World, token: str, kid: str) -> None:
    assert not await world.is_let_in(signed(claims_of(token), kid=kid))
    assert not await world.is_let_in(signed(claims_of(token)))


@pytest.mark.parametrize("claim", ["sub", "name", "tenant", "exp", "aud"])
async def test_a_token_that_leaves_something_unsaid_is_refused(world: World, token: str, kid: str, claim: str) -> None:
    claims = claims_of(token)
    del claims[claim]
    assert not await world.is_let_in(signed(claims, kid=kid))


@pytest.mark.parametrize(
    ("claim", "value"),
    [
        *(("aud", value) for value in ("", "pochA", ["other"], "https://login.example")),
        *(("exp", value) for value in (0, -1, "9999999999", None, 1.5e9, True, [9999999999])),
        *(("sub", value) for value in (7, None, ["ana"])),
        *(("name", value) for value in (7, None, ["Ana"])),
        *(("tenant", value) for value in (7, None, ["app:shop"])),
    ],
)
async def test_a_token_that_says_what_it_should_not_is_refused(
    world: World, token: str, kid: str, claim: str, value: Any
) -> None:
    try:
        forged = signed({**claims_of(token), claim: value}, kid=kid)
    except TypeError:  # PyJWT does not even sign it
        forged = _signed_by_hand({**claims_of(token), claim: value}, kid)
    assert not await world.is_let_in(forged)


def _signed_by_hand(claims: Json, kid: str) -> str:
    return jwt.PyJWS().encode(json.dumps(claims).encode(), SECRET, "HS256", {"kid": kid, "typ": "JWT"})


async def test_what_is_no_token_at_all_is_refused_and_harms_nobody(world: World) -> None:
    deep = part("[" * 20_000)
    for wrong in (
        None,
        "",
        " ",
        "x",
        "pocha",
        f"{deep}.{deep}.{deep}",
        "e30.e30.e30",
        part("7") + ".e30.x",
        "%00",
        "a b",
    ):
        assert not await world.is_let_in(wrong)


@pytest.mark.parametrize("scheme", ["Basic", "Token", "", "Bearer,", "JWT"])
async def test_another_scheme_is_refused(world: World, token: str, scheme: str) -> None:
    assert_refused(await world.client.get("/v1/games", headers={"Authorization": f"{scheme} {token}"}))


async def test_two_credentials_are_none(world: World, token: str) -> None:
    twice = [("Authorization", f"Bearer {token}")] * 2
    assert_refused(await world.client.get("/v1/games", headers=twice))


async def test_a_token_in_the_address_is_no_credential(world: World, token: str) -> None:
    for name in ("access_token", "token", "authorization"):
        assert_refused(await world.client.get("/v1/games", params={name: token}))


async def test_while_the_secret_changes_tokens_of_both_are_good(world: World) -> None:
    """Two processes, the old and the new one; then the old secret is forgotten."""
    old = await world.player()
    async with world.client_of_service(OTHER_SECRET, secret_previous=SECRET) as both:
        headers = {"Authorization": f"Bearer {old['token']}"}
        assert await world.is_let_in(old["token"], both)
        renewed = (await both.post("/v1/me/token", headers=headers)).json()
        assert renewed["player_id"] == old["player_id"]
        assert await world.is_let_in(renewed["token"], both)
    async with world.client_of_service(OTHER_SECRET) as new:
        assert not await world.is_let_in(old["token"], new)
        assert await world.is_let_in(renewed["token"], new)
    assert not await world.is_let_in(renewed["token"])


async def test_the_name_of_a_secret_tells_nothing_of_it(token: str, kid: str) -> None:
    assert len(kid) == 16
    assert SECRET.hex() not in kid
    assert SECRET.decode() not in token
