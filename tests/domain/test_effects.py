"""A change that makes no difference in any game is refused, with its place."""

from typing import Any

import pytest

from domain.pocha.rules import house_rules
from domain.pocha.rules.presets import CLASICA, TOROFUN
from domain.pocha.rules.ruleset import ContradictoryRuleset

Json = dict[str, Any]

NAMED: dict[str, tuple[Json, str]] = {
    "passing in a double bid": ({"auction": {"mano_must_bid": False}}, "/auction/mano_must_bid"),
    "a penalty where no renuncio is punished": ({"renuncio": {"penalty": 50}}, "/renuncio/penalty"),
    "a hook of the first round where subastados are exempt": (
        {"bidding": {"hook": {"exempt_kinds": ["subastado"]}}, "auction": {"hook_in_first_round": True}},
        "/auction/hook_in_first_round",
    ),
    "an auction without its hands": (
        {"schedule": {"specials": False}, "auction": {"winner_second_bid": "at-least"}},
        "/auction/winner_second_bid",
    ),
}


@pytest.mark.parametrize(("changes", "pointer"), NAMED.values(), ids=NAMED)
def test_a_change_without_effect_is_refused_with_its_place(changes: Json, pointer: str) -> None:
    with pytest.raises(ContradictoryRuleset) as refusal:
        house_rules.apply(changes, CLASICA)
    assert [found.pointer for found in refusal.value.contradictions] == [pointer]


def test_what_a_preset_has_without_effect_may_stay() -> None:
    assert house_rules.apply({"bidding": {"hook": {"enabled": False}}}, TOROFUN).bidding.hook.exempt_cards == (1,)
    house_rules.apply({"schedule": {"specials": False}}, CLASICA)
