"""Whole games at the table in the browser, alone against robots and with somebody else."""

import json
import re

import pytest
from playwright.async_api import expect

from tests.browser.conftest import People
from tests.browser.person import MINUS, PHONE, number, touch

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_a_newcomer_plays_a_whole_game_against_robots(people: People) -> None:
    ana = await people.come(language="es")
    await expect(ana.page.get_by_role("button", name="Sentarse")).to_be_disabled()
    await ana.sit_down()
    await ana.open_table("ludoteka-express-4", 4)
    await expect(ana.page.locator(".hand-title")).to_contain_text("Mano 1 de 4")
    await expect(ana.page.locator(".seats .seat")).to_have_count(3)
    await expect(ana.page.locator(".fan .card")).to_have_count(10)
    done = await ana.play_on()
    assert sum("number" in each for each in done) == 4
    assert sum("legal" in each for each in done) == 40
    outcome = ana.page.locator(".outcome")
    game = await ana.view()
    points = sorted((score["points"] for score in game["scores"]), reverse=True)
    shown = [number(text) for text in await outcome.locator("li strong").all_inner_texts()]
    assert shown == points
    await outcome.get_by_role("button", name="Hoja de puntos").click()
    sheet = ana.page.locator("dialog.sheet")
    await expect(sheet.locator("tbody tr")).to_have_count(4)
    totals = [number(text) for text in await sheet.locator("tfoot td").all_inner_texts()]
    assert totals == (await ana.ask(f"/games/{ana.game_id}/score-sheet"))["totals"]
    await ana.page.keyboard.press("Escape")
    await outcome.get_by_role("button", name="Revancha").click()
    await expect(ana.page.locator(".hand-title")).to_contain_text("Mano 1 de 4")
    assert ana.game_id != game["game_id"]
    assert ana.hosts == {ana.url.partition("//")[2]}


async def test_two_people_meet_by_an_invitation_and_see_the_same_game(people: People) -> None:
    ana, eva = await people.come("Ana"), await people.come("Eva", language="fr", size=PHONE)
    await ana.sit_down()
    await ana.open_table("ludoteka-express-3", 3, 1, is_private=True)
    link = await ana.page.locator(".invitation input").input_value()
    assert re.search(r"/play#/join/[0-9a-f-]{36}/\w+", link)
    await expect(ana.page.locator(".qr")).to_be_visible()
    await eva.page.goto(link)
    await eva.page.locator("input[name=name]").fill("Eva")
    await eva.page.locator("form button.primary").click()
    await eva.page.get_by_role("button", name="S'asseoir").click()
    await expect(ana.page.locator(".seats .seat")).to_have_count(2)
    await expect(ana.page.locator(".seats .seat", has_text="Eva")).to_be_visible()
    await expect(eva.page.locator(".seats .seat", has_text="Ana")).to_be_visible()
    while (await ana.view())["hand"]["number"] == 1:
        for person in (ana, eva):
            if await person.page.locator(".scored .primary").count():
                await person.page.locator(".scored .primary").click()
        turn = (await ana.view())["turn"]
        person = ana if turn["action"] != "wait" else eva
        await person.choices.first.wait_for()
        await person.choose()
    await ana.page.locator(".scored .primary").click()
    await eva.page.locator(".scored .primary").click()
    for score in (await ana.view())["scores"]:
        for person in (ana, eva):
            seat = person.page.locator(
                ".seat .score > :first-child", has_text=re.compile(rf"^{score['points']}$".replace("-", MINUS))
            )
            await expect(seat.first).to_be_visible()


async def test_the_name_and_the_seat_survive_a_new_start_of_the_browser(people: People) -> None:
    ana = await people.come()
    await ana.sit_down()
    await ana.open_table("ludoteka-express-3", 3)
    game_id = ana.game_id
    await ana.page.goto(f"{ana.url}/play")
    await ana.page.reload()
    await expect(ana.page.get_by_text("You play as Ana")).to_be_visible()
    await ana.page.get_by_role("link", name="Back to the game").click()
    await ana.choices.first.wait_for()
    assert ana.game_id == game_id


async def test_a_table_in_the_lobby_is_joined_and_watched(people: People) -> None:
    ana, eva = await people.come("Ana"), await people.come("Eva")
    await ana.sit_down()
    await ana.open_table("fournier", 3, 1)
    await eva.sit_down()
    line = eva.page.locator(".tables li", has_text="Fournier").first
    await expect(line).to_contain_text("1 free seat")
    await line.get_by_role("link", name="Join").click()
    await eva.page.get_by_role("button", name="Sit down").click()
    await expect(eva.page.locator(".hand-title")).to_contain_text("Hand 1")
    leo = await people.come("Leo")
    await leo.sit_down()
    await leo.go_to(ana.game_id)
    await expect(leo.page.get_by_text("You are watching")).to_be_visible()
    await expect(leo.page.locator(".seats .seat")).to_have_count(3)
    await expect(leo.page.locator(".fan")).to_have_count(0)


async def test_an_illegal_card_is_refused_with_the_reason_in_the_players_language(people: People) -> None:
    ana = await people.come(language="de")
    await ana.sit_down()
    await ana.open_table("ludoteka-express-3", 3)
    for _ in range(60):
        await ana.choices.or_(ana.page.locator(".scored .primary")).first.wait_for()
        illegal = ana.page.locator(".fan .illegal")
        if await illegal.count():
            break
        await ana.act()
    version = (await ana.view())["version"]
    illegal = ana.page.locator(".fan .illegal").first
    # Its place tells the page which card is meant: another click is what a person would do.
    await ana.page.evaluate(
        "card => document.querySelector(`[data-card='${card}']`).click()", await illegal.get_attribute("data-card")
    )
    await expect(ana.page.get_by_role("alert")).to_contain_text("Spielen darfst du")
    assert (await ana.view())["version"] == version
    assert json.loads(await ana.page.evaluate("localStorage.getItem('pocha.outbox')")) == []
    await touch(ana.page.locator(".fan .legal").first)
    await expect(ana.page.get_by_role("alert")).to_have_count(0)
