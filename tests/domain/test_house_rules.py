"""House rules: what a table changes in a preset, and what cannot be."""

from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain import tricks
from domain.cards import Card, Suit, Trim
from domain.pocha.model.events import GameOver
from domain.pocha.rules import house_rules, ruleset
from domain.pocha.rules.bidding import Hook
from domain.pocha.rules.house_rules import PARTS
from domain.pocha.rules.presets import CLASICA, FOURNIER, LUDOTEKA_LOCA, LUDOTEKA_SUBEBAJA, PRESETS, TOROFUN
from domain.pocha.rules.ruleset import (
    AuctionProtocol,
    AuctionRules,
    ContradictoryRuleset,
    DeckRules,
    PlayersRules,
    RenuncioMode,
    RenuncioRules,
    Ruleset,
    SeatingOrder,
    TrumpWhenAllDealt,
    WinnerSecondBid,
)
from domain.pocha.rules.schedule import HandKind
from domain.pocha.rules.scoring import MultiplierAppliesTo, SlamBonus
from domain.pocha.rules.standings import TiebreakRules, TiebreakStep
from domain.tricks import MustBeat, PlayRules, Undertrump
from tests.domain.playout import anything, game


def house(preset: Ruleset, **tree: Any) -> Ruleset:
    return house_rules.apply(tree, preset)


def parts(rules: Ruleset) -> dict[str, Any]:
    return {name: getattr(rules, name) for name in Ruleset.__struct_fields__}


@pytest.mark.parametrize("preset", PRESETS.values(), ids=PRESETS)
def test_no_changes_leave_the_preset_as_it_is_but_for_the_mark(preset: Ruleset) -> None:
    assert not preset.house_rules
    assert parts(house(preset)) == {**parts(preset), "house_rules": True}
    empty: dict[str, Any] = {name: {} for name in PARTS}
    assert house(preset, **empty) == house(preset)
    assert house(preset, bidding={"hook": {}}) == house(preset)


CHANGES: dict[str, tuple[str, dict[str, Any], object]] = {
    "deck.trim": ("deck", {"trim": "none"}, DeckRules(trim=Trim.NONE)),
    "deck.rank_order": (
        "deck",
        {"rank_order": [1, 12, 11, 10, 7, 6, 5, 4, 3, 2]},
        DeckRules(rank_order=(1, 12, 11, 10, 7, 6, 5, 4, 3, 2), trim=Trim.ALL_TWOS_IF_INEXACT),
    ),
    "auction.protocol": (
        "auction",
        {"protocol": "ascending-once", "winner_second_bid": "locked", "mano_must_bid": False},
        AuctionRules(AuctionProtocol.ASCENDING_ONCE, WinnerSecondBid.LOCKED, mano_must_bid=False),
    ),
    "auction.winner_second_bid": (
        "auction",
        {"winner_second_bid": "at-least"},
        AuctionRules(AuctionProtocol.DOUBLE_BID, WinnerSecondBid.AT_LEAST),
    ),
    "auction.hook_in_first_round": (
        "auction",
        {"hook_in_first_round": True, "hook_on_last_predictor": False},
        AuctionRules(AuctionProtocol.DOUBLE_BID, hook_in_first_round=True, hook_on_last_predictor=False),
    ),
    "play.must_beat": ("play", {"must_beat": "never"}, PlayRules(must_beat=MustBeat.NEVER)),
    "play.beat_waived_after_ruff": (
        "play",
        {"beat_waived_after_ruff": False},
        PlayRules(beat_waived_after_ruff=False),
    ),
    "play.must_trump": (
        "play",
        {"must_trump": False, "must_overtrump": False},
        PlayRules(must_trump=False, must_overtrump=False),
    ),
    "play.undertrump_when_cannot_overtrump": (
        "play",
        {"undertrump_when_cannot_overtrump": "forced"},
        PlayRules(undertrump_when_cannot_overtrump=Undertrump.FORCED),
    ),
    "renuncio": (
        "renuncio",
        {"mode": "penalised", "penalty": 50, "wrong_claim_penalty": 10},
        RenuncioRules(RenuncioMode.PENALISED, 50, scales_with_multiplier=True, wrong_claim_penalty=10),
    ),
    "renuncio.scales_with_multiplier": (
        "renuncio",
        {"mode": "penalised", "scales_with_multiplier": False},
        RenuncioRules(RenuncioMode.PENALISED, 100),
    ),
    "players.allowed": ("players", {"allowed": [4, 8, 9]}, PlayersRules((4, 8, 9), occasional=(8,))),
}


@pytest.mark.parametrize(("part", "tree", "expected"), CHANGES.values(), ids=CHANGES)
def test_a_change_reaches_its_part_and_no_other(part: str, tree: dict[str, Any], expected: object) -> None:
    changed = house(CLASICA, **{part: tree})
    assert parts(changed) == {**parts(CLASICA), part: expected, "house_rules": True}


SINGLE: list[tuple[str, str, Any, object]] = [
    ("seating", "order", "random", SeatingOrder.RANDOM),
    ("dealer", "first", "2", "2"),
    ("trump", "when_all_dealt", "dealer-blind-pick", TrumpWhenAllDealt.DEALER_BLIND_PICK),
    ("scoring", "hit_base", 20, 20),
    ("scoring", "hit_per_trick", 3, 3),
    ("scoring", "miss_per_trick", 0, 0),
    ("scoring", "suit_multiplier", {"oros": 2}, {Suit.COPAS: 2, Suit.OROS: 2}),
    ("scoring", "suit_multiplier", {"bastos": 4, "copas": None}, {Suit.OROS: 3, Suit.BASTOS: 4}),
    ("scoring", "suit_multiplier", {}, {Suit.COPAS: 2, Suit.OROS: 3}),
    ("scoring", "suit_multiplier", None, {}),
    ("scoring", "turn_up_multiplier", {"copas-1": 5}, {Card.OROS_4: 4, Card.COPAS_1: 5}),
    ("scoring", "slam_bonus", None, msgspec.UNSET),
    ("scoring", "multiplier_applies_to", "hits-only", MultiplierAppliesTo.HITS_ONLY),
    ("scoring", "slam_bonus", {"min_cards": 5, "factor": 2}, SlamBonus(5, 2)),
    ("tiebreak", "steps", ["oros-hands"], (TiebreakStep.OROS_HANDS,)),
    ("tiebreak", "steps", [], ()),
    ("tiebreak", "steps", None, ()),
    ("tiebreak", "max_extra_hands", 3, 3),
]


@pytest.mark.parametrize(("part", "field", "written", "expected"), SINGLE)
def test_a_parameter_is_changed_and_its_neighbours_stay(part: str, field: str, written: Any, expected: object) -> None:
    before, after = getattr(CLASICA, part), getattr(house(CLASICA, **{part: {field: written}}), part)
    assert msgspec.structs.asdict(after) == {**msgspec.structs.asdict(before), field: expected}


def test_a_hook_is_changed_parameter_by_parameter() -> None:
    changed = house(TOROFUN, bidding={"hook": {"exempt_kinds": ["normal"]}})
    assert changed.bidding.hook == Hook(exempt_cards=(1,), exempt_kinds=(HandKind.NORMAL,))
    assert house(TOROFUN, bidding={"hook": {"exempt_cards": []}}).bidding.hook == Hook()
    assert house(CLASICA, bidding={"hook": {"enabled": False}}).bidding.hook == Hook(enabled=False)


def test_numbers_of_players_that_stay_keep_their_marks() -> None:
    assert house(CLASICA, players={"allowed": [3, 7]}).players == PlayersRules((3, 7), occasional=(7,))
    assert house(FOURNIER, players={"allowed": [6]}).players == PlayersRules((6,), extrapolated=(6,))
    assert house(FOURNIER, players={"allowed": [2, 3]}).players == PlayersRules((2, 3))


def test_marks_that_are_named_stand_and_must_fit() -> None:
    assert house(CLASICA, players={"occasional": [8], "extrapolated": [3]}).players.occasional == (8,)
    with pytest.raises(ContradictoryRuleset, match="/players/occasional"):
        house(CLASICA, players={"allowed": [4], "occasional": [8]})


def test_a_part_that_is_null_is_the_default_one() -> None:
    assert house(CLASICA, tiebreak=None).tiebreak == TiebreakRules()
    assert house(CLASICA, deck=None).deck == DeckRules()
    assert house(CLASICA, bidding={"hook": None}) == house(CLASICA)


def test_a_patch_leaves_its_preset_as_it_was() -> None:
    before = msgspec.json.encode(CLASICA)
    house(CLASICA, scoring={"suit_multiplier": {"oros": None, "bastos": 9}}, deck={"size": 48})
    assert msgspec.json.encode(CLASICA) == before


# The pack of 48.

LARGE = (1, 3, 12, 11, 10, 9, 8, 7, 6, 5, 4, 2)


def test_in_a_pack_of_48_nine_and_eight_rank_between_sota_and_seven() -> None:
    assert house(CLASICA, deck={"size": 48}).deck == DeckRules(48, LARGE, Trim.ALL_TWOS_IF_INEXACT)
    german = house(FOURNIER, deck={"size": 48}).deck
    assert german.rank_order == (1, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2)
    assert house(CLASICA, deck={"size": 40}).deck == CLASICA.deck


def test_a_nine_beats_an_eight_and_is_beaten_by_a_sota() -> None:
    strength = tricks.strengths(house(CLASICA, deck={"size": 48}).deck.rank_order)
    trick = [Card.OROS_7, Card.OROS_8, Card.OROS_9, Card.OROS_10]
    assert [tricks.winner(trick[:played], None, strength) for played in (1, 2, 3, 4)] == [0, 1, 2, 3]


def test_an_order_that_is_named_is_kept_as_it_is() -> None:
    upside_down = tuple(reversed(LARGE))
    assert house(CLASICA, deck={"size": 48, "rank_order": list(upside_down)}).deck.rank_order == upside_down


def test_a_game_with_48_cards_is_played_to_its_end() -> None:
    large = house(TOROFUN, deck={"size": 48}, players={"allowed": [6]}, schedule={"shape": "top-only"})
    assert ruleset.most_cards(large, 6) == 8
    steps = list(game(large, 6, seed=5))
    assert isinstance(steps[-1].events[-1], GameOver)


# The schedule.


def written(rules: Ruleset, players: int) -> str:
    """Return the hands as the rulebook writes them: `1 2 3i 4s 5o 6c`."""
    letters = {
        HandKind.NORMAL: "",
        HandKind.INDIA: "i",
        HandKind.SUBASTADO: "s",
        HandKind.OROS: "o",
        HandKind.CIEGA: "c",
    }
    return " ".join(f"{plan.cards}{letters[plan.kind]}" for plan in ruleset.hand_schedule(rules, players))


SCHEDULES: dict[str, tuple[Ruleset, int, dict[str, Any], str]] = {
    "clasica without specials": (
        CLASICA,
        8,
        {"specials": False},
        "1 1 1 1 1 1 1 1 2 3 4 5 5 5 5 5 5 5 5 4 3 2 1",
    ),
    "clasica with specials, as ever": (
        CLASICA,
        3,
        {"specials": True, "shape": "full"},
        "1 1 1 2 3 4 5 6 7 8 9 10 11 12 12 12 11 10 9 8 7 6 5 4 3 2 1 1i 1i 1i 12s 12s 12s 12o 12o 12o",
    ),
    "clasica, two top hands": (
        CLASICA,
        8,
        {"top_hands": "2", "specials": False},
        "1 1 1 1 1 1 1 1 2 3 4 5 5 4 3 2 1",
    ),
    "clasica, no descent": (
        CLASICA,
        5,
        {"shape": "no-descent"},
        "1 1 1 1 1 2 3 4 5 6 7 8 8 8 8 8 1i 1i 1i 1i 1i 8s 8s 8s 8s 8s 8o 8o 8o 8o 8o",
    ),
    "clasica, no descent, no specials": (
        CLASICA,
        8,
        {"shape": "no-descent", "specials": False},
        "1 1 1 1 1 1 1 1 2 3 4 5 5 5 5 5 5 5 5",
    ),
    "clasica, top only": (CLASICA, 4, {"shape": "top-only"}, "10 10 10 10 1i 1i 1i 1i 10s 10s 10s 10s 10o 10o 10o 10o"),
    "fournier, no descent": (FOURNIER, 5, {"shape": "no-descent"}, "1 2 3 4 5 6 7 8 8 8 8 8"),
    "fournier, top only, one hand": (FOURNIER, 5, {"shape": "top-only", "top_hands": "1"}, "8"),
    "torofun, n top hands in so many words": (TOROFUN, 3, {"shape": "top-only", "top_hands": "n"}, "12 12 12"),
    "subebaja, no descent": (LUDOTEKA_SUBEBAJA, 4, {"shape": "no-descent"}, "1 1 1 1 2 3 4 5 6 7 8 9 10 10 10 10"),
    "loca without specials": (LUDOTEKA_LOCA, 4, {"specials": False}, "2 3 4 5 6 7 8 9"),
    "loca has no descent": (
        LUDOTEKA_LOCA,
        4,
        {"shape": "no-descent"},
        "1i 1i 1i 1i 2 3 4 5 6 7 8 9 10s 10s 10s 10s 10c 10c 10c 10c",
    ),
    "loca, top only": (LUDOTEKA_LOCA, 4, {"shape": "top-only"}, "1i 1i 1i 1i 10s 10s 10s 10s 10c 10c 10c 10c"),
    "blocks of one's own": (
        FOURNIER,
        4,
        {
            "blocks": [
                {"kind": "ciega", "first": "3", "last": "1"},
                {"kind": "oros", "first": "max", "last": "max", "times": "2"},
            ]
        },
        "3c 2c 1c 10o 10o",
    ),
    "blocks of one's own, shaped": (
        FOURNIER,
        4,
        {
            "blocks": [
                {"kind": "normal", "first": "8", "last": "max"},
                {"kind": "normal", "first": "max", "last": "max"},
                {"kind": "oros", "first": "max", "last": "max"},
                {"kind": "normal", "first": "2", "last": "1"},
            ],
            "shape": "no-descent",
            "top_hands": "2",
        },
        "8 9 10 10 10 10o",
    ),
}


@pytest.mark.parametrize(("preset", "players", "changes", "hands"), SCHEDULES.values(), ids=SCHEDULES)
def test_a_schedule_is_changed_as_its_words_say(
    preset: Ruleset, players: int, changes: dict[str, Any], hands: str
) -> None:
    assert written(house(preset, schedule=changes), players) == hands


@pytest.mark.parametrize("preset", PRESETS.values(), ids=PRESETS)
@pytest.mark.parametrize("shape", ["full", "no-descent", "top-only"])
@pytest.mark.parametrize("specials", [True, False])
@pytest.mark.parametrize("top_hands", ["1", "2", "n", None])
def test_on_every_preset_the_options_of_the_schedule_go_together(
    preset: Ruleset, shape: str, specials: bool, top_hands: str | None
) -> None:
    changes = {"shape": shape, "specials": specials, **({"top_hands": top_hands} if top_hands else {})}
    if preset is LUDOTEKA_LOCA and shape == "top-only" and not specials:
        with pytest.raises(ContradictoryRuleset, match="/schedule/blocks: must give 4 players 1 to 200 hands"):
            house(preset, schedule=changes)
        return
    changed = house(preset, schedule=changes)
    for players in preset.players.allowed:
        before, after = ruleset.hand_schedule(preset, players), ruleset.hand_schedule(changed, players)
        most = ruleset.most_cards(preset, players)
        special = [plan for plan in after if plan.kind is not HandKind.NORMAL]
        assert special == ([plan for plan in before if plan.kind is not HandKind.NORMAL] if specials else [])
        normal = [plan.cards for plan in after if plan.kind is HandKind.NORMAL]
        top = [size for size in normal if size == most]
        if preset is not LUDOTEKA_LOCA:
            assert len(top) == (players if top_hands in (None, "n") else int(top_hands))
        if shape != "full":
            assert normal == sorted(normal)
        if shape == "top-only":
            assert normal == top


# What cannot be.

CONTRADICTIONS: dict[str, tuple[Ruleset, dict[str, Any], str]] = {
    "an ascending auction whose winner bids again": (
        CLASICA,
        {"auction": {"protocol": "ascending-once"}},
        "/auction/winner_second_bid",
    ),
    "subastados without an auction": (CLASICA, {"auction": {"protocol": "none"}}, "/auction/protocol"),
    "a first round that there is not": (
        LUDOTEKA_LOCA,
        {"auction": {"hook_in_first_round": True}},
        "/auction/hook_in_first_round",
    ),
    "over-trumping without trumping": (CLASICA, {"play": {"must_trump": False}}, "/play/must_overtrump"),
    "under-trumping without trumping": (
        CLASICA,
        {"play": {"must_trump": False, "must_overtrump": False, "undertrump_when_cannot_overtrump": "forced"}},
        "/play/undertrump_when_cannot_overtrump",
    ),
    "a punishment of nothing": (FOURNIER, {"renuncio": {"mode": "penalised"}}, "/renuncio/penalty"),
    "a step after extra hands": (
        CLASICA,
        {"tiebreak": {"steps": ["oros-hands", "fewest-mistaken-bids"]}},
        "/tiebreak/steps",
    ),
    "more players than cards": (
        LUDOTEKA_SUBEBAJA,
        {"players": {"allowed": [10]}, "schedule": {"blocks": [{"kind": "normal", "first": "5", "last": "5"}]}},
        "/schedule/blocks/0",
    ),
    "more hands than a table plays": (
        FOURNIER,
        {"schedule": {"blocks": [{"kind": "normal", "first": "1", "last": "max", "times": "20"}]}},
        "/schedule/blocks",
    ),
    "an order of another pack": (CLASICA, {"deck": {"rank_order": list(LARGE)}}, "/deck/rank_order"),
    "a card of another pack": (
        CLASICA,
        {"scoring": {"turn_up_multiplier": {"oros-9": 2}}},
        "/scoring/turn_up_multiplier/oros-9",
    ),
    "a dealer whom small tables lack": (CLASICA, {"dealer": {"first": "3"}}, "/dealer/first"),
    "an india of two cards": (
        CLASICA,
        {"schedule": {"blocks": [{"kind": "india", "first": "2", "last": "2"}]}},
        "/schedule/blocks/0",
    ),
    "a scheduled tie-break": (
        CLASICA,
        {"schedule": {"blocks": [{"kind": "tie_break", "first": "1", "last": "1"}]}},
        "/schedule/blocks/0/kind",
    ),
    "players out of order": (CLASICA, {"players": {"allowed": [4, 3]}}, "/players/allowed"),
}


@pytest.mark.parametrize(("preset", "tree", "pointer"), CONTRADICTIONS.values(), ids=CONTRADICTIONS)
def test_a_whole_that_contradicts_itself_is_refused_with_the_place(
    preset: Ruleset, tree: dict[str, Any], pointer: str
) -> None:
    with pytest.raises(ContradictoryRuleset) as refusal:
        house(preset, **tree)
    assert [found.pointer for found in refusal.value.contradictions] == [pointer]


def test_a_table_of_the_most_hands_may_be_and_one_more_may_not() -> None:
    block = {"kind": "normal", "first": "1", "last": "1", "times": "20"}
    full = house(FOURNIER, schedule={"blocks": [block] * 10})
    assert len(ruleset.hand_schedule(full, 3)) == 200
    with pytest.raises(ContradictoryRuleset):
        house(FOURNIER, schedule={"blocks": [*([block] * 10), {**block, "times": "1"}]})


UNREADABLE: list[dict[str, Any]] = [
    {"scoreing": {}},
    {"scoring": {"hit": 10}},
    {"scoring": {"hit_base": 101}},
    {"scoring": {"hit_base": -1}},
    {"scoring": {"suit_multiplier": {"oros": 21}}},
    {"scoring": {"hit_base": 12.0}},
    {"scoring": {"suit_multiplier": {"oros": {"oros": 2}}}},
    {"scoring": {"slam_bonus": {"min_cards": 5, "factor": None}}},
    {"scoring": {"slam_bonus": {"min_cards": 5, "factor": 2, "most": None}}},
    {"scoring": []},
    {"id": "mine"},
    {"title": None},
    {"house_rules": False},
    {"players": None},
    {"players": {"allowed": None}},
    {"players": {"allowed": []}},
    {"players": {"allowed": [1]}},
    {"players": {"allowed": [11]}},
    {"deck": {"size": 44}},
    {"deck": {"rank_order": [13]}},
    {"dealer": {"first": "first"}},
    {"schedule": {"blocks": []}},
    {"schedule": {"blocks": [{"kind": "normal", "first": "1", "last": "1"}] * 21}},
    {"schedule": {"blocks": [{"kind": "normal", "first": "1", "last": "1", "size": "3"}]}},
    {"schedule": {"top_hands": "0"}},
    {"schedule": {"shape": "round"}},
    {"bidding": {"hook": {"exempt_cards": [0]}}},
    {"bidding": {"hook": {"off": True}}},
    {"bidding": {"hook": {"off": None}}},
    {"schedule": {"top_hands": None, "length": None}},
    {"schedule": {"blocks": None}},
    {"renuncio": {"penalty": 1001}},
    {"tiebreak": {"max_extra_hands": 51}},
    {"tiebreak": {"steps": ["oros-hands"] * 4}},
    {"india": {"own_card_visible": True}},
    {"play": {"must_follow": False}},
]


@pytest.mark.parametrize("tree", UNREADABLE, ids=str)
def test_what_no_table_may_change_is_not_read(tree: dict[str, Any]) -> None:
    with pytest.raises(msgspec.ValidationError):
        house(CLASICA, **tree)


def test_an_unknown_member_is_named_with_its_place() -> None:
    with pytest.raises(msgspec.ValidationError, match=r"unknown field `off` - at `\$\.bidding\.hook`"):
        house(CLASICA, bidding={"hook": {"off": True}})


# Playing by them.

WISHES: dict[str, dict[str, Any]] = {
    "specials off": {"schedule": {"specials": False}},
    "top only": {"schedule": {"shape": "top-only", "top_hands": "1"}},
    "48 cards": {"deck": {"size": 48}},
    "no factors": {"scoring": {"suit_multiplier": None, "turn_up_multiplier": None}},
    "all tricks doubled": {"scoring": {"slam_bonus": {"min_cards": 5, "factor": 2}}},
    "no hook": {"bidding": {"hook": {"enabled": False}}},
    "no duty to beat": {"play": {"must_beat": "never"}},
    "punished": {"renuncio": {"mode": "penalised", "penalty": 50}},
    "picked blind": {"trump": {"when_all_dealt": "dealer-blind-pick"}},
    "drawn seats": {"seating": {"order": "random"}},
    "shared wins": {"tiebreak": {"steps": []}},
}


@given(
    st.sampled_from(list(PRESETS)),
    st.lists(st.sampled_from(list(WISHES)), max_size=4, unique=True),
    st.integers(0, 2**32),
)
@settings(max_examples=25, deadline=None)
def test_games_under_house_rules_are_played_to_their_end(name: str, wishes: list[str], seed: int) -> None:
    tree: dict[str, Any] = {}
    for chosen in wishes:
        for part, change in WISHES[chosen].items():
            tree[part] = {**tree.get(part, {}), **change}
    preset = PRESETS[name]
    if preset is LUDOTEKA_LOCA and tree.get("schedule", {}).keys() >= {"shape", "specials"}:
        return
    # A short game of the same sort is as good as a long one.
    tree.setdefault("schedule", {}).setdefault("shape", "top-only" if preset is not LUDOTEKA_LOCA else "full")
    try:
        changed = house(preset, **tree)
    except ContradictoryRuleset:  # one wish takes the effect of another
        return
    players = preset.players.allowed[-1]
    steps = list(game(changed, players, seed, anything))
    assert isinstance(steps[-1].events[-1], GameOver)
    assert msgspec.json.decode(msgspec.json.encode(changed), type=Ruleset) == changed
