"""Each kind of hand at the table: what it hides and shows, and what there is to choose."""

from collections.abc import Callable

import pytest
from playwright.async_api import expect

from tests.browser.conftest import People
from tests.browser.person import Json, Person, touch
from tests.contract.kinds import ONE_BID_OR_PASS, PENALISED, hands
from tests.kit.player import legal_moves

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def sit_at(person: Person, table: Json, reached: Callable[[Json], bool]) -> Json:
    """Play with robots behind the page's back until `reached`, at another table if the game ends before; open it, and return its view."""
    table = {**table, "robots": [{"level": "easy"}] * (int(table["players"]) - 1)}
    view = await person.ask("/games", table)
    while view["status"] != "playing" or not reached(view):
        if view["status"] == "playing":
            path, body = legal_moves(view)[0]
            view = (await person.ask(f"/games/{view['game_id']}/{path}", body))["game"]
        else:
            view = await person.ask("/games", table)
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


def asks_for(action: str) -> Callable[[Json], bool]:
    return lambda view: view["turn"]["action"] == action


AUCTIONS = {
    "one bid each": {"ruleset": "ludoteka-loca", "house_rules": {**hands(("subastado", "2", "1")), **ONE_BID_OR_PASS}},
    "ascending": {
        "ruleset": "clasica",
        "house_rules": {
            **hands(("subastado", "2", "1")),
            "auction": {"protocol": "ascending-once", "winner_second_bid": "locked"},
        },
    },
}


@pytest.mark.parametrize("auction", AUCTIONS)
async def test_an_auction_is_bid_or_passed_and_played_to_its_end(people: People, auction: str) -> None:
    ana = await people.come()
    await ana.sit_down()
    view = await sit_at(ana, {**AUCTIONS[auction], "players": 4}, asks_for("auction_bid"))
    await expect(ana.page.locator(".prompt")).to_contain_text("Auction: how many tricks")
    offered = [int(text) for text in await ana.page.locator(".numbers .number").all_inner_texts()]
    assert offered == view["turn"]["legal_bids"]
    await expect(ana.page.get_by_role("button", name="Pass")).to_have_count(int(view["turn"]["may_pass"]))
    assert "over" in await ana.play_on()


def may_outbid(view: Json) -> bool:
    """Tell whether the viewer may bid what nobody can outbid any more."""
    others = [call.get("bid", 0) for call in view["hand"].get("auction", ())]
    most = view["hand"]["cards"]
    return asks_for("auction_bid")(view) and most in view["turn"]["legal_bids"] and most not in others


async def test_who_wins_the_auction_chooses_trump(people: People) -> None:
    ana = await people.come(language="es")
    await ana.sit_down()
    rules = {**hands(("subastado", "2", "4")), **ONE_BID_OR_PASS}
    await sit_at(ana, {"ruleset": "ludoteka-loca", "players": 4, "house_rules": rules}, may_outbid)
    await ana.page.locator(".numbers .number").last.click()
    await ana.page.get_by_role("button", name="bastos", exact=True).click()
    await expect(ana.page.locator(".trump-fact")).to_contain_text("Triunfo: bastos")


async def test_a_hand_of_oros_has_its_trump_and_a_blind_one_none(people: People) -> None:
    ana = await people.come()
    await ana.sit_down()
    rules = hands(("oros", "1", "1"), ("ciega", "1", "1"))
    await sit_at(ana, {"ruleset": "ludoteka-loca", "players": 4, "house_rules": rules}, is_kind("oros"))
    await expect(ana.page.locator(".trump-fact")).to_contain_text("Trump: coins")
    await ana.play_on("read")
    await expect(ana.page.locator(".trump-fact")).to_contain_text("No trump")


async def test_a_hand_that_breaks_a_tie_names_those_who_lead(people: People) -> None:
    ana = await people.come()
    await ana.sit_down()
    table = {"ruleset": "fournier", "players": 4, "house_rules": hands(("normal", "1", "1"))}
    view = await sit_at(ana, table, is_kind("tie_break"))
    await expect(ana.page.locator(".hand-title")).to_contain_text("Tie-break 1")
    tied = [score["seat"] for score in view["scores"] if score["rank"] == 1]
    names = ", ".join("You" if seat == view["my_seat"] else f"Robot {seat + 1}" for seat in tied)
    await expect(ana.page.locator(".tied")).to_have_text(f"Tied in the lead: {names}")
    scheduled = view["hand"]["number"] - 1
    await ana.play_on()
    await ana.page.get_by_role("link", name="Replay").click()
    hand = ana.page.locator("select[name=hand]")
    await expect(hand.locator("option").first).to_have_text(f"Hand 1 of {scheduled}")
    await hand.select_option(label="Tie-break 1")
    await expect(ana.page.locator(".hand-title")).to_contain_text("Tie-break 1")
    await expect(ana.page.locator(".tied")).to_have_text(
        f"Tied in the lead: {names.replace('You', view['seats'][view['my_seat']]['player']['display_name'])}"
    )


async def test_an_illegal_card_is_played_where_it_is_only_penalised_and_a_claim_costs_points(people: People) -> None:
    ana = await people.come()
    await ana.sit_down()
    rules = {**hands(("normal", "5", "2")), **PENALISED}
    table = {"ruleset": "clasica", "players": 3, "house_rules": rules}
    view = await sit_at(
        ana, table, lambda view: len(view["turn"].get("legal_cards", range(9))) < len(view["hand"].get("my_cards", ()))
    )
    illegal = next(card for card in view["hand"]["my_cards"] if card not in view["turn"]["legal_cards"])
    card = ana.page.locator(f"[data-card='{illegal}']")
    await card.focus()
    await ana.page.keyboard.press("Enter")
    await expect(ana.page.get_by_text("illegal ones are penalised")).to_be_visible()
    await ana.page.keyboard.press("Enter")
    await expect(card).to_have_count(0)
    await ana.choices.first.wait_for()
    points = (await ana.view())["scores"][view["my_seat"]]["points"]
    await ana.page.get_by_role("button", name="Claim a renuncio").click()
    await ana.page.locator(".claims .card").first.click()
    await expect(ana.page.get_by_role("log")).to_contain_text("claims in vain")
    assert (await ana.view())["scores"][view["my_seat"]]["points"] == points - 3
