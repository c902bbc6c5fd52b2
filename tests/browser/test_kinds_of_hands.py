"""Each kind of hand at the table: what it hides and shows, and what there is to choose."""

from collections.abc import Callable

import pytest
from playwright.async_api import expect

from tests.browser.conftest import People
from tests.browser.person import Json, Person, touch
from tests.kit.player import legal_moves

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def sit_at(person: Person, table: Json, reached: Callable[[Json], bool]) -> Json:
    """Make a table with robots, play behind the page's back until `reached`, open it, and return its view."""
    robots = [{"level": "easy"}] * (int(table["players"]) - 1)
    view = await person.ask("/games", {**table, "robots": robots})
    while not reached(view):
        path, body = legal_moves(view)[0]
        view = (await person.ask(f"/games/{view['game_id']}/{path}", body))["game"]
        assert view["status"] == "playing"
    await person.go_to(view["game_id"])
    return view


def is_kind(kind: str) -> Callable[[Json], bool]:
    return lambda view: view["hand"]["kind"] == kind


async def test_in_an_india_hand_the_others_cards_are_shown_and_the_own_is_hidden(people: People) -> None:
    ana = await people.come()
    await ana.sit_down()
    view = await sit_at(ana, {"ruleset": "ludoteka-loca", "players": 4}, is_kind("india"))
    await expect(ana.page.get_by_text("India: you see all cards but your own")).to_be_visible()
    shown = ana.page.locator(".seats .seen")
    await expect(shown).to_have_count(3)
    assert "my_cards" not in view["hand"]
    await ana.choices.first.wait_for()
    assert "number" in await ana.choose()
    await ana.page.locator(".scored").wait_for()
    assert "read" in await ana.play_on("read")


async def test_the_dealer_points_at_a_card_that_nobody_has_seen(people: People) -> None:
    ana = await people.come()
    await ana.sit_down()
    table = {"ruleset": "antigua", "players": 4, "house_rules": {"schedule": {"shape": "top-only"}}}
    await sit_at(ana, table, lambda view: view["turn"]["action"] == "blind_pick")
    hidden = ana.page.get_by_role("button", name="Card 3")
    await hidden.wait_for()
    await expect(ana.page.locator("[data-card]")).to_have_count(0)
    await touch(hidden)
    await expect(ana.page.locator("[data-card]")).to_have_count(10)
    await ana.play_on("legal")
