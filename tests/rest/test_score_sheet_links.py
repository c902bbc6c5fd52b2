"""Links to the score sheet: opened without a header, for a short while, and good for nothing else."""

import logging
from datetime import timedelta

import pytest

from service.adapters.memory.store import MemoryStore
from service.application.shuffle import SeededShuffler
from service.bootstrap.service import Service
from service.rest.auth.config import AuthConfig
from service.rest.auth.sheet_links import LIFETIME
from tests.kit.clock import SetClock
from tests.kit.player import Api, Guest, Json, client_of
from tests.rest.conftest import SECRET

OTHER = b"another secret of the tests, long enough for every algorithm"


async def links_of(guest: Guest, game: Json) -> Json:
    response = await guest.ask("POST", f"/v1/games/{game['game_id']}/score-sheet-links")
    assert response.status_code == 201, response.text
    return response.json()


@pytest.mark.parametrize(("form", "media_type"), [("html", "text/html"), ("csv", "text/csv")])
@pytest.mark.parametrize("visibility", ["public", "private"])
async def test_a_link_shows_what_who_asked_for_it_sees(api: Api, form: str, media_type: str, visibility: str) -> None:
    ana = await api.guest("Ana")
    game = await ana.create(visibility=visibility)
    links = await links_of(ana, game)
    shown = await api.client.get(links[form], headers={"Accept-Language": "es"})
    path = f"/v1/games/{game['game_id']}/score-sheet.{form}"
    own = await ana.ask("GET", path, headers={"Accept-Language": "es"})
    assert (shown.status_code, shown.content) == (200, own.content)
    assert shown.headers["content-type"].startswith(media_type)
    assert shown.headers["referrer-policy"] == "no-referrer"
    if form == "csv":
        excel = await api.client.get(links[form], params={"dialect": "excel"})
        assert excel.content.startswith(b"\xef\xbb\xbf")


async def test_a_link_is_no_token_and_a_token_no_link(api: Api) -> None:
    ana = await api.guest("Ana")
    game = await ana.create()
    links = await links_of(ana, game)
    assert ana.token not in str(links)
    link = links["html"].split("/")[3]
    refused = await api.client.get(f"/v1/games/{game['game_id']}", headers={"Authorization": f"Bearer {link}"})
    assert refused.status_code == 401
    for wrong in (ana.token, link[:-3], f"{link}x", "x", link.partition(".")[2]):
        assert (await api.client.get(links["html"].replace(link, wrong))).status_code == 404, wrong


async def test_the_log_tells_no_link(api: Api, caplog: pytest.LogCaptureFixture) -> None:
    ana = await api.guest("Ana")
    links = await links_of(ana, await ana.create())
    caplog.set_level(logging.DEBUG)
    assert (await api.client.get(links["html"])).status_code == 200
    said = " ".join(str(record.msg) for record in caplog.records if record.name.startswith("pocha"))
    assert "/v1/score-sheet-links/[token]/score-sheet.html" in said
    assert not [part for part in links["html"].split("/")[3].split(".") if part in said]


async def test_a_link_ends(api: Api, clock: SetClock) -> None:
    ana = await api.guest("Ana")
    links = await links_of(ana, await ana.create())
    assert links["expires_at"].startswith((clock.time + LIFETIME).strftime("%Y-%m-%dT%H:%M:%S"))
    clock.time += LIFETIME - timedelta(seconds=1)
    assert (await api.client.get(links["html"])).status_code == 200
    clock.time += timedelta(seconds=1)
    assert (await api.client.get(links["html"])).status_code == 404


async def test_only_who_may_know_of_a_game_gets_a_link_to_it(api: Api) -> None:
    ana, stranger = await api.guest("Ana"), await api.guest("Stranger")
    game = await ana.create(visibility="private")
    path = f"/v1/games/{game['game_id']}/score-sheet-links"
    assert (await stranger.ask("POST", path)).status_code == 404
    assert (await api.client.post(path)).status_code == 401


async def test_a_link_outlives_a_change_of_the_secret_as_tokens_do(log: MemoryStore, clock: SetClock) -> None:
    before = Service(log, clock, SeededShuffler(), SECRET)
    async with client_of(before.asgi) as client:
        ana = await Api(client).guest("Ana")
        links = await links_of(ana, await ana.create())
    for secret, previous, status in ((OTHER, SECRET, 200), (OTHER, None, 404)):
        trust = AuthConfig(secret_previous=previous)
        service = Service(log, clock, SeededShuffler(), secret, trust=trust)
        async with client_of(service.asgi) as client:
            assert (await client.get(links["html"])).status_code == status
