"""What people with a keyboard, a screen reader or a small window need."""

from importlib import resources

import pytest
from playwright.async_api import expect

from tests.browser.conftest import People
from tests.browser.person import CHOICES, DESK, PHONE, SMALL_PHONE, Json, Person, Size
from tests.contract.kinds import hands

pytestmark = pytest.mark.asyncio(loop_scope="session")

AXE = resources.files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
SERIOUS = ("serious", "critical")
FEW_TABS = 60


async def findings(person: Person) -> list[str]:
    """Return what axe-core has against the page as it is."""
    await person.page.evaluate(AXE)
    found: Json = await person.page.evaluate("axe.run({ resultTypes: ['violations'] })")
    return [
        f"{each['id']}: {node['html'][:200]} {node['failureSummary']}"
        for each in found["violations"]
        if each["impact"] in SERIOUS
        for node in each["nodes"]
    ]


async def sideways(person: Person) -> list[str]:
    """Return what is wider than the window, or than the box that shows it."""
    return await person.page.evaluate(
        """() => [document.documentElement, ...document.querySelectorAll("main, .panel, dialog, .dialog-body, .wide, .scored, .outcome")]
            .filter(each => each.scrollWidth > each.clientWidth + 1)
            .map(each => `${each.tagName}.${each.className}: ${each.scrollWidth} in ${each.clientWidth}`)"""
    )


async def tab_to(person: Person, wanted: str) -> None:
    """Press the tabulator until what is wanted has the focus."""
    for _ in range(FEW_TABS):
        if await person.page.evaluate("wanted => document.activeElement.matches(wanted)", wanted):
            return
        await person.page.keyboard.press("Tab")
    raise AssertionError(f"{wanted} is not reached")


async def test_a_hand_is_played_with_the_keyboard_alone(people: People) -> None:
    ana = await people.come()
    keyboard = ana.page.keyboard
    await tab_to(ana, "input[name=name]")
    await keyboard.type("Ana")
    await keyboard.press("Enter")
    await ana.page.locator(".new-table select[name=ruleset] option").first.wait_for(state="attached")
    await tab_to(ana, "select[name=ruleset]")
    await keyboard.type("Pocha Express 4")
    await tab_to(ana, ".new-table button.primary")
    await keyboard.press("Enter")
    scored = ana.page.locator(".scored .primary")
    while not await scored.count():
        await ana.choices.first.wait_for()
        version = await ana.table.get_attribute("data-version")
        await tab_to(ana, CHOICES)
        await keyboard.press("Enter")
        await expect(ana.table).not_to_have_attribute("data-version", version or "")
        await ana.choices.or_(scored).first.wait_for()
    await expect(scored).to_be_focused()
    await keyboard.press("Enter")
    await expect(scored).to_have_count(0)
    await tab_to(ana, "[aria-label='Score sheet']")
    await keyboard.press("Enter")
    await expect(ana.page.locator("dialog.sheet tbody tr")).to_have_count(1)
    await keyboard.press("Escape")
    await expect(ana.page.locator("dialog")).to_have_count(0)


async def test_a_screen_reader_hears_what_happens_and_whose_turn_it_is(people: People) -> None:
    ana = await people.come()
    await ana.sit_down()
    await ana.open_table("ludoteka-express-3", 3)
    heard = ana.page.get_by_role("log")
    await ana.act()
    await expect(heard).to_contain_text("Ana bids")
    await expect(heard).to_contain_text("Your turn: play a card")


@pytest.mark.parametrize(("size", "is_dark"), [(DESK, False), (PHONE, True)], ids=["desk and light", "phone and dark"])
async def test_axe_finds_nothing_serious_on_any_view(people: People, size: Size, *, is_dark: bool) -> None:
    ana = await people.come(size=size, is_dark=is_dark)
    found: dict[str, list[str]] = {}
    await expect(ana.page.locator("input[name=name]")).to_be_visible()
    found["start"] = await findings(ana)
    await ana.sit_down()
    await ana.page.locator(".house-rules summary").click()
    found["lobby"] = await findings(ana)
    await ana.open_table("clasica", 4, 2)
    found["waiting"] = await findings(ana)
    await leave(ana)
    await open_short_game(ana, 4)
    await ana.choices.first.wait_for()
    found["bids"] = await findings(ana)
    await ana.act()
    await ana.choices.first.wait_for()
    found["cards"] = await findings(ana)
    await ana.play_on("legal")
    await ana.page.locator(".scored").wait_for()
    found["points"] = await findings(ana)
    await ana.play_on()
    found["end"] = await findings(ana)
    await ana.page.locator(".outcome").get_by_role("button", name="Score sheet").click()
    await ana.page.locator("dialog.sheet tbody tr").first.wait_for()
    found["sheet"] = await findings(ana)
    await ana.page.keyboard.press("Escape")
    await ana.page.get_by_role("link", name="Replay").click()
    await ana.page.locator(".open-hands").wait_for()
    found["replay"] = await findings(ana)
    assert {view: what for view, what in found.items() if what} == {}


@pytest.mark.parametrize("players", [3, 8])
async def test_nothing_scrolls_sideways_in_a_window_of_320_pixels(people: People, players: int) -> None:
    ana = await people.come("Ana María de los Ángeles", size=SMALL_PHONE, language="de")
    wide = {"start": await sideways(ana)}
    await ana.sit_down()
    await ana.page.locator(".house-rules summary").click()
    wide["lobby"] = await sideways(ana)
    await ana.open_table("clasica", 4, 2)
    wide["waiting"] = await sideways(ana)
    await open_short_game(ana, players)
    await ana.choices.first.wait_for()
    wide["bids"] = await sideways(ana)
    await ana.act()
    await ana.choices.first.wait_for()
    wide["cards"] = await sideways(ana)
    await ana.play_on("legal")
    await ana.page.locator(".scored").wait_for()
    wide["points"] = await sideways(ana)
    await ana.play_on()
    wide["end"] = await sideways(ana)
    await ana.page.locator(".outcome .actions button:not(.primary)").click()
    await ana.page.locator("dialog.sheet tbody tr").first.wait_for()
    wide["sheet"] = await sideways(ana)
    await ana.page.keyboard.press("Escape")
    await ana.page.locator(".outcome a[href$=replay]").click()
    await ana.page.locator(".open-hands").wait_for()
    wide["replay"] = await sideways(ana)
    assert {view: what for view, what in wide.items() if what} == {}


async def open_short_game(person: Person, players: int) -> None:
    """Open a game with robots of two hands: one card each, then as many as there are."""
    rules = hands(("normal", "1", "1"), ("india", "1", "1"))
    view: Json = await person.ask(
        "/games",
        {"ruleset": "clasica", "players": players, "robots": [{"level": "easy"}] * (players - 1), "house_rules": rules},
    )
    await person.go_to(view["game_id"])


async def leave(person: Person) -> None:
    """Go back to the entrance."""
    await person.page.goto(f"{person.url}/play#/")
