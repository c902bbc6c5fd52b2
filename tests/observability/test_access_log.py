"""The access log: a record a request, which says who asked about what, and what came of it."""

import logging

import pytest

from service.observability import log_format
from tests.kit.player import Api
from tests.observability.conftest import Written

MOVE = "/v1/games/{game_id}/bids"


async def test_a_move_is_told_with_who_made_it_where(api: Api, written: Written) -> None:
    guests, game = await api.full_table()
    seat = int(game["turn"]["seat"])
    guest = guests[seat]
    response = await guest.bid(game["game_id"], (await guest.look(game["game_id"]))["turn"]["legal_bids"][0])
    [told] = written.requests(MOVE)
    assert told["request_id"] == response.headers["x-request-id"]
    assert (told["level"], told["event"], told["method"], told["status"]) == ("info", "request", "POST", 200)
    assert (told["path"], told["game_id"]) == (f"/v1/games/{game['game_id']}/bids", game["game_id"])
    assert (told["player_id"], told["seat"], told["bytes"]) == (
        guest.player_id,
        seat,
        int(response.headers["content-length"]),
    )
    assert 0 < told["duration_ms"] < 10_000
    assert not {"problem", "waited", "trace_id", "tenant"} & told.keys()


async def test_who_makes_a_table_or_sits_down_is_told_with_it(api: Api, written: Written) -> None:
    ana, eva = await api.guest(), await api.guest()
    game = await ana.create()
    await eva.join(game["game_id"])
    [made], [joined] = written.requests("/v1/games"), written.requests("/v1/games/{game_id}/seats")
    assert (made["game_id"], made["seat"], made["status"]) == (game["game_id"], 0, 201)
    assert (joined["game_id"], joined["seat"], joined["player_id"]) == (game["game_id"], 1, eva.player_id)


async def test_a_problem_is_told_by_its_code(api: Api, written: Written) -> None:
    guests, game = await api.full_table()
    await guests[int(game["turn"]["seat"])].bid(game["game_id"], 16)
    [told] = written.requests(MOVE)
    assert (told["status"], told["problem"]) == (422, "illegal-bid")


async def test_what_waits_is_told_apart(api: Api, written: Written) -> None:
    ana = await api.guest()
    game = await ana.create()
    await ana.ask("GET", f"/v1/games/{game['game_id']}?after_version=1&wait=1")
    [told] = written.requests("/v1/games/{game_id}")
    assert told["waited"] is True


async def test_a_head_has_the_route_of_its_get_and_no_bytes(api: Api, written: Written) -> None:
    await api.client.head("/v1/rulesets")
    [told] = written.requests("/v1/rulesets")
    assert (told["method"], told["status"]) == ("HEAD", 200)
    assert "bytes" not in told


@pytest.mark.parametrize("path", ["/nowhere", "/v1//games", "/v1/games/x/y/z"])
async def test_a_path_that_leads_nowhere_has_no_route(api: Api, written: Written, path: str) -> None:
    await api.client.get(path)
    [told] = [each for each in written.records() if each["logger"] == "pocha.access"]
    assert (told["path"], told["status"], told["problem"]) == (path, 404, "not-found")
    assert "route" not in told


async def test_probes_are_told_only_where_everything_is(api: Api, written: Written) -> None:
    await api.client.get("/healthz")
    assert [told["level"] for told in written.requests("/healthz")] == ["debug"]
    logging.getLogger().setLevel(logging.INFO)
    await api.client.get("/readyz")
    await api.client.get("/metrics")
    assert not written.requests("/readyz") + written.requests("/metrics")


@pytest.mark.parametrize(
    "given", ["a", "0af7651916cd43dd8448eb211c80319c", "Root=1-67891233-abcdef012345678912345678".replace("=", ":")]
)
async def test_the_id_that_a_request_brings_is_kept(api: Api, written: Written, given: str) -> None:
    response = await api.client.get("/v1/rulesets", headers={"X-Request-Id": given})
    assert response.headers["x-request-id"] == given
    assert written.requests("/v1/rulesets")[0]["request_id"] == given


@pytest.mark.parametrize(
    "given",
    ["", " ", "a b", "a\tb", '"x"', "x" * 65, "é", "-x", "a,b", "eyJhbGciOiJI.eyJzdWIi.c2ln", "oros-7", "{}", "a%0a"],
)
async def test_an_id_that_looks_like_none_is_passed_over(api: Api, written: Written, given: str) -> None:
    response = await api.client.get("/v1/rulesets", headers={b"X-Request-Id": given.encode("latin-1")})
    made = response.headers["x-request-id"]
    assert made != given
    assert len(made) == 16
    assert written.requests("/v1/rulesets")[0]["request_id"] == made


async def test_every_record_of_a_request_has_its_id(api: Api, written: Written) -> None:
    ana = await api.guest()
    game = await ana.create()
    logging.getLogger("asyncpg").info("before")
    response = await ana.ask("GET", f"/v1/games/{game['game_id']}", headers={"X-Request-Id": "mine"})
    assert response.status_code == 200
    assert "request_id" not in next(each for each in written.records() if each["event"] == "before")
    assert [each["event"] for each in written.records() if each.get("request_id") == "mine"] == ["request"]


@pytest.mark.parametrize(
    "path",
    [
        "/%0a{FORGED}",
        "/v1/games/%0d%0aX/bids",
        "/eyJhbGciOiJI.eyJzdWIi.c2ln",
        "/" + "x" * 190 + ".eyJhbGciOiJI.eyJzdWIi.c2ln",
        "/" + "x" * 5000,
        "/%E2%80%A8",
        "/a%1b[31m",
    ],
)
async def test_a_path_forges_nothing_and_tells_no_token(api: Api, written: Written, path: str) -> None:
    await api.client.get(path)
    text = written.text()
    assert text.splitlines() == text.split("\n")[:-1]
    assert all(letter.isprintable() for letter in text.replace("\n", ""))
    assert "eyJhbGciOiJI" not in text
    assert len(text) < 1000


async def test_text_says_the_same_for_people(api: Api, silent_client: None) -> None:  # noqa: ARG001 - wanted for what it does
    written = Written()
    log_format.configure("info", "text", stream=written.stream)
    await api.client.get("/v1/rulesets", headers={"X-Request-Id": "mine"})
    [line] = written.text().splitlines()
    assert (
        " INFO pocha.access request request_id=mine method=GET path=/v1/rulesets route=/v1/rulesets status=200 " in line
    )
