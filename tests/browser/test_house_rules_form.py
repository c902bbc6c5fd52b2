"""What the form for house rules sends, by every preset."""

from itertools import combinations

import pytest

from domain.pocha.rules import house_rules
from domain.pocha.rules.presets import PRESETS
from domain.pocha.rules.ruleset import ContradictoryRuleset
from tests.browser.conftest import People
from tests.browser.person import Json

pytestmark = pytest.mark.asyncio(loop_scope="session")

PATCHES = """async (choices) => {
    const { patchOf } = await import("/play/static/table/src/houseRules.js");
    const { items } = await (await fetch("/v1/rulesets")).json();
    return items.flatMap(({ ruleset }) => choices.flatMap((chosen) => ["full", "no-descent", "top-only"].map((shape) => {
        const isOn = Object.fromEntries(chosen.map((name) => [name, patchOf(ruleset, { switches: { [name]: true } }) !== undefined]));
        return [ruleset.ruleset_id, patchOf(ruleset, { shape, switches: isOn }) ?? {}];
    })));
}"""
"""Turns each of the chosen switches to what the preset has not."""


def refusals(patch: Json, preset: str) -> list[str]:
    try:
        house_rules.apply(patch, PRESETS[preset])
    except ContradictoryRuleset as refusal:
        return [found.pointer for found in refusal.contradictions]
    return []


async def test_each_two_choices_of_the_form_make_a_table_by_every_preset(people: People) -> None:
    ana = await people.come()
    await ana.sit_down()
    await ana.page.locator(".house-rules summary").click()
    boxes = await ana.page.locator(".house-rules input[type=checkbox]").all()
    names = [await box.get_attribute("name") for box in boxes]
    choices = [list(chosen) for count in (1, 2) for chosen in combinations(names, count)]
    patches: list[tuple[str, Json]] = await ana.page.evaluate(PATCHES, choices)
    assert len(patches) == len(PRESETS) * len(choices) * 3
    refused = {(preset, pointer) for preset, patch in patches for pointer in refusals(patch, preset)}
    # All hands of that one are special ones: a short game without them has none.
    assert refused <= {("ludoteka-loca", "/schedule/blocks")}
