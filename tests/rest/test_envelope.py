"""What every answer has, and what HTTP asks of every resource."""

import logging
from typing import Any, cast

import pytest

from service.adapters.clock import SystemClock
from service.adapters.memory.store import MemoryStore
from service.application.shuffle import SeededShuffler
from service.bootstrap.service import create_app
from tests.kit.clock import SetClock
from tests.kit.player import Api, client_of
from tests.kit.waiting import WAITS
from tests.rest.conftest import SECRET


@pytest.mark.parametrize("path", ["/healthz", "/v1/rulesets", "/nowhere", "/v1//games", "/docs"])
async def test_every_answer_has_a_request_id_and_safe_headers(api: Api, path: str) -> None:
    first, second = await api.client.get(path), await api.client.get(path)
    assert first.headers["x-request-id"] != second.headers["x-request-id"]
    assert first.headers["x-content-type-options"] == "nosniff"
    assert "default-src 'none'" in first.headers["content-security-policy"]
    assert "cache-control" in first.headers


async def test_head_answers_as_get_does_without_the_body(api: Api) -> None:
    ana = await api.guest()
    path = f"/v1/games/{(await ana.create())['game_id']}"
    head, get = await ana.ask("HEAD", path), await ana.ask("GET", path)
    assert head.content == b""
    names = set(head.headers) | set(get.headers)
    assert all(head.headers[name] == get.headers[name] for name in names - {"x-request-id"})


async def test_options_tells_all_methods_of_a_path_without_a_token(api: Api) -> None:
    response = await api.client.options("/v1/games/any/seats/1/robot")
    assert (response.status_code, response.headers["allow"], response.content) == (204, "OPTIONS, PUT", b"")
    assert (await api.client.options("/nowhere")).status_code == 404


async def test_a_view_that_did_not_change_is_not_sent_again(api: Api) -> None:
    ana = await api.guest()
    path = f"/v1/games/{(await ana.create())['game_id']}"
    tag = (await ana.ask("GET", path)).headers["etag"]
    for given in (tag, f'"x", {tag}', tag.removeprefix("W/"), "*"):
        response = await ana.ask("GET", path, headers={"If-None-Match": given})
        assert (response.status_code, response.content, response.headers["etag"]) == (304, b"", tag)
    await (await api.guest()).join(path.rpartition("/")[2])
    assert (await ana.ask("GET", path, headers={"If-None-Match": tag})).status_code == 200


async def test_the_tag_of_a_view_tells_viewers_apart(api: Api) -> None:
    guests, game = await api.full_table()
    stranger = await api.guest()
    path = f"/v1/games/{game['game_id']}"
    tags = {(await guest.ask("GET", path)).headers["etag"] for guest in (*guests, stranger)}
    assert len(tags) == 4


async def test_views_are_for_their_viewer_alone(api: Api) -> None:
    guests, game = await api.full_table()
    for path in ("", "/events", "/score-sheet"):
        response = await guests[0].ask("GET", f"/v1/games/{game['game_id']}{path}")
        assert response.headers["cache-control"] == "private, no-cache"
        assert "Authorization" in response.headers["vary"]


async def test_a_view_tells_the_time_of_the_server(api: Api, clock: SetClock) -> None:
    game = await (await api.guest()).create()
    assert game["server_time"] == clock.now().isoformat().replace("+00:00", "Z")


async def test_a_service_without_its_log_lives_but_is_not_ready(api: Api, log: MemoryStore) -> None:
    ana = await api.guest()
    assert (await api.client.get("/readyz")).json() == {"status": "ready"}
    await log.close()
    assert (await api.client.get("/healthz")).status_code == 200
    for response in (await api.client.get("/readyz"), await ana.ask("GET", "/v1/games")):
        assert (response.status_code, response.json()["code"]) == (503, "overloaded")
        assert response.headers["retry-after"] in WAITS


async def test_the_access_log_names_request_and_status_and_no_token_or_query(
    api: Api, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    ana = await api.guest()
    game = await ana.create(visibility="private")
    response = await ana.ask("GET", "/v1/games?cursor=secret%0d%0ainjected")
    written = "\n".join(record.getMessage() for record in caplog.records if record.name.startswith("pocha"))
    assert "GET /v1/games 400" in written
    assert response.headers["x-request-id"] in written
    assert ana.token not in written
    assert game["invite_code"] not in written
    assert "injected" not in written


class BrokenLog(MemoryStore):
    """A log with a fault of its own, which no caller can foresee."""

    async def check(self) -> None:
        """Fail."""
        raise ZeroDivisionError("a fault with a secret in it")


async def test_a_fault_of_our_own_is_a_500_that_tells_nothing() -> None:
    app = create_app(BrokenLog(), SystemClock(), SeededShuffler(), b"x" * 32)
    async with client_of(app) as client:
        response = await client.get("/readyz")
    assert (response.status_code, response.json()["code"]) == (500, "internal-error")
    assert "secret" not in response.text


async def test_a_client_that_goes_away_in_the_middle_of_a_body_is_no_fault_of_ours(
    log: MemoryStore, clock: SetClock, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    messages: list[dict[str, Any]] = [
        {"type": "http.request", "body": b"{", "more_body": True},
        {"type": "http.disconnect"},
    ]
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return messages.pop(0)

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    scope = {
        "type": "http",
        "http_version": "1.1",
        "method": "POST",
        "path": "/v1/players",
        "raw_path": b"/v1/players",
        "query_string": b"",
        "headers": [(b"content-type", b"application/json"), (b"content-length", b"100")],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 80),
        "scheme": "http",
        "root_path": "",
        "asgi": {"version": "3.0"},
    }
    app = create_app(log, clock, SeededShuffler(), SECRET)
    await cast("Any", app)(scope, receive, send)
    assert sent[0]["status"] == 400
    assert not [record for record in caplog.records if record.levelno > logging.INFO]
