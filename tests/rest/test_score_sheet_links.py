"""Links to score sheets, of games and of real cards: opened without a header, for a short while, and good for nothing else."""

import logging
from datetime import timedelta

import pytest

from service.adapters.memory.store import MemoryStore
from service.application.shuffle import SeededShuffler
from service.bootstrap.service import Service
from service.rest.auth.config import AuthConfig
from service.rest.auth.tickets import SCORE_SHEET
from tests.kit.clock import SetClock
from tests.kit.player import Api, Guest, Json, client_of
from tests.rest.conftest import SECRET

OTHER = b"another secret of the tests, long enough for every algorithm"
PRIVATE, PUBLIC, KEPT = "a private game", "a public game", "a sheet of real cards"
ANY = pytest.mark.parametrize("what", [PRIVATE, KEPT])


async def new(guest: Guest, what: str) -> str:
    """Make a game or a sheet, and return its path."""
    if what == KEPT:
        sheet = (await guest.ask("POST", "/v1/score-keepers", {"players": ["Ana", "Beto", "Carmen"]})).json()
        return f"/v1/score-keepers/{sheet['score_keeper_id']}"
    game = await guest.create(visibility="private" if what == PRIVATE else "public")
    return f"/v1/games/{game['game_id']}"


async def links_of(guest: Guest, path: str) -> Json:
    response = await guest.ask("POST", f"{path}/score-sheet-links")
    assert response.status_code == 201, response.text
    return response.json()


@pytest.mark.parametrize(("form", "media_type"), [("html", "text/html"), ("csv", "text/csv")])
@pytest.mark.parametrize("what", [PRIVATE, PUBLIC, KEPT])
async def test_a_link_shows_what_who_asked_for_it_sees(api: Api, form: str, media_type: str, what: str) -> None:
    ana = await api.guest("Ana")
    path = await new(ana, what)
    links = await links_of(ana, path)
    shown = await api.client.get(links[form], headers={"Accept-Language": "es"})
    own = await ana.ask("GET", f"{path}/score-sheet.{form}", headers={"Accept-Language": "es"})
    assert (shown.status_code, shown.content) == (200, own.content)
    assert shown.headers["content-type"].startswith(media_type)
    assert shown.headers["referrer-policy"] == "no-referrer"
    assert shown.headers["vary"].startswith("Accept-Language")
    assert "Authorization" not in shown.headers["vary"]
    if form == "csv":
        excel = await api.client.get(links[form], params={"dialect": "excel"})
        assert excel.content.startswith(b"\xef\xbb\xbf")


@ANY
async def test_a_link_is_no_token_and_a_token_no_link(api: Api, what: str) -> None:
    ana = await api.guest("Ana")
    path = await new(ana, what)
    links = await links_of(ana, path)
    assert ana.token not in str(links)
    link = links["html"].split("/")[3]
    refused = await api.client.get(path, headers={"Authorization": f"Bearer {link}"})
    assert refused.status_code == 401
    ticket = (await ana.ask("POST", "/v1/stream-tickets")).json()["ticket"]
    assert (await api.client.get(f"/v1/me/stream?ticket={link}")).status_code == 401
    for wrong in (ana.token, ticket, link[:-3], f"{link}x", "x", link.partition(".")[2]):
        assert (await api.client.get(links["html"].replace(link, wrong))).status_code == 404, wrong


async def test_the_log_tells_no_link(api: Api, caplog: pytest.LogCaptureFixture) -> None:
    ana = await api.guest("Ana")
    links = await links_of(ana, await new(ana, PUBLIC))
    caplog.set_level(logging.DEBUG)
    assert (await api.client.get(links["html"])).status_code == 200
    said = " ".join(str(record.msg) for record in caplog.records if record.name.startswith("pocha"))
    assert "/v1/score-sheet-links/[token]/score-sheet.html" in said
    assert not [part for part in links["html"].split("/")[3].split(".") if part in said]


async def test_a_link_ends(api: Api, clock: SetClock) -> None:
    ana = await api.guest("Ana")
    links = await links_of(ana, await new(ana, PUBLIC))
    assert links["expires_at"].startswith((clock.time + SCORE_SHEET.lifetime).strftime("%Y-%m-%dT%H:%M:%S"))
    clock.time += SCORE_SHEET.lifetime - timedelta(seconds=1)
    assert (await api.client.get(links["html"])).status_code == 200
    clock.time += timedelta(seconds=1)
    assert (await api.client.get(links["html"])).status_code == 404


@ANY
async def test_only_who_may_know_of_a_sheet_gets_a_link_to_it(api: Api, what: str) -> None:
    ana, stranger = await api.guest("Ana"), await api.guest("Stranger")
    path = f"{await new(ana, what)}/score-sheet-links"
    assert (await stranger.ask("POST", path)).status_code == 404
    assert (await api.client.post(path)).status_code == 401


async def test_a_link_ends_with_its_sheet_and_with_its_player(api: Api) -> None:
    ana, beto = await api.guest("Ana"), await api.guest("Beto")
    path = await new(ana, KEPT)
    code = (await ana.ask("POST", f"{path}/join-code")).json()["code"]
    await beto.ask("POST", "/v1/joins", {"code": code})
    of_ana, of_beto = await links_of(ana, path), await links_of(beto, path)
    assert (await beto.ask("DELETE", "/v1/me")).status_code == 204
    assert (await api.client.get(of_beto["html"])).status_code == 404
    assert (await api.client.get(of_ana["html"])).status_code == 200
    assert (await ana.ask("DELETE", path)).status_code == 204
    assert (await api.client.get(of_ana["csv"])).status_code == 404


async def test_a_link_outlives_a_change_of_the_secret_as_tokens_do(log: MemoryStore, clock: SetClock) -> None:
    before = Service(log, clock, SeededShuffler(), SECRET)
    async with client_of(before.asgi) as client:
        ana = await Api(client).guest("Ana")
        links = await links_of(ana, await new(ana, PUBLIC))
    for secret, previous, status in ((OTHER, SECRET, 200), (OTHER, None, 404)):
        trust = AuthConfig(secret_previous=previous)
        service = Service(log, clock, SeededShuffler(), secret, trust=trust)
        async with client_of(service.asgi) as client:
            assert (await client.get(links["html"])).status_code == status
