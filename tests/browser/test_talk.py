"""What friends at a table do with each other: sit down by a code, speak, and do not listen."""

import pytest
from playwright.async_api import expect

from tests.browser.conftest import People
from tests.browser.person import SMALL_PHONE
from tests.browser.test_accessibility import findings, sideways

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_friends_meet_by_a_code_speak_to_each_other_and_mute(people: People) -> None:
    ana, eva = await people.come("Ana"), await people.come("Eva", language="de", size=SMALL_PHONE)
    await ana.sit_down()
    await ana.open_table("ludoteka-express-3", 3, 1, is_private=True)
    code = await ana.page.locator(".code strong").inner_text()
    await eva.sit_down()
    await eva.page.locator("input[name=code]").fill("000000")
    await eva.page.locator(".by-code button").click()
    await expect(eva.page.locator(".by-code .problem")).not_to_be_empty()
    await eva.page.locator("input[name=code]").fill(code.lower())
    await eva.page.keyboard.press("Enter")
    await expect(ana.page.locator(".seats .seat", has_text="Eva")).to_be_visible()

    await ana.page.get_by_role("button", name="Say something").click()
    assert await findings(ana) == []
    await ana.page.get_by_role("button", name="Well played!").click()
    await expect(ana.page.get_by_role("button", name="Say something")).to_be_focused()
    await expect(eva.page.locator(".seats .said")).to_have_text("Gut gespielt!")
    assert await sideways(eva) == []
    await expect(eva.page.get_by_role("log")).to_contain_text("Ana sagt: Gut gespielt!")
    await expect(eva.page.locator(".said")).to_have_count(0)

    await eva.page.get_by_role("button", name="Etwas sagen").click()
    assert await sideways(eva) == []
    await eva.page.get_by_role("checkbox", name="Nicht zeigen, was Ana sagt").check()
    await eva.page.keyboard.press("Escape")
    await ana.page.get_by_role("button", name="Say something").click()
    await ana.page.get_by_role("button", name="Hurry up!").click()
    await expect(ana.page.locator(".me .said")).to_have_text("Hurry up!")
    await eva.page.get_by_role("button", name="Etwas sagen").click()
    await eva.page.get_by_role("button", name="Danke!").click()
    await expect(eva.page.locator(".said")).to_have_text("Danke!")
    await expect(eva.page.get_by_role("log")).not_to_contain_text("Beeil dich")
