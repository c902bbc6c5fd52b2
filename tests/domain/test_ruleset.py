"""The ruleset: the presets are those of the rulebook, and what contradicts itself cannot be made, nor read."""

import json
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings

from domain.cards import Card, Suit, Trim, pack
from domain.pocha.rules import presets, ruleset
from domain.pocha.rules.bidding import Hook
from domain.pocha.rules.presets import PRESETS
from domain.pocha.rules.ruleset import (
    AuctionProtocol,
    AuctionRules,
    BiddingRules,
    Contradiction,
    ContradictoryRuleset,
    DealerRules,
    DeckRules,
    PlayersRules,
    RenuncioMode,
    RenuncioRules,
    Ruleset,
    ScheduleRules,
    TrumpWhenAllDealt,
    WinnerSecondBid,
)
from domain.pocha.rules.schedule import Block, HandKind, HandPlan
from domain.pocha.rules.scoring import ScoringRules, SlamBonus
from domain.pocha.rules.standings import TiebreakRules, TiebreakStep
from domain.tricks import PlayRules, Undertrump
from tests.domain.cases import DATA, snake
from tests.domain.strategies import rulesets

DOCUMENTED: dict[str, dict[str, Any]] = json.loads((DATA / "presets.json").read_text())

TRIMS = {
    "none": Trim.NONE,
    "all twos": Trim.ALL_TWOS,
    "all twos if 40 mod n != 0": Trim.ALL_TWOS_IF_INEXACT,
    "all twos with 3 players": Trim.ALL_TWOS_IF_INEXACT,
    "40 mod n cards: twos then fours, each in order espadas,bastos,copas,oros": Trim.SEQUENCE,
}
WHEN_ALL_DEALT = {
    "last-card-dealt": TrumpWhenAllDealt.LAST_DEALT,
    "dealer-blind-pick, else last-card-dealt": TrumpWhenAllDealt.DEALER_BLIND_PICK,
}
STEPS = {
    "fewest-mistaken-bids": TiebreakStep.FEWEST_MISTAKEN_BIDS,
    "oros hands with all cards until broken": TiebreakStep.OROS_HANDS,
    "one-card hands until broken": TiebreakStep.ONE_CARD_HANDS,
}

NOT_PARAMETERS = {
    "deck.suits": ["oros", "copas", "espadas", "bastos"],
    "seating.direction": "counterclockwise",
    "dealer.rotation": "right",
    "deal.cut": "automatic (seat to the left of the dealer)",
    "deal.mode": "one-by-one from mano",
    "bidding.min": 0,
    "bidding.max": "cards",
    "bidding.order": "mano-first, dealer last",
    "trump.whenStockRemains": "turn-up-next-card",
    "play.firstLeader": "mano",
    "play.mustFollow": True,
    "tiebreak.participants": "all",
}
"""What is the same in every preset, and no parameter: the core knows no other way."""

SPELLED_OUT = {"schedules", "schedule.options"}
"""The schedules are tested hand by hand; the options of clasica are changes to its blocks."""


def documented_block(block: dict[str, Any]) -> Block:
    """Read `{kind, cards, times}` or `{kind, from, to, times}`."""
    first, last = (block["cards"],) * 2 if "cards" in block else (block["from"], block["to"])
    return Block(HandKind(block["kind"]), str(first), str(last), str(block["times"]))


def documented_auction(auction: dict[str, Any] | None) -> AuctionRules:
    """Read what the parameters of an auction are; the rest says in words what its protocol is."""
    fields = set(AuctionRules.__struct_fields__)
    known = {snake(name): value for name, value in (auction or {}).items()}
    return msgspec.convert({name: value for name, value in known.items() if name in fields}, AuctionRules)


def india_parameters(rules: Ruleset) -> dict[str, Any] | None:
    """Describe the india hands of a ruleset that has any; they are the same in all."""
    if not any(block.kind is HandKind.INDIA for block in rules.schedule.blocks):
        return None
    return {"cards": 1, "ownCardVisible": False, "spectatorsSee": "nothing unplayed"}


PARAMETERS: dict[str, Callable[[Ruleset, Any], bool]] = {
    "id": lambda rules, value: rules.id == value,
    "title": lambda rules, value: f"{rules.title} ({rules.source})" == value,
    "source": lambda rules, value: rules.source == value,
    "players.allowed": lambda rules, value: list(rules.players.allowed) == value,
    "players.occasional": lambda rules, value: list(rules.players.occasional) == value,
    "players.extrapolated": lambda rules, value: list(rules.players.extrapolated) == value,
    "deck.size": lambda rules, value: rules.deck.size == value,
    "deck.rankOrder": lambda rules, value: list(rules.deck.rank_order) == value,
    "deck.trim": lambda rules, value: rules.deck.trim is TRIMS[value],
    "seating.order": lambda rules, value: rules.seating.order == value,
    "dealer.first": lambda rules, value: rules.dealer.first == value,
    "trump.whenAllDealt": lambda rules, value: rules.trump.when_all_dealt is WHEN_ALL_DEALT[value],
    "schedule.blocks": lambda rules, value: [*rules.schedule.blocks] == [documented_block(block) for block in value],
    "bidding.hook.enabled": lambda rules, value: rules.bidding.hook.enabled is value,
    "bidding.hook.exemptCards": lambda rules, value: list(rules.bidding.hook.exempt_cards) == value,
    "bidding.hook.exemptKinds": lambda rules, value: list(rules.bidding.hook.exempt_kinds) == value,
    "auction": lambda rules, value: rules.auction == documented_auction(value),
    "india": lambda rules, value: india_parameters(rules) == value,
    "play.mustBeat": lambda rules, value: rules.play.must_beat == value,
    "play.beatWaivedAfterRuff": lambda rules, value: rules.play.beat_waived_after_ruff is value,
    "play.mustTrump": lambda rules, value: rules.play.must_trump is value,
    "play.mustOvertrump": lambda rules, value: rules.play.must_overtrump is value,
    "play.undertrumpWhenCannotOvertrump": lambda rules, value: rules.play.undertrump_when_cannot_overtrump == value,
    "scoring.hitBase": lambda rules, value: rules.scoring.hit_base == value,
    "scoring.hitPerTrick": lambda rules, value: rules.scoring.hit_per_trick == value,
    "scoring.missPerTrick": lambda rules, value: rules.scoring.miss_per_trick == value,
    "scoring.suitMultiplier": lambda rules, value: rules.scoring.suit_multiplier == value,
    "scoring.turnUpMultiplier": lambda rules, value: rules.scoring.turn_up_multiplier == value,
    "scoring.multiplierAppliesTo": lambda rules, value: rules.scoring.multiplier_applies_to == value,
    "scoring.slamBonus": lambda rules, value: rules.scoring.slam_bonus is msgspec.UNSET and value is None,
    "renuncio.mode": lambda rules, value: rules.renuncio.mode == value,
    "renuncio.penalty": lambda rules, value: rules.renuncio.penalty == (value or 0),
    "renuncio.scalesWithMultiplier": lambda rules, value: rules.renuncio.scales_with_multiplier is value,
    "tiebreak.steps": lambda rules, value: [*rules.tiebreak.steps] == [STEPS[step] for step in value],
    "tiebreak.maxExtraHands": lambda rules, value: rules.tiebreak.max_extra_hands == value,
}

EVERY_PARAMETER = [
    pytest.param(name, parameter, id=f"{name}/{parameter}")
    for name, documented in DOCUMENTED.items()
    for parameter in documented
    if parameter not in SPELLED_OUT
]


def test_the_presets_are_the_eight_of_the_rulebook() -> None:
    assert list(PRESETS) == list(DOCUMENTED)


@pytest.mark.parametrize(("name", "parameter"), EVERY_PARAMETER)
def test_a_preset_has_the_documented_value(name: str, parameter: str) -> None:
    value = DOCUMENTED[name][parameter]
    if parameter in NOT_PARAMETERS:
        assert value == NOT_PARAMETERS[parameter]
    else:
        assert PARAMETERS[parameter](PRESETS[name], value)


def test_players_are_marked_only_where_the_documents_mark_them() -> None:
    for name, documented in DOCUMENTED.items():
        assert list(PRESETS[name].players.occasional) == documented.get("players.occasional", [])
        assert list(PRESETS[name].players.extrapolated) == documented.get("players.extrapolated", [])


@pytest.mark.parametrize("name", DOCUMENTED)
def test_a_preset_deals_the_documented_schedule_for_every_number_of_players(name: str) -> None:
    rules, schedules = PRESETS[name], DOCUMENTED[name]["schedules"]
    assert [str(players) for players in rules.players.allowed] == list(schedules)
    for players, documented in ((int(players), schedule) for players, schedule in schedules.items()):
        plans = tuple(HandPlan(HandKind(hand["kind"]), hand["cards"]) for hand in documented["hands"])
        assert ruleset.hand_schedule(rules, players) == plans
        assert len(plans) == documented["total_hands"]
        assert ruleset.removed(rules, players) == tuple(documented["removed"])
        assert ruleset.most_cards(rules, players) == documented["max_cards"]


def test_the_closed_forms_of_the_rulebook_give_the_number_of_hands() -> None:
    def hands(rules: Ruleset, players: int) -> tuple[int, int]:
        return len(ruleset.hand_schedule(rules, players)), ruleset.most_cards(rules, players)

    for rules in (presets.CLASICA, presets.ANTIGUA):
        for n in rules.players.allowed:
            total, most = hands(rules, n)
            assert total == 5 * n + 2 * most - 3
    for rules in (presets.FOURNIER, presets.TOROFUN):
        for n in rules.players.allowed:
            total, most = hands(rules, n)
            assert total == n + 2 * (most - 1)


def test_who_names_no_ruleset_plays_the_first_preset_clasica() -> None:
    assert presets.DEFAULT is presets.CLASICA is next(iter(PRESETS.values()))


# Contradictions.


def base(**changes: Any) -> Ruleset:
    """Return a ruleset of one normal hand of one card, with `changes`."""
    parts: dict[str, Any] = {
        "id": "casa",
        "version": 1,
        "title": "Casa",
        "source": "tests",
        "players": PlayersRules((3, 4)),
        "schedule": ScheduleRules((Block(HandKind.NORMAL, "1", "1"),)),
    }
    return Ruleset(**{**parts, **changes})


def blocks(*of: Block) -> dict[str, Any]:
    return {"schedule": ScheduleRules(of)}


LARGE_ORDER = (1, 3, 12, 11, 10, 9, 8, 7, 6, 5, 4, 2)
ASCENDING, DOUBLE = AuctionProtocol.ASCENDING_ONCE, AuctionProtocol.DOUBLE_BID

CONTRADICTIONS: dict[str, tuple[str, dict[str, Any]]] = {
    "nobody may play": ("/players/allowed", {"players": PlayersRules(()), **blocks()}),
    "players out of order": ("/players/allowed", {"players": PlayersRules((4, 3))}),
    "players twice": ("/players/allowed", {"players": PlayersRules((3, 3))}),
    "occasional players who may not play": ("/players/occasional", {"players": PlayersRules((3,), occasional=(4,))}),
    "extrapolated players who may not play": (
        "/players/extrapolated",
        {"players": PlayersRules((3,), extrapolated=(4,))},
    ),
    "a rank order without the eights": ("/deck/rank_order", {"deck": DeckRules(size=48)}),
    "a rank order with eights": ("/deck/rank_order", {"deck": DeckRules(rank_order=LARGE_ORDER)}),
    "a number ranked twice": ("/deck/rank_order", {"deck": DeckRules(rank_order=(1, 1, 12, 11, 10, 7, 6, 5, 4, 2))}),
    "a first dealer whom small tables lack": ("/dealer/first", {"dealer": DealerRules("3")}),
    "a first dealer where nobody plays": ("/dealer/first", {"players": PlayersRules(()), "dealer": DealerRules("0")}),
    "no hands": ("/schedule/blocks", blocks()),
    "no hands for some": (
        "/schedule/blocks",
        {"players": PlayersRules((10,)), **blocks(Block(HandKind.NORMAL, "5", "max"))},
    ),
    "a scheduled tie-break": ("/schedule/blocks/0/kind", blocks(Block(HandKind.TIE_BREAK, "1", "1"))),
    "an india hand of two cards": ("/schedule/blocks/0", blocks(Block(HandKind.INDIA, "1", "2"))),
    "more cards than there are": (
        "/schedule/blocks/1",
        blocks(Block(HandKind.NORMAL, "1", "1"), Block(HandKind.CIEGA, "11", "11")),
    ),
    "a subastado without an auction": ("/auction/protocol", blocks(Block(HandKind.SUBASTADO, "max", "max"))),
    "an ascending bid that does not stand": ("/auction/winner_second_bid", {"auction": AuctionRules(ASCENDING)}),
    "a hook in a first round that there is not": (
        "/auction/hook_in_first_round",
        {"auction": AuctionRules(ASCENDING, WinnerSecondBid.LOCKED, hook_in_first_round=True)},
    ),
    "a hook in the first round at a table without a hook": (
        "/auction/hook_in_first_round",
        {
            "auction": AuctionRules(AuctionProtocol.DOUBLE_BID, hook_in_first_round=True),
            "bidding": BiddingRules(Hook(enabled=False)),
        },
    ),
    "over-trumping where trumping is no duty": ("/play/must_overtrump", {"play": PlayRules(must_trump=False)}),
    "under-trumping where trumping is no duty": (
        "/play/undertrump_when_cannot_overtrump",
        {"play": PlayRules(must_trump=False, must_overtrump=False, undertrump_when_cannot_overtrump=Undertrump.FORCED)},
    ),
    "a factor for a card that is not in the pack": (
        "/scoring/turn_up_multiplier/oros-8",
        {"scoring": ScoringRules(turn_up_multiplier={Card.OROS_4: 4, Card.OROS_8: 2})},
    ),
    "a punishment of nothing": ("/renuncio/penalty", {"renuncio": RenuncioRules(RenuncioMode.PENALISED)}),
    "a tie-break twice": ("/tiebreak/steps", {"tiebreak": TiebreakRules((TiebreakStep.FEWEST_MISTAKEN_BIDS,) * 2)}),
    "a step after extra hands": (
        "/tiebreak/steps",
        {"tiebreak": TiebreakRules((TiebreakStep.OROS_HANDS, TiebreakStep.FEWEST_MISTAKEN_BIDS))},
    ),
}


@pytest.mark.parametrize(("pointer", "changes"), CONTRADICTIONS.values(), ids=CONTRADICTIONS)
def test_a_contradiction_is_refused_and_says_where(pointer: str, changes: dict[str, Any]) -> None:
    with pytest.raises(ContradictoryRuleset) as refusal:
        base(**changes)
    found = refusal.value.contradictions
    assert pointer in {contradiction.pointer for contradiction in found}
    assert str(refusal.value) == "; ".join(f"{one.pointer}: {one.message}" for one in found)


def test_all_contradictions_are_told_at_once() -> None:
    with pytest.raises(ContradictoryRuleset) as refusal:
        base(dealer=DealerRules("9"), renuncio=RenuncioRules(RenuncioMode.PENALISED))
    assert refusal.value.contradictions == (
        Contradiction("/dealer/first", "must be a seat that every table has"),
        Contradiction("/renuncio/penalty", "must be some points where renuncios are punished"),
    )


OF_THE_LARGE_PACK = ScoringRules(turn_up_multiplier={Card.OROS_8: 2})

CONSISTENT: dict[str, dict[str, Any]] = {
    "the base itself": {},
    "a pack of 48 with all numbers ranked": {
        "deck": DeckRules(48, LARGE_ORDER),
        "scoring": ScoringRules(turn_up_multiplier={Card.OROS_8: 2}),
    },
    "the last seat of the smallest table deals": {"dealer": DealerRules("2")},
    "a double bid with a hook in its first round": {"auction": AuctionRules(DOUBLE, hook_in_first_round=True)},
    "trumping is no duty, nor anything beyond it": {"play": PlayRules(must_trump=False, must_overtrump=False)},
    "punished renuncios": {"renuncio": RenuncioRules(RenuncioMode.PENALISED, 100)},
    "all steps that can follow each other": {
        "tiebreak": TiebreakRules((TiebreakStep.FEWEST_MISTAKEN_BIDS, TiebreakStep.OROS_HANDS))
    },
}


@pytest.mark.parametrize("changes", CONSISTENT.values(), ids=CONSISTENT)
def test_what_does_not_contradict_itself_is_accepted(changes: dict[str, Any]) -> None:
    assert list(ruleset.contradictions(base(**changes))) == []


@pytest.mark.parametrize("rules", PRESETS.values(), ids=PRESETS)
def test_a_preset_survives_json(rules: Ruleset) -> None:
    assert msgspec.json.decode(msgspec.json.encode(rules), type=Ruleset) == rules


@given(rulesets())
@settings(max_examples=60, deadline=None)
def test_any_valid_ruleset_survives_json(rules: Ruleset) -> None:
    assert msgspec.json.decode(msgspec.json.encode(rules), type=Ruleset) == rules


def test_reading_a_contradictory_ruleset_is_a_validation_error_that_names_the_place() -> None:
    tree = msgspec.to_builtins(base())
    tree["players"]["occasional"] = [9]
    with pytest.raises(msgspec.ValidationError, match="/players/occasional: must be among the numbers allowed"):
        msgspec.json.decode(msgspec.json.encode(tree), type=Ruleset)


@pytest.mark.parametrize(
    ("group", "parameter", "value"),
    [
        ("deck", "size", 52),
        ("deck", "trim", "some"),
        ("players", "allowed", [1]),
        ("players", "allowed", [11]),
        ("dealer", "first", "10"),
        ("seating", "order", "clockwise"),
        ("scoring", "hit_base", -1),
        ("scoring", "suit_multiplier", {"diamonds": 2}),
        ("scoring", "suit_multiplier", {"oros": 0}),
        ("scoring", "slam_bonus", {"min_cards": 5, "factor": 2, "maximum": 9}),
        ("tiebreak", "max_extra_hands", 51),
        ("renuncio", "penalty", "100"),
        ("schedule", "blocks", [{"kind": "normal", "first": "0", "last": "1"}]),
        ("schedule", "blocks", [{"kind": "normal", "first": "1", "last": "max", "times": "m"}]),
    ],
)
def test_a_value_that_no_table_can_have_is_not_read(group: str, parameter: str, value: object) -> None:
    tree = msgspec.to_builtins(base())
    tree[group][parameter] = value
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(tree, Ruleset)


def test_a_slam_bonus_survives_json_and_is_absent_where_there_is_none() -> None:
    with_bonus = base(scoring=ScoringRules(slam_bonus=SlamBonus(5, 2)))
    assert msgspec.json.decode(msgspec.json.encode(with_bonus), type=Ruleset) == with_bonus
    assert b"slam_bonus" not in msgspec.json.encode(base())


# Packs and trims.


@pytest.mark.parametrize("size", [40, 48])
def test_a_pack_has_its_cards_once_each_suit_by_suit(size: int) -> None:
    cards = pack(size)
    assert len(cards) == len(set(cards)) == size
    assert {card.suit for card in cards[: size // 4]} == {Suit.OROS}
    assert [card.number for card in cards[: size // 4]] == sorted({card.number for card in cards})
    assert (8 in {card.number for card in cards}) == (size == 48)


def test_there_is_no_pack_of_52() -> None:
    with pytest.raises(ValueError, match="packs of 40 and 48 cards, not of 52"):
        pack(52)


@pytest.mark.parametrize("trim", Trim)
@pytest.mark.parametrize("size", [40, 48])
@pytest.mark.parametrize("players", range(2, 11))
def test_a_trim_takes_out_what_its_name_says(trim: Trim, size: int, players: int) -> None:
    order = LARGE_ORDER if size == 48 else DeckRules().rank_order
    rules = base(
        players=PlayersRules((players,)),
        deck=DeckRules(size, order, trim),  # pyright: ignore[reportArgumentType]  # 40 or 48, as above
    )
    removed, deck = ruleset.removed(rules, players), ruleset.deck(rules, players)
    counts = {
        Trim.NONE: 0,
        Trim.ALL_TWOS: 4,
        Trim.ALL_TWOS_IF_INEXACT: 4 if size % players else 0,
        Trim.SEQUENCE: size % players,
    }
    assert len(removed) == counts[trim]
    assert set(deck) | set(removed) == set(pack(size))
    assert len(deck) + len(removed) == size
    assert {card.number for card in removed} <= {2, 4}
    assert ruleset.most_cards(rules, players) == len(deck) // players


def test_a_card_knows_its_suit_and_its_number() -> None:
    assert (Card("espadas-12").suit, Card("espadas-12").number) == (Suit.ESPADAS, 12)
