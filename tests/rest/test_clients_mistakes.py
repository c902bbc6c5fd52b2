"""What clients of all kinds send by mistake or by their defaults is understood, or refused by its name."""

import gzip
import json
import re

import pytest

from service.rest.errors import ErrorCode
from service.rest.negotiation import best_language
from tests.contract.document import Operation, operations, resolved
from tests.kit.player import Api

JSON = {"Content-Type": "application/json"}
LANGUAGES = ("en", "es", "fr", "de")
WITHOUT_A_BODY = [each for each in operations() if each.what.get("requestBody", {}).get("required") is False]


@pytest.mark.parametrize("sent", ["Bearer gone", "Bearer a.b.c", "Basic YTpi", "Bearer", "nonsense", ""])
async def test_a_foreign_credential_keeps_no_person_from_becoming_a_guest(api: Api, sent: str) -> None:
    response = await api.client.post("/v1/players", json={"display_name": "Ana"}, headers={"Authorization": sent})
    assert response.status_code == 201


async def test_an_invalid_api_key_makes_no_guest(api: Api) -> None:
    headers = {"Authorization": "Bearer pocha_0123456789abcdef_nothing"}
    response = await api.client.post("/v1/players", json={"display_name": "Ana"}, headers=headers)
    assert response.status_code == 401


@pytest.mark.parametrize("path", ["/v1/rulesets", "/v1/glossary", "/openapi.json", "/docs", "/healthz"])
async def test_a_foreign_credential_keeps_nobody_from_public_pages(api: Api, path: str) -> None:
    assert (await api.client.get(path, headers={"Authorization": "Bearer gone"})).status_code == 200


@pytest.mark.parametrize("encoding", ["gzip", "br", "zstd", "deflate", "GZIP"])
async def test_a_compressed_body_is_an_unsupported_media_type(api: Api, encoding: str) -> None:
    body = gzip.compress(json.dumps({"display_name": "Ana"}).encode())
    response = await api.client.post("/v1/players", content=body, headers={**JSON, "Content-Encoding": encoding})
    assert response.status_code == 415
    assert "Content-Encoding" in response.json()["detail"]


async def test_the_identity_encoding_is_none(api: Api) -> None:
    headers = {**JSON, "Content-Encoding": "identity"}
    assert (await api.client.post("/v1/players", content=b'{"display_name":"Ana"}', headers=headers)).status_code == 201


@pytest.mark.parametrize("mark", [b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff", b"\x00\x00\xfe\xff"])
async def test_a_byte_order_mark_is_called_by_its_name(api: Api, mark: bytes) -> None:
    response = await api.client.post("/v1/players", content=mark + b'{"display_name":"Ana"}', headers=JSON)
    assert response.status_code == 400
    assert "byte order mark" in response.json()["errors"][0]["message"]


async def test_a_compressed_body_that_does_not_say_so_is_called_by_its_name(api: Api) -> None:
    body = gzip.compress(b'{"display_name":"Ana"}')
    response = await api.client.post("/v1/players", content=body, headers=JSON)
    assert (response.status_code, response.json()["errors"][0]["message"]) == (
        400,
        "The body is compressed. Send it as it is.",
    )


@pytest.mark.parametrize("path", ["/v1/games?cursor=x", "/v1/games?ruleset=La%20mía", "/v1/me/turns?after=%20"])
async def test_a_refused_parameter_shows_the_pattern_as_the_contract_writes_it(api: Api, path: str) -> None:
    [error] = (await (await api.guest()).ask("GET", path)).json()["errors"]
    assert error["message"].startswith("Expected text of the form ^[")
    assert error["message"].endswith("$")


@pytest.mark.parametrize(("query", "named"), [("_=1700000000", "none"), ("limit=5&utm_source=x", "")])
async def test_an_unknown_parameter_is_refused_as_such(api: Api, query: str, named: str) -> None:
    guest = await api.guest()
    path = "/v1/rulesets" if named else "/v1/games"
    response = await guest.ask("GET", f"{path}?{query}")
    assert response.status_code == 400
    [error] = response.json()["errors"]
    assert error["message"].startswith("Unknown parameter. This operation takes")
    assert named in error["message"]


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("es_ES", "es"),
        ("es_419.UTF-8", "es"),
        ("es.UTF-8", "es"),
        ("fr@euro,en;q=0.5", "fr"),
        ("es;q=0.85714", "es"),
        ("en;q=0.1,fr_CA;q=0.142857,de;q=0.05", "fr"),
        ("zh, de-AT-1996;q=0.333333", "de"),
        ("en;q=.2, fr; Q= .9", "fr"),
        ("C", "en"),
    ],
)
def test_a_language_is_understood_as_platforms_write_it(header: str, language: str) -> None:
    assert best_language(header, LANGUAGES) == language


async def test_a_declared_default_may_be_sent(api: Api) -> None:
    guest = await api.guest()
    game = await guest.create()
    response = await guest.ask("GET", f"/v1/games/{game['game_id']}?wait=0")
    assert response.status_code == 200


@pytest.mark.parametrize(
    ("path", "target"),
    [
        ("/", "/docs"),
        ("/health", "/healthz"),
        ("/livez", "/healthz"),
        ("/ready", "/readyz"),
        ("/v1", "/docs/api"),
        ("/openapi.yaml", "/openapi.json"),
        ("/favicon.ico", "/docs/static/favicon-32x32.png"),
        ("/docs/", "/docs"),
        ("/play/", "/play"),
    ],
)
async def test_a_guessed_address_leads_somewhere(api: Api, path: str, target: str) -> None:
    response = await api.client.get(path)
    assert (response.status_code, response.headers["location"]) == (302, target)
    assert (await api.client.get(target)).status_code == 200


async def test_the_type_of_every_problem_leads_to_its_explanation(api: Api) -> None:
    page = (await api.client.get("/docs/errors")).text
    for code in ErrorCode:
        response = await api.client.get(f"/problems/{code.code}")
        assert response.headers["location"] == f"/docs/errors#{code.code}"
        assert f'id="{code.code}"' in page


async def test_a_reader_past_the_end_is_told_where_the_game_stands(api: Api) -> None:
    """`version` is the game's: who goes on from an invented one would skip commits for ever."""
    guest = await api.guest()
    game = await guest.create()
    response = await guest.ask("GET", f"/v1/games/{game['game_id']}/events?after=1000")
    page = response.json()
    assert (page["items"], page["version"], page["next_after"]) == ([], game["version"], game["version"])


@pytest.mark.parametrize("operation", WITHOUT_A_BODY, ids=lambda operation: operation.id)
async def test_a_body_whose_members_are_all_optional_may_be_absent(api: Api, operation: Operation) -> None:
    """Kind: a request that says nothing need not say it in JSON. What has no body is answered as what has an empty object."""
    guest = await api.guest()
    path = re.sub(r"{\w+}", "00000000-0000-7000-8000-000000000000", operation.path)
    absent = await guest.ask(operation.method.upper(), path)
    empty = await guest.ask(operation.method.upper(), path, {})
    assert absent.status_code == empty.status_code not in {400, 415}
    assert absent.json().get("code") == empty.json().get("code")


def test_the_contract_requires_a_body_where_a_member_is_required() -> None:
    for operation in operations():
        body = operation.what.get("requestBody")
        if body:
            schema = resolved(body["content"]["application/json"]["schema"])
            assert body["required"] == bool(schema.get("required")), operation.id
