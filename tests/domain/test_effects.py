"""A change that makes no difference in any game is refused, with its place and with what takes the effect away."""

from typing import Any

import msgspec
import pytest

from domain.pocha.rules import house_rules
from domain.pocha.rules.presets import CLASICA, FOURNIER, LUDOTEKA_EXPRESS_4, PRESETS, TOROFUN
from domain.pocha.rules.ruleset import ContradictoryRuleset, Ruleset

Json = dict[str, Any]

ONES = {"blocks": [{"kind": "normal", "first": "1", "last": "1", "times": "2"}]}
CIEGAS = {"blocks": [{"kind": "ciega", "first": "2", "last": "3"}]}

NAMED: dict[str, tuple[Ruleset, Json, str, str]] = {
    "passing in a double bid": (CLASICA, {"auction": {"mano_must_bid": False}}, "/auction/mano_must_bid", "protocol"),
    "a penalty where no renuncio is punished": (CLASICA, {"renuncio": {"penalty": 50}}, "/renuncio/penalty", "mode"),
    "a hook of the first round where subastados are exempt": (
        CLASICA,
        {"bidding": {"hook": {"exempt_kinds": ["subastado"]}}, "auction": {"hook_in_first_round": True}},
        "/auction/hook_in_first_round",
        "bidding.hook",
    ),
    "an auction without its hands": (
        CLASICA,
        {"schedule": {"specials": False}, "auction": {"winner_second_bid": "at-least"}},
        "/auction/winner_second_bid",
        "no subastado hands",
    ),
    "a hand exempted twice": (
        CLASICA,
        {"bidding": {"hook": {"exempt_cards": [1], "exempt_kinds": ["india"]}}},
        "/bidding/hook/exempt_kinds",
        "the rest of bidding.hook",
    ),
    "a duty after a ruff at a table of two": (
        FOURNIER,
        {"players": {"allowed": [2]}, "play": {"must_overtrump": False}},
        "/play/must_overtrump",
        "two players",
    ),
    "a duty to trump without trumps": (
        FOURNIER,
        {"schedule": CIEGAS, "play": {"undertrump_when_cannot_overtrump": "forced"}},
        "/play/undertrump_when_cannot_overtrump",
        "no trump",
    ),
    "a duty in hands of one card": (
        FOURNIER,
        {"schedule": ONES, "play": {"must_beat": "led-suit"}},
        "/play/must_beat",
        "one card",
    ),
    "an end of a duty that there is not": (
        FOURNIER,
        {"play": {"beat_waived_after_ruff": False}},
        "/play/beat_waived_after_ruff",
        "must_beat is never",
    ),
    "a wrong claim where nothing can be claimed": (
        LUDOTEKA_EXPRESS_4,
        {
            "schedule": {"blocks": [{"kind": "india", "first": "1", "last": "1"}]},
            "renuncio": {"mode": "penalised", "penalty": 1, "wrong_claim_penalty": 5},
        },
        "/renuncio/wrong_claim_penalty",
        "nothing can be claimed",
    ),
    "cards taken out that go into the players": (
        LUDOTEKA_EXPRESS_4,
        {"deck": {"trim": "sequence"}},
        "/deck/trim",
        "players.allowed",
    ),
    "the rank of cards that are taken out": (
        FOURNIER,
        {"players": {"allowed": [3]}, "deck": {"rank_order": [2, 1, 12, 11, 10, 7, 6, 5, 4, 3]}},
        "/deck/rank_order",
        "deck.trim",
    ),
    "a factor of its own that is the suit's": (
        TOROFUN,
        {"scoring": {"suit_multiplier": {"oros": 3}, "turn_up_multiplier": {"oros-4": 3}}},
        "/scoring/turn_up_multiplier",
        "suit_multiplier",
    ),
    "misses that are not multiplied": (
        TOROFUN,
        {"scoring": {"multiplier_applies_to": "hits-only"}},
        "/scoring/multiplier_applies_to",
        "suit_multiplier",
    ),
    "misses that cost nothing": (
        CLASICA,
        {"scoring": {"miss_per_trick": 0, "multiplier_applies_to": "hits-only"}},
        "/scoring/multiplier_applies_to",
        "miss_per_trick is 0",
    ),
    "a slam that doubles nothing": (
        TOROFUN,
        {"scoring": {"slam_bonus": {"min_cards": 24, "factor": 2}}},
        "/scoring/slam_bonus",
        "schedule",
    ),
    "the same hands in other words": (
        FOURNIER,
        {
            "schedule": {
                "blocks": [
                    {"kind": "normal", "first": "1", "last": "max-1"},
                    {"kind": "normal", "first": "max", "last": "max", "times": "n"},
                    {"kind": "normal", "first": "max-1", "last": "2"},
                    {"kind": "normal", "first": "1", "last": "1"},
                ]
            }
        },
        "/schedule/blocks",
        "the same",
    ),
    "a trump that is always turned up": (
        FOURNIER,
        {"schedule": ONES, "trump": {"when_all_dealt": "dealer-blind-pick"}},
        "/trump/when_all_dealt",
        "all the cards",
    ),
    "a limit to extra hands that there are not": (
        CLASICA,
        {"tiebreak": {"steps": [], "max_extra_hands": 2}},
        "/tiebreak/max_extra_hands",
        "tiebreak.steps",
    ),
}


@pytest.mark.parametrize(("preset", "changes", "pointer", "said"), NAMED.values(), ids=NAMED)
def test_a_change_without_effect_is_refused_with_its_place_and_its_reason(
    preset: Ruleset, changes: Json, pointer: str, said: str
) -> None:
    with pytest.raises(ContradictoryRuleset) as refusal:
        house_rules.apply(changes, preset)
    (found,) = refusal.value.contradictions
    assert found.pointer == pointer
    assert said in found.message


def test_a_hook_is_switched_on_in_vain_where_every_hand_is_exempt() -> None:
    without = house_rules.apply({"bidding": {"hook": {"enabled": False}}}, FOURNIER)
    with pytest.raises(ContradictoryRuleset, match="/bidding/hook/enabled"):
        house_rules.apply({"bidding": {"hook": {"enabled": True, "exempt_kinds": ["normal", "tie_break"]}}}, without)


def test_what_a_preset_has_without_effect_may_stay() -> None:
    assert house_rules.apply({"bidding": {"hook": {"enabled": False}}}, TOROFUN).bidding.hook.exempt_cards == (1,)
    house_rules.apply({"schedule": {"specials": False}}, CLASICA)


@pytest.mark.parametrize("preset", PRESETS.values(), ids=PRESETS)
def test_to_repeat_what_the_preset_says_is_no_change(preset: Ruleset) -> None:
    parts = {name: part for name, part in msgspec.to_builtins(preset).items() if name in house_rules.PARTS}
    assert house_rules.apply(parts, preset) == house_rules.apply({}, preset)
