"""The kernel's rules are those of `domain.tricks`, `domain.pocha.rules.scoring` and `decide`."""

from itertools import combinations, permutations, product
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain import tricks
from domain.cards import Card, Suit, pack
from domain.pocha.behaviour import legal
from domain.pocha.model.events import HandScored, TrickTaken
from domain.pocha.model.state import Playing
from domain.pocha.rules import scoring
from domain.pocha.rules.ruleset import Ruleset
from domain.pocha.rules.scoring import ScoringRules
from domain.robots.kernel.encoding import NONE, places, rules_of
from domain.tricks import MustBeat, PlayRules, Undertrump
from tests.domain.playout import anything_legal, game
from tests.domain.robots.kernels import BOTH, COMPILED
from tests.domain.strategies import decks, play_rules, rulesets, scorings
from tests.domain.tables import cards, house

TINY = cards("oros-1 oros-3 oros-12 copas-1 copas-3 copas-12 bastos-1 bastos-3 bastos-12")
TRUMPS = (None, Suit.OROS, Suit.ESPADAS)
DUTIES = [
    PlayRules(beat, waived, must_trump, must_trump and over, under if must_trump else Undertrump.FREE)
    for beat, waived, must_trump, over, under in product(
        MustBeat, (False, True), (False, True), (False, True), Undertrump
    )
    if must_trump or (not over and under is Undertrump.FREE)
]


def empty_table(out: int = 0) -> np.ndarray:
    return np.array([0, 0, NONE, NONE, NONE, NONE, out], np.int64)


def laid(kernel: SimpleNamespace, trick: tuple[Card, ...], ruleset: Ruleset, trump: Suit | None) -> np.ndarray:
    """Return the kernel's table after `trick`, whose first card is seat 0's."""
    at, rules = places(ruleset.deck.rank_order), rules_of(ruleset, 10, 1, trump, 1)
    table = empty_table()
    for seat, card in enumerate(trick):
        kernel.table.put(table, seat, at.place(card), rules)
    return table


def same_as_tricks(
    kernel: SimpleNamespace, hand: tuple[Card, ...], trick: tuple[Card, ...], ruleset: Ruleset, trump: Suit | None
) -> bool:
    at, rules = places(ruleset.deck.rank_order), rules_of(ruleset, 10, 1, trump, 1)
    strength = ruleset.deck.strengths
    table = laid(kernel, trick, ruleset, trump)
    allowed = kernel.rules.legal(at.mask(hand), table, rules)
    taker = tricks.winner(trick, trump, strength) if trick else NONE
    right_about_takers = all(
        (tricks.winning_card((*trick, card), trump, strength) is card)
        == kernel.rules.beats(at.place(card), table, rules)
        for card in hand
        if trick
    )
    expected = at.mask(tricks.legal_plays(hand, trick, trump, strength, ruleset.play))
    return allowed == expected and table[5] == taker and right_about_takers


@pytest.mark.parametrize("duties", DUTIES, ids=str)
def test_legal_cards_and_takers_are_those_of_the_domain_on_every_position_of_a_tiny_pack(duties: PlayRules) -> None:
    ruleset = house(play=duties)
    for played, held in ((0, 2), (1, 1), (1, 2), (1, 3), (2, 1), (2, 2)):
        for trick in permutations(TINY, played):
            for hand in combinations([card for card in TINY if card not in trick], held):
                for trump in TRUMPS:
                    assert same_as_tricks(COMPILED, hand, trick, ruleset, trump), (hand, trick, trump)


@pytest.mark.parametrize("kernel", BOTH.values(), ids=BOTH)
@given(st.data())
@settings(max_examples=200, deadline=None)
def test_so_they_are_on_whole_packs_under_any_rank_order(kernel: SimpleNamespace, data: st.DataObject) -> None:
    deck = data.draw(decks())
    ruleset = house(deck=deck, play=data.draw(play_rules()))
    shuffled = data.draw(st.permutations(pack(deck.size)))
    played, held = data.draw(st.integers(0, 9)), data.draw(st.integers(1, 12))
    trick, hand = tuple(shuffled[:played]), tuple(shuffled[played : played + held])
    assert same_as_tricks(kernel, hand, trick, ruleset, data.draw(st.sampled_from((*Suit, None))))


@pytest.mark.parametrize("kernel", BOTH.values(), ids=BOTH)
@given(scorings(40), st.integers(1, 12), st.integers(0, 12), st.integers(0, 12), st.integers(1, 5))
@settings(deadline=None)
def test_points_are_those_of_the_score_sheet(
    kernel: SimpleNamespace, sheet: ScoringRules, size: int, bid: int, won: int, factor: int
) -> None:
    bid, won = min(bid, size), min(won, size)
    rules = rules_of(house(scoring=sheet), 4, size, None, factor)
    assert kernel.rules.points(bid, won, rules) == scoring.points(bid, won, size, factor, sheet)


@given(rulesets(), st.integers(0, 2**32))
@settings(max_examples=40, deadline=None)
def test_whole_games_go_in_the_kernel_as_decide_says(ruleset: Ruleset, seed: int) -> None:
    players = ruleset.players.allowed[0]
    at = places(ruleset.deck.rank_order)
    table = empty_table()
    won = np.zeros(players, np.int64)
    for step in game(ruleset, players, seed, anything_legal):
        for event in step.events:
            if isinstance(event, TrickTaken):
                won[event.seat] += 1
            if isinstance(event, HandScored):
                deal = step.before.deal if isinstance(step.before, Playing) else None
                if deal is not None:
                    rules = rules_of(ruleset, players, deal.plan.cards, deal.trump, deal.multiplier)
                    scored = [
                        COMPILED.rules.points(bid, int(took), rules) for bid, took in zip(event.bids, won, strict=True)
                    ]
                    assert tuple(scored) == event.points
                won[:] = 0
        if isinstance(step.after, Playing):
            state = step.after
            rules = rules_of(ruleset, players, state.deal.plan.cards, state.deal.trump, state.deal.multiplier)
            table = empty_table()
            table[0] = state.trick.leader
            for place, card in enumerate(state.trick.cards):
                COMPILED.table.put(table, (state.trick.leader + place) % players, at.place(card), rules)
            hand = at.mask(state.hands[state.turn])
            allowed = COMPILED.rules.legal(hand, table, rules)
            assert at.cards(allowed) == tuple(sorted(legal.legal_cards(state), key=at.place))
            assert state.turn == (table[0] + table[1]) % players
