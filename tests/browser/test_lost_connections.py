"""Reloads, lost networks, lost answers and a new service: the table goes on, and no move is lost or made twice."""

import json
import signal
from collections.abc import Generator
from urllib.parse import urlsplit

import pytest
from playwright.async_api import Browser, Route, expect

from tests.browser.conftest import People
from tests.browser.person import Json, Person
from tests.kit.player import legal_moves
from tests.kit.service_process import ServiceProcess

pytestmark = pytest.mark.asyncio(loop_scope="session")

LOST = "Connection lost"
TABLE = ("ludoteka-express-3", 3)


async def own_moves(person: Person) -> list[Json]:
    """Return the bids and cards of this person, as the service has them."""
    game = await person.view()
    found = await person.ask(f"/games/{person.game_id}/events?limit=200")
    return [
        each
        for each in found["items"]
        if each["type"] in ("bid_made", "card_played") and each["seat"] == game["my_seat"]
    ]


async def is_kept(person: Person) -> list[Json]:
    """Return the commands that the browser keeps because they were not answered."""
    return json.loads(await person.page.evaluate("localStorage.getItem('pocha.outbox')") or "[]")


async def test_a_reload_in_the_middle_of_a_hand_changes_nothing(people: People) -> None:
    ana = await people.come()
    await ana.sit_down()
    await ana.open_table(*TABLE)
    for _ in range(3):
        await ana.act()
    cards = await ana.page.locator(".fan [data-card]").count()
    assert cards == 10
    await ana.page.reload()
    await ana.choices.first.wait_for()
    await expect(ana.page.locator(".fan [data-card]")).to_have_count(cards)
    await ana.choose()
    await expect(ana.page.locator(".fan [data-card]")).to_have_count(cards - 1)
    assert len(await own_moves(ana)) == 4


async def test_offline_the_table_says_so_and_catches_up_with_what_has_happened(people: People) -> None:
    ana = await people.come()
    await ana.sit_down()
    await ana.open_table(*TABLE)
    await ana.act()
    await ana.choices.first.wait_for()
    await ana.page.context.set_offline(True)
    await expect(ana.page.get_by_text(LOST)).to_be_visible()
    view = await ana.view()
    path, body = legal_moves(view)[0]
    after = (await ana.ask(f"/games/{ana.game_id}/{path}", body))["game"]  # as on another device
    await ana.page.context.set_offline(False)
    await expect(ana.page.get_by_text(LOST)).to_have_count(0)
    await expect(ana.table).to_have_attribute("data-version", str(after["version"]))
    await expect(ana.page.locator(f"[data-card={body['card']}]")).to_have_count(0)
    await ana.act()


async def test_a_card_played_offline_is_played_once_when_the_network_is_back(people: People) -> None:
    ana = await people.come()
    await ana.sit_down()
    await ana.open_table(*TABLE)
    await ana.act()
    await ana.choices.first.wait_for()
    before = await ana.view()
    await ana.page.context.set_offline(True)
    async with ana.page.expect_event("requestfailed", lambda request: request.url.endswith("/plays")):
        await ana.choices.first.click(position={"x": 20, "y": 30})
    await expect(ana.page.get_by_text("Sending…")).to_be_visible()
    assert len(await is_kept(ana)) == 1
    assert (await ana.view())["version"] == before["version"]
    await ana.page.context.set_offline(False)
    await ana.choices.first.wait_for()
    assert len(await own_moves(ana)) == 2
    assert await is_kept(ana) == []


@pytest.mark.parametrize("reloads", [False, True], ids=["and the page tries again", "and the page is loaded anew"])
async def test_a_move_whose_answer_is_lost_is_not_made_twice(people: People, *, reloads: bool) -> None:
    ana = await people.come()
    await ana.sit_down()
    await ana.open_table(*TABLE)
    keys: list[str] = []

    async def lose(route: Route) -> None:
        keys.append(route.request.headers["idempotency-key"])
        answer = await route.fetch()
        assert answer.ok
        if len(keys) > 1:
            await route.fulfill(response=answer)
        elif reloads:
            await ana.page.reload()
        else:
            await route.abort()

    await ana.choices.first.wait_for()
    await ana.page.route("**/bids", lose)
    async with ana.page.expect_response("**/bids"):
        await ana.choices.first.click()
    await ana.choices.first.wait_for()
    assert keys == [keys[0]] * 2
    assert [each["type"] for each in await own_moves(ana)] == ["bid_made"]
    assert await is_kept(ana) == []


@pytest.fixture
def fragile(environment: dict[str, str]) -> Generator[list[ServiceProcess]]:
    """A service that may be killed, in a list that what takes its place can be put into."""
    running = [ServiceProcess(environment)]
    yield running
    running[0].stop()


async def test_the_table_goes_on_when_the_service_is_killed_and_started_again(
    browser: Browser, environment: dict[str, str], fragile: list[ServiceProcess]
) -> None:
    url = fragile[0].url
    people = People(browser, url)
    ana = await people.come()
    await ana.sit_down()
    await ana.open_table(*TABLE)
    await ana.act()
    await ana.choices.first.wait_for()
    fragile[0].stop(signal.SIGKILL)
    await expect(ana.page.get_by_text(LOST)).to_be_visible()
    await ana.choices.first.click(position={"x": 20, "y": 30})
    await expect(ana.page.get_by_text("Sending…")).to_be_visible()
    fragile[0] = ServiceProcess({**environment, "POCHA_PORT": str(urlsplit(url).port)})
    await expect(ana.page.get_by_text(LOST)).to_have_count(0)
    await ana.choices.first.wait_for()
    assert len(await own_moves(ana)) == 2
    await ana.play_on("read")
    await people.leave()
