"""Tokens of a trusted issuer: only what that issuer signed, for this service, in its time, is good."""

import base64
import hashlib
import hmac
import json
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa

from tests.kit.player import Json
from tests.security.test_tokens import part
from tests.security.world import AUDIENCE, ISSUER, World, assert_refused


async def player_id(world: World, token: str) -> str:
    return (await world.table(token))["seats"][0]["player"]["player_id"]


@pytest.mark.parametrize(("algorithm", "name"), [("RS256", "rsa"), ("ES256", "ec"), ("EdDSA", "ed")])
async def test_a_token_of_the_issuer_speaks_for_its_user(world: World, algorithm: str, name: str) -> None:
    token = jwt.encode(world.issuer.claims(), getattr(world.issuer, name), algorithm, {"kid": name})
    seat = (await world.table(token))["seats"][0]
    assert seat["player"]["display_name"] == "Ida"
    assert seat["player"]["player_id"] == await player_id(world, world.issuer.token())
    assert seat["player"]["player_id"] != await player_id(world, world.issuer.token("user-2"))


async def test_where_no_issuer_is_trusted_its_tokens_are_refused(world: World) -> None:
    async with world.client_of_service(issuer=None) as client:
        assert not await world.is_let_in(world.issuer.token(), client)


@pytest.mark.parametrize(
    "wrong",
    [
        *({"iss": value} for value in (None, "", "https://login.example/", "https://evil.example", [ISSUER], 7)),
        *({"aud": value} for value in (None, "", "pocha", "pocha-of-examplE", ["other"], 7)),
        *({"sub": value} for value in (None, "", 7, ["user-1"], "x" * 256, "\ud800")),
        *({"exp": value} for value in (None, 0, "9999999999", True, [9999999999])),
        *({"nbf": value} for value in ("0", [0], True)),
        {"iat": "0"},
    ],
    ids=repr,
)
async def test_a_token_that_says_what_it_should_not_is_refused(world: World, wrong: Json) -> None:
    said = world.issuer.claims()
    for name, value in wrong.items():
        said[name] = value
        if value is None:
            del said[name]
    head = {"alg": "ES256", "kid": "ec", "typ": "JWT"}
    token = jwt.PyJWS().encode(json.dumps(said).encode(), world.issuer.ec, "ES256", head)
    assert not await world.is_let_in(token)


async def test_the_audience_may_be_one_of_several(world: World) -> None:
    assert await world.is_let_in(world.issuer.token(aud=["other", AUDIENCE]))


async def test_a_token_is_good_in_its_time_and_a_little_longer_for_clocks_that_differ(world: World) -> None:
    now = int(world.clock.now().timestamp())
    good: list[Json] = [{"exp": now - 29}, {"nbf": now + 30}, {"iat": now + 30}]
    wrong: list[Json] = [{"exp": now - 30}, {"nbf": now + 31}, {"iat": now + 31}, {"nbf": now + 10**9}]
    assert [await world.is_let_in(world.issuer.token(**claims)) for claims in good] == [True] * 3
    assert [await world.is_let_in(world.issuer.token(**claims)) for claims in wrong] == [False] * 4


@pytest.mark.parametrize("algorithm", ["none", "None", "NONE", ""])
@pytest.mark.parametrize("kid", ["ec", "rsa", ""])
async def test_a_token_that_nobody_signed_is_refused(world: World, algorithm: str, kid: str) -> None:
    head, claims = part({"alg": algorithm, "kid": kid}), part(world.issuer.claims())
    assert not await world.is_let_in(f"{head}.{claims}.")
    assert not await world.is_let_in(f"{head}.{claims}.{world.issuer.token().split('.')[2]}")


@pytest.mark.parametrize("kid", ["rsa", "ec", "ed"])
async def test_a_token_signed_with_a_public_key_as_if_it_were_secret_is_refused(world: World, kid: str) -> None:
    public = getattr(world.issuer, kid).public_key()
    published = world.issuer.public(kid, getattr(world.issuer, kid))
    pem = public.public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
    for secret in (
        pem,
        pem.strip(),
        json.dumps(published).encode(),
        str(published.get("x", published.get("n"))).encode(),
    ):
        # PyJWT refuses to sign with these; whoever attacks has no such scruples.
        token = _signed_by_anybody(world.issuer.claims(), secret, kid)
        assert not await world.is_let_in(token)


def _signed_by_anybody(claims: Json, secret: bytes, kid: str) -> str:
    told = f"{part({'alg': 'HS256', 'typ': 'JWT', 'kid': kid})}.{part(claims)}"
    signature = hmac.new(secret, told.encode(), hashlib.sha256).digest()
    return f"{told}.{base64.urlsafe_b64encode(signature).rstrip(b'=').decode()}"


async def test_a_token_signed_with_another_key_is_refused(world: World) -> None:
    for key, algorithm, kid in (
        (ec.generate_private_key(ec.SECP256R1()), "ES256", "ec"),
        (rsa.generate_private_key(65537, 2048), "RS256", "rsa"),
        (world.issuer.ec, "ES256", "rsa"),
        (world.issuer.rsa, "RS256", "ec"),
        (world.issuer.rsa, "RS512", "rsa"),
        (world.issuer.rsa, "PS256", "rsa"),
        (world.issuer.ec, "ES256", "unknown"),
    ):
        token = jwt.encode(world.issuer.claims(), key, algorithm, {"kid": kid})
        assert not await world.is_let_in(token)


async def test_a_key_that_comes_with_the_token_is_not_taken(world: World) -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    own: dict[str, Any] = {
        "jwk": world.issuer.public("ec", key),
        "jku": "https://evil.example/keys",
        "x5u": "https://evil.example/cert",
    }
    for name, value in own.items():
        token = jwt.encode(world.issuer.claims(), key, "ES256", {"kid": "ec", name: value})
        assert not await world.is_let_in(token)


async def test_a_token_that_names_no_key_is_refused(world: World) -> None:
    assert not await world.is_let_in(jwt.encode(world.issuer.claims(), world.issuer.ec, "ES256"))


async def test_a_token_of_the_issuer_is_not_renewed_here(world: World) -> None:
    assert_refused(await world.ask(world.issuer.token(), "POST", "/v1/me/token"))


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ({"name": "  Ida \u200b  B. "}, "Ida B."),
        ({"name": "\u202eadI\u2028"}, "adI"),
        ({"name": "I\u0000", "nickname": "Ida"}, "Ida"),
        ({"name": "x" * 50}, "x" * 40),
        ({"name": "", "preferred_username": "ida"}, "ida"),
        ({"name": ["Ida"], "nickname": "I"}, "I"),
        ({"name": "\ud800"}, None),
        ({"name": None}, None),
    ],
)
async def test_a_user_is_shown_by_a_name_that_can_be_shown(world: World, said: Json, shown: str | None) -> None:
    claims = {name: value for name, value in {**world.issuer.claims(), **said}.items() if value is not None}
    head = {"alg": "ES256", "kid": "ec", "typ": "JWT"}
    token = jwt.PyJWS().encode(json.dumps(claims).encode(), world.issuer.ec, "ES256", head)
    player = (await world.table(token))["seats"][0]["player"]
    assert player["display_name"] == (shown or f"Player {player['player_id'][:4]}")


async def test_a_deleted_user_s_tokens_are_void_and_later_ones_are_of_another_player(world: World) -> None:
    now = int(world.clock.now().timestamp())
    before = world.issuer.token(iat=now)
    was = await player_id(world, before)
    assert (await world.ask(before, "DELETE", "/v1/me")).status_code == 204
    assert not await world.is_let_in(before)
    assert not await world.is_let_in(world.issuer.token(iat=None))
    world.clock.pass_by(hours=1)
    assert await player_id(world, world.issuer.token(iat=now + 3600)) != was
