"""Whatever is sent: a clear problem document, nothing changed, nothing leaked, never a 500."""

import json
from typing import Any, cast

import jwt
import pytest

from tests.kit.player import Api, Guest
from tests.rest.conftest import SECRET

NEW_GAME = {"ruleset": "torofun", "players": 3}
JSON = {"Content-Type": "application/json"}


async def post(guest: Guest, api: Api, path: str, content: bytes, **headers: str) -> dict[str, Any]:
    """Post bytes as they are, and return the problem that must come back."""
    everything = {"Authorization": f"Bearer {guest.token}", **JSON, **headers}
    response = await api.client.post(path, content=content, headers=everything)
    assert response.headers["content-type"] == "application/problem+json", response.text
    problem = response.json()
    assert problem["status"] == response.status_code
    assert problem["type"] == f"/problems/{problem['code']}"
    return problem


@pytest.mark.parametrize(
    ("content", "pointer"),
    [
        (b"", ""),
        (b"{", ""),
        (b"null", ""),
        (b"[]", ""),
        (b"\xff\xfe", ""),
        (b'\xef\xbb\xbf{"ruleset":"torofun","players":3}', ""),
        (b'{"ruleset":"torofun","players":3} x', ""),
        (b'{"ruleset":"torofun","players":NaN}', ""),
        (b"[" * 60_000, ""),
        (b'{"a":' * 10_000, ""),
        (b'{"ruleset":"torofun"}', ""),
        (b'{"ruleset":"torofun","players":3,"client_seed":""}', "/client_seed"),
        (b'{"ruleset":"torofun","players":3,"client_seed":"a b"}', "/client_seed"),
        (b'{"ruleset":"torofun","players":3,"client_seed":"\xc3\xb1"}', "/client_seed"),
        (b'{"players":3,"house_rules":null}', "/house_rules"),
        (b'{"players":3,"house_rules":{"colour":"red"}}', "/house_rules"),
        (b'{"players":3,"house_rules":{"id":"mine"}}', "/house_rules"),
        (b'{"players":3,"house_rules":{"play":null,"players\\n":null}}', "/house_rules"),
        (b'{"ruleset":"torofun","players":3,"colour":"red"}', ""),
        (b'{"ruleset":"torofun","players":"3"}', "/players"),
        (b'{"ruleset":"torofun","players":3.0}', "/players"),
        (b'{"ruleset":"torofun","players":true}', "/players"),
        (b'{"ruleset":"torofun","players":null}', "/players"),
        (b'{"ruleset":"torofun","players":-3}', "/players"),
        (b'{"ruleset":"torofun","players":11}', "/players"),
        (b'{"ruleset":"torofun","players":' + b"9" * 30 + b"}", "/players"),
        (b'{"ruleset":"torofun","players":' + b"9" * 5000 + b"}", "/players"),
        (b'{"ruleset":"torofun","players":1e400}', "/players"),
        (b'{"ruleset":7,"players":3}', "/ruleset"),
        (b'{"ruleset":"toro\\u0000fun","players":3}', "/ruleset"),
        (b'{"ruleset":"' + b"a" * 61 + b'","players":3}', "/ruleset"),
        (b'{"ruleset":"torofun","players":3,"robots":{}}', "/robots"),
        (b'{"ruleset":"torofun","players":3,"robots":[{"level":"perfect"}]}', "/robots/0/level"),
        (b'{"ruleset":"torofun","players":3,"robots":[{}]}', "/robots/0"),
        (b'{"ruleset":"torofun","players":3,"visibility":"secret"}', "/visibility"),
    ],
)
async def test_a_body_that_does_not_fit_is_an_invalid_request_that_says_where(
    api: Api, content: bytes, pointer: str
) -> None:
    guest = await api.guest()
    problem = await post(guest, api, "/v1/games", content)
    # A number too long for the decoder is broken JSON to it, before it knows where the number stands.
    assert (problem["status"], problem["code"]) == (400, "invalid-request")
    assert problem["errors"][0]["pointer"] in (pointer, "")
    assert problem["errors"][0]["message"]
    assert (await guest.ask("GET", "/v1/games")).json()["items"] == []


@pytest.mark.parametrize(
    ("house_rules", "pointer"),
    [
        (b'{"play":[]}', "/play"),
        (b'{"play":{"must_beat":true}}', "/play/must_beat"),
        (b'{"bidding":{"hook":{"off":true}}}', "/bidding/hook"),
        (b'{"schedule":{"blocks":[]}}', "/schedule/blocks"),
        (b'{"schedule":{"shape":"round"}}', "/schedule/shape"),
        (b'{"schedule":{"blocks":[{"kind":"india","first":"0","last":"1"}]}}', "/schedule/blocks/0/first"),
        (b'{"scoring":{"hit_base":5.0}}', "/scoring/hit_base"),
        (b'{"scoring":{"suit_multiplier":{"picas":2}}}', "/scoring/suit_multiplier"),
        (b'{"scoring":{"suit_multiplier":{"oros":21}}}', "/scoring/suit_multiplier"),
        (b'{"play":' * 400 + b"1" + b"}" * 400, "/play"),
    ],
    ids=lambda value: value[:60],
)
async def test_house_rules_that_do_not_fit_are_refused_and_say_where(
    api: Api, house_rules: bytes, pointer: str
) -> None:
    guest = await api.guest()
    problem = await post(guest, api, "/v1/games", b'{"players":3,"house_rules":%b}' % house_rules)
    assert (problem["status"], problem["code"]) == (422, "illegal-ruleset")
    [error] = problem["errors"]
    assert error["pointer"] == f"/house_rules{pointer}"
    assert error["message"]


async def test_a_problem_does_not_repeat_what_was_sent(api: Api) -> None:
    guest = await api.guest()
    for body in ({"ruleset": "torofun", "players": 3, "visibility": "Z" * 60_000}, {"Z" * 60_000: 1}):
        assert len(str(await post(guest, api, "/v1/games", json.dumps(body).encode()))) < 1000


@pytest.mark.parametrize(
    "name", ["", " ", "\u00a0", "a\u0000b", "a\nb", "a\n", "\u007f", "\u0085", "x" * 41, "\u200b", "\u3164", "\u202e"]
)
async def test_a_display_name_without_a_visible_character_or_with_control_characters_is_refused(
    api: Api, name: str
) -> None:
    response = await api.client.post("/v1/players", json={"display_name": name})
    assert (response.status_code, response.json()["errors"][0]["pointer"]) == (400, "/display_name")


@pytest.mark.parametrize("name", ["Ñandú 🃏", "o'Brien; DROP TABLE game", "李", "a b", "\\", "x" * 40])
async def test_a_display_name_is_kept_as_it_was_written(api: Api, name: str) -> None:
    response = await api.client.post("/v1/players", json={"display_name": name})
    assert response.json()["display_name"] == name
    game = await (await api.guest(name)).create()
    assert game["seats"][0]["player"]["display_name"] == name


async def test_a_lone_surrogate_is_broken_json(api: Api) -> None:
    response = await api.client.post("/v1/players", content=b'{"display_name":"\\ud800"}', headers=JSON)
    assert (response.status_code, response.json()["code"]) == (400, "invalid-request")


@pytest.mark.parametrize(
    "media_type", ["text/plain", "", "application/xml", "application/merge-patch+json", "application/x-msgpack"]
)
async def test_a_body_that_is_not_sent_as_json_is_an_unsupported_media_type(api: Api, media_type: str) -> None:
    guest = await api.guest()
    problem = await post(guest, api, "/v1/games", json.dumps(NEW_GAME).encode(), **{"Content-Type": media_type})
    assert (problem["status"], problem["code"]) == (415, "unsupported-media-type")


async def test_a_charset_beside_the_media_type_is_fine(api: Api) -> None:
    response = await api.client.post(
        "/v1/players", content=b'{"display_name":"A"}', headers={"Content-Type": "Application/JSON; charset=utf-8"}
    )
    assert response.status_code == 201


async def test_a_body_above_64_kib_is_too_large(api: Api) -> None:
    guest = await api.guest()
    problem = await post(guest, api, "/v1/games", b'"' + b"a" * 70_000 + b'"')
    assert (problem["status"], problem["code"]) == (413, "too-large")


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ({"ruleset": "no-such", "players": 3}, "unknown-ruleset"),
        ({"ruleset": "clasica", "players": 9}, "wrong-number-of-players"),
        ({"players": 3, "ruleset": "ludoteka-loca"}, "wrong-number-of-players"),
        ({"ruleset": "torofun", "players": 5}, "wrong-number-of-players"),
        ({"ruleset": "torofun", "players": 3, "robots": [{"level": "easy"}] * 3}, "too-many-robots"),
    ],
)
async def test_a_table_that_cannot_be_is_refused_with_the_reason(api: Api, body: object, reason: str) -> None:
    guest = await api.guest()
    response = await guest.ask("POST", "/v1/games", body)
    assert (response.status_code, response.json()["code"], response.json()["reason"]) == (422, "illegal-table", reason)
    assert (await guest.ask("GET", "/v1/games")).json()["items"] == []


@pytest.mark.parametrize(
    ("path", "pointer"),
    [
        ("/v1/games/7", "path/game_id"),
        ("/v1/games/01a22b63411d7eacb1a1381b47d46b16", "path/game_id"),
        ("/v1/games/%ff", "path/game_id"),
        ("/v1/games?limit=0", "query/limit"),
        ("/v1/games?limit=101", "query/limit"),
        ("/v1/games?limit=1.0", "query/limit"),
        ("/v1/games?limit=%203", "query/limit"),
        ("/v1/games?limit=%D9%A3", "query/limit"),
        ("/v1/games?limit=1_0", "query/limit"),
        ("/v1/games?limit=", "query/limit"),
        ("/v1/games?limit=1&limit=1", "query/limit"),
        ("/v1/games?status=null", "query/status"),
        ("/v1/games?ruleset=%00", "query/ruleset"),
        ("/v1/games?cursor=x", "query/cursor"),
        ("/v1/games?colour=red", "query/colour"),
        ("/v1/games?%ff=1", "query"),
    ],
)
async def test_a_path_or_query_that_does_not_fit_is_an_invalid_request(api: Api, path: str, pointer: str) -> None:
    response = await (await api.guest()).ask("GET", path)
    assert (response.status_code, response.json()["code"]) == (400, "invalid-request")
    assert response.json()["errors"][0]["pointer"] == pointer


async def test_a_seat_in_the_path_that_is_no_digit_is_an_invalid_request(api: Api) -> None:
    ana = await api.guest()
    game = await ana.create()
    response = await ana.ask("DELETE", f"/v1/games/{game['game_id']}/seats/-1")
    assert response.json()["errors"][0]["pointer"] == "path/seat"


@pytest.mark.parametrize(
    "path",
    [
        "/v3",
        "/problems/no-such-code",
        "/v1/games/",
        "//v1/games",
        "/v1//games",
        "/v2/games",
        "/healthz/",
        "/docs/../app.py",
        "/docs/x.js",
    ],
)
async def test_what_is_nowhere_is_not_found(api: Api, path: str) -> None:
    response = await api.client.get(path)
    assert (response.status_code, response.json()["code"]) == (404, "not-found")


async def test_a_game_id_may_be_written_in_capitals(api: Api) -> None:
    guest = await api.guest()
    game = await guest.create()
    assert (await guest.look(game["game_id"].upper()))["game_id"] == game["game_id"]


async def test_a_game_that_is_not_there_is_not_found(api: Api) -> None:
    guest = await api.guest()
    for method, rest, body in (("GET", "", None), ("POST", "/bids", {"bid": 0}), ("GET", "/events", None)):
        response = await guest.ask(method, f"/v1/games/00000000-0000-7000-8000-000000000000{rest}", body)
        assert (response.status_code, response.json()["code"]) == (404, "not-found")


@pytest.mark.parametrize("method", ["PATCH", "PUT", "DELETE", "TRACE", "BREW"])
async def test_a_method_that_is_not_there_is_not_allowed_and_allow_lists_what_is(api: Api, method: str) -> None:
    response = await api.client.request(method, "/v1/games")
    assert (response.status_code, response.json()["code"]) == (405, "method-not-allowed")
    assert response.headers["allow"] == "GET, HEAD, OPTIONS, POST"


def signed(claims: dict[str, Any], secret: bytes | None = SECRET, algorithm: str = "HS256") -> str:
    # Without a key, as nobody should sign; PyJWT does not say in its types that it does.
    return jwt.encode(claims, cast("Any", secret), algorithm)


CLAIMS = {"sub": "7a4f0f0e-0000-4000-8000-000000000000", "name": "Mallory", "aud": "pocha"}


@pytest.mark.parametrize(
    "authorization",
    [
        "",
        "Bearer",
        "Bearer ",
        "Basic YTpi",
        "Bearer x",
        "Bearer a.b.c",
        "Bearer " + "x" * 5000,
        f"Bearer {signed(CLAIMS, b'another secret, of 32 bytes or more')}",
        f"Bearer {signed(CLAIMS, algorithm='HS512')}",
        f"Bearer {signed(CLAIMS, None, 'none')}",
        f"Bearer {signed(CLAIMS | {'aud': 'another'})}",
        f"Bearer {signed({'sub': CLAIMS['sub'], 'aud': 'pocha'})}",
        f"Bearer {signed(CLAIMS)}x",
    ],
)
async def test_without_a_token_of_this_service_nothing_is_told(api: Api, authorization: str) -> None:
    _, game = await api.full_table()
    for path in ("/v1/games", f"/v1/games/{game['game_id']}", f"/v1/games/{game['game_id']}/events"):
        response = await api.client.get(path, headers={"Authorization": authorization})
        assert (response.status_code, response.json()["code"]) == (401, "unauthenticated")
        assert response.headers["www-authenticate"].startswith("Bearer")
        assert "errors" not in response.json()


async def test_the_token_is_asked_for_before_anything_else_is_judged(api: Api) -> None:
    response = await api.client.post("/v1/games/x/bids", content=b"{")
    assert response.status_code == 401


async def test_who_is_not_known_may_still_read_the_rulesets(api: Api) -> None:
    listed = (await api.client.get("/v1/rulesets")).json()["items"]
    assert [item["ruleset"]["ruleset_id"] for item in listed] == [
        "clasica",
        "antigua",
        "ludoteka-express-3",
        "ludoteka-express-4",
        "ludoteka-subebaja",
        "ludoteka-loca",
        "fournier",
        "torofun",
    ]
    for item in listed:
        assert (await api.client.get(f"/v1/rulesets/{item['ruleset']['ruleset_id']}")).json() == item
    response = await api.client.get("/v1/rulesets/no-such")
    assert (response.status_code, response.json()["code"]) == (404, "not-found")
