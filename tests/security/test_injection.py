"""Injection: whatever a request holds, and wherever, it ends no header, begins no line of the log, and comes back as no markup."""

import io
import json
import logging
from typing import Any
from urllib.parse import quote

import httpx
import jwt
import pytest

from service.observability import log_format
from tests.security.every_operation import Asked, of_every_operation
from tests.security.world import World

MARK = "injected"
GAME = "01a22b65-9f82-74a4-86b2-99ff9c4cab8e"
PAYLOADS = {
    "a line": f"x\r\nX-{MARK}: 1\r\n\r\n{MARK}",
    "a line feed": f"x\nlevel=error {MARK}",
    "markup": f"<script>{MARK}()</script>",
    "an attribute": f"\"'><img src=x onerror={MARK}()>",
    "controls": f"\x00\x1b[31m\x7f\x85\u2028\u202e{MARK}",
    "a template": "{{7*7}}${jndi:ldap://x}%s%n" + MARK,
    "a statement": f"'; DROP TABLE game; -- {MARK}",
    "a path": f"../../{MARK}/etc/passwd",
}
HEADERS = (
    *(
        "Accept",
        "Accept-Language",
        "Authorization",
        "Content-Type",
        "Idempotency-Key",
        "If-None-Match",
        "Last-Event-ID",
    ),
    *("Origin", "Referer", "Traceparent", "User-Agent", "X-Forwarded-For", "X-Request-Id"),
)
INJECTED = pytest.mark.parametrize("payload", PAYLOADS.values(), ids=PAYLOADS.keys())


@pytest.fixture
def log(silent_client: None) -> io.StringIO:  # noqa: ARG001 - wanted for what it does
    """All that is logged from now on, as it is written in both forms."""
    stream = io.StringIO()
    log_format.configure("debug", "json", stream=stream)
    in_text = logging.StreamHandler(stream)
    in_text.setFormatter(log_format.LineFormatter("text"))
    logging.root.addHandler(in_text)
    return stream


@pytest.fixture
async def token(world: World) -> str:
    return (await world.player())["token"]


def require_clean(answer: httpx.Response) -> None:
    """Hold an answer to it that its headers are headers, and that what it repeats is no markup where it could be taken for that."""
    for name, value in answer.headers.raw:
        assert MARK.encode() not in name + value
        assert all(0x20 <= byte < 0x7F for byte in name + value), (name, value)
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.status_code < 500
    if answer.status_code >= 400 and answer.content:
        assert answer.headers["content-type"] == "application/problem+json"
        assert answer.json()["status"] == answer.status_code
    if "html" in answer.headers.get("content-type", ""):
        assert MARK not in answer.text


def require_whole_lines(log: io.StringIO) -> None:
    """Hold the log to it that each line is one that the service began, and steers no terminal."""
    text = log.getvalue()
    assert text.splitlines() == text.split("\n")[:-1]
    assert all(letter.isprintable() for letter in text.replace("\n", ""))
    for line in text.splitlines():
        if line.startswith("{"):
            assert {"timestamp", "level", "logger", "event"} <= json.loads(line).keys()
        else:
            assert line.startswith("20"), line


async def send(world: World, asked: Asked, **changed: Any) -> httpx.Response:
    """Send a request of an operation, with some of it changed."""
    request: dict[str, Any] = {"method": asked.method, "url": asked.path, "headers": asked.headers, "json": asked.body}
    return await world.client.request(**{**request, **changed})


def plain() -> list[Asked]:
    """Return a request of each operation, about a game that there is not."""
    first = {asked.operation: asked for asked in reversed(of_every_operation())}
    del first["deleteMe"]  # who is deleted can ask nothing more
    # The stream of all games has no end.
    first["streamMyGames"] = first["streamMyGames"]._replace(method="HEAD")
    return [asked._replace(path=asked.of(GAME)) for asked in first.values()]


@INJECTED
async def test_what_stands_in_a_path_or_a_query_stays_there(
    world: World, token: str, log: io.StringIO, payload: str
) -> None:
    bearer, written = {"Authorization": f"Bearer {token}"}, quote(payload, safe="")
    for asked in plain():
        for url in (
            f"{asked.path}/{written}",
            asked.path.replace("01a22b65", written).replace("clasica", written),
            f"{asked.path}?{written}=1",
            f"{asked.path}?cursor={written}&status={written}&after={written}&wait={written}",
        ):
            answer = await send(world, asked, url=url, headers={**asked.headers, **bearer})
            require_clean(answer)
    require_whole_lines(log)


@INJECTED
async def test_what_stands_in_a_header_stays_there(world: World, token: str, log: io.StringIO, payload: str) -> None:
    for asked in plain():
        for name in HEADERS:
            given: Any = {b"Authorization": f"Bearer {token}".encode(), name.encode(): payload.encode()}
            if name == "Authorization":
                given = {b"Authorization": b"Bearer " + payload.encode()}
            require_clean(await send(world, asked, headers=given))
    require_whole_lines(log)


@INJECTED
async def test_what_stands_in_a_body_stays_there(world: World, token: str, log: io.StringIO, payload: str) -> None:
    bearer = {"Authorization": f"Bearer {token}"}
    for asked in plain():
        if asked.body is not None:
            for body in (dict.fromkeys(asked.body, payload), {payload: 1}, {**asked.body, payload: {payload: 1}}):
                require_clean(await send(world, asked, json=body, headers=bearer))
            require_clean(await send(world, asked, json=None, content=payload.encode(), headers=bearer))
    require_whole_lines(log)


@INJECTED
async def test_what_is_taken_for_a_name_is_shown_as_one_and_logged_by_nobody(
    world: World, log: io.StringIO, payload: str
) -> None:
    made = await world.ask(None, "POST", "/v1/players", {"display_name": payload[:40]})
    require_clean(made)
    if made.status_code == 201:
        token = made.json()["token"]
        game = await world.table(token)
        assert game["seats"][0]["player"]["display_name"] == payload[:40]
        for accept in ("application/json", "text/csv", "text/html"):
            path = f"/v1/games/{game['game_id']}/score-sheet"
            require_clean(await world.ask(token, "GET", path, Accept=accept))
    require_whole_lines(log)
    assert MARK not in log.getvalue()


@INJECTED
async def test_what_a_trusted_issuer_or_an_app_says_of_a_user_is_taken_no_better(
    world: World, log: io.StringIO, payload: str
) -> None:
    key = await world.new_app("shop")
    table = {"ruleset": "ludoteka-express-3", "players": 3}
    made = await world.ask(key, "POST", "/v1/players", {"display_name": "Ana", "external_id": payload})
    require_clean(made)
    seated = await world.ask(world.issuer.token(payload, name=payload), "POST", "/v1/games", table)
    require_clean(seated)
    if seated.status_code == 201:
        assert seated.json()["seats"][0]["player"]["display_name"].isprintable()
    forged = jwt.encode(world.issuer.claims(payload), world.issuer.ec, "ES256", {"kid": payload})
    assert (await world.ask(forged, "POST", "/v1/games", table)).status_code == 401
    require_whole_lines(log)
    assert MARK not in log.getvalue()
