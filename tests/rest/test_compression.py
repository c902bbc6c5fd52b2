"""Bodies that are worth it are compressed for who can read that, and what is the same for all is kept by caches."""

import httpx
import pytest

from service.bootstrap.service import Service
from service.rest.responses import COMPRESSED_BYTES
from tests.kit.asgi_stream import Reading
from tests.kit.player import Api

STATIC = ("/v1/rulesets", "/v1/rulesets/clasica", "/v1/glossary", "/openapi.json")
PAGES = ("/docs", "/docs/rules/es", "/docs/static/docs.css", "/play")


async def ask(api: Api, path: str, coding: str | None, **headers: str) -> httpx.Response:
    given = headers if coding is None else {**headers, "Accept-Encoding": coding}
    request = api.client.build_request("GET", path, headers=given)
    if coding is None:
        del request.headers["accept-encoding"]
    return await api.client.send(request)


@pytest.mark.parametrize("path", [*STATIC, *PAGES, "/docs/static/swagger-ui.css"])
async def test_a_long_text_is_compressed(api: Api, path: str) -> None:
    plain, compressed = await ask(api, path, None), await ask(api, path, "gzip, br")
    assert "content-encoding" not in plain.headers
    assert compressed.headers["content-encoding"] == "gzip"
    assert compressed.content == plain.content
    assert int(compressed.headers["content-length"]) < len(plain.content) / 2
    for response in (plain, compressed):
        assert "Accept-Encoding" in response.headers["vary"]


@pytest.mark.parametrize("coding", ["identity", "gzip;q=0", "br", "*;q=0", ""])
async def test_nothing_is_compressed_for_who_does_not_ask_for_it(api: Api, coding: str) -> None:
    assert "content-encoding" not in (await ask(api, "/v1/rulesets", coding)).headers


async def test_short_bodies_and_pictures_are_sent_as_they_are(api: Api) -> None:
    for path in ("/healthz", "/v1/rulesets/nowhere", "/docs/static/favicon-32x32.png"):
        response = await ask(api, path, "gzip")
        assert "content-encoding" not in response.headers
    assert len((await ask(api, "/healthz", "gzip")).content) < COMPRESSED_BYTES


async def test_a_stream_is_never_compressed(api: Api, service: Service) -> None:
    guests, game = await api.full_table()
    path = f"/v1/games/{game['game_id']}/stream"
    async with Reading(service.asgi, guests[0], path, {"Accept-Encoding": "gzip"}) as stream:
        assert (await stream.frame(0)).event == "snapshot"
        assert stream.headers.get("content-encoding", "identity") == "identity"


async def test_a_move_is_compressed_too_and_head_says_what_get_would(api: Api) -> None:
    guests, game = await api.full_table()
    response = await guests[0].ask("GET", f"/v1/games/{game['game_id']}", headers={"Accept-Encoding": "gzip"})
    assert response.headers["content-encoding"] == "gzip"
    assert response.json()["game_id"] == game["game_id"]
    head = await api.client.head("/v1/glossary", headers={"Accept-Encoding": "gzip"})
    whole = await ask(api, "/v1/glossary", "gzip")
    assert (head.headers["content-length"], head.content) == (whole.headers["content-length"], b"")


@pytest.mark.parametrize("path", STATIC)
async def test_what_is_the_same_for_all_is_kept_and_asked_for_again_only_if_it_has_changed(api: Api, path: str) -> None:
    first = await ask(api, path, "gzip")
    assert first.headers["cache-control"] == "public, max-age=3600"
    again = await ask(api, path, None, **{"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    for name in ("etag", "cache-control", "vary"):
        assert again.headers[name] == first.headers[name]
    assert (await ask(api, path, None, **{"If-None-Match": 'W/"another"'})).content == first.content


@pytest.mark.parametrize("path", PAGES)
async def test_a_page_that_has_not_changed_is_not_sent_again(api: Api, path: str) -> None:
    """Its tag is weak, because the compressed page is another one."""
    first = await ask(api, path, "gzip")
    assert first.headers["etag"].startswith('W/"')
    again = await ask(api, path, "gzip", **{"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    for name in ("etag", "cache-control", "vary"):
        assert again.headers[name] == first.headers[name]
