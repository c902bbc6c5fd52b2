"""Legal plays and takers of tricks, against a second engine: exhaustively on a tiny pack, at random on the whole one."""

from itertools import combinations, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain import tricks
from domain.cards import Card, Suit, pack
from domain.pocha.rules.presets import CLASICA, FOURNIER, PRESETS
from domain.pocha.rules.ruleset import Ruleset
from tests.domain import naive
from tests.domain.strategies import play_rules
from tests.domain.tables import cards

TINY = cards("oros-1 oros-3 oros-12 copas-1 copas-3 copas-12 bastos-1 bastos-3 bastos-12")
TRUMPS = (Suit.OROS, Suit.ESPADAS, None)
ENGINES = {"clasica": (CLASICA, naive.allowed_in_000), "fournier": (FOURNIER, naive.allowed_in_002)}
CLASSIC = [rules for rules in PRESETS.values() if rules.id != "fournier"]


def legal(hand: tuple[Card, ...], trick: tuple[Card, ...], trump: Suit | None, rules: Ruleset) -> tuple[Card, ...]:
    return tricks.legal_plays(hand, trick, trump, tricks.strengths(rules.deck.rank_order), rules.play)


def positions() -> list[tuple[tuple[Card, ...], tuple[Card, ...]]]:
    """Return every trick of none to three cards of the tiny pack, with every hand of one to three of the others."""
    return [
        (trick, hand)
        for played in range(4)
        for trick in permutations(TINY, played)
        for held in range(1, 4)
        for hand in combinations([card for card in TINY if card not in trick], held)
    ]


POSITIONS = positions()


def test_the_tiny_pack_has_as_many_positions_as_combinatorics_says() -> None:
    assert len(POSITIONS) == 129 + 9 * 92 + 72 * 63 + 504 * 41


@pytest.mark.parametrize("name", ENGINES)
@pytest.mark.parametrize("trump", TRUMPS)
def test_legal_plays_agree_with_the_sentences_in_every_position_of_a_tiny_pack(name: str, trump: Suit | None) -> None:
    rules, allowed = ENGINES[name]
    for trick, hand in POSITIONS:
        expected = tuple(card for card in hand if allowed(card, hand, trick, trump))
        assert legal(hand, trick, trump, rules) == expected, (trick, hand)


@pytest.mark.parametrize("trump", TRUMPS)
def test_takers_agree_in_every_trick_of_a_tiny_pack(trump: Suit | None) -> None:
    for order in (naive.TUTE, naive.FRENCH):
        for trick in permutations(TINY, 4):
            assert tricks.winner(trick, trump, tricks.strengths(order)) == naive.taker(trick, trump, order)


def deals() -> st.SearchStrategy[tuple[Card, ...]]:
    return st.permutations(pack(40)).map(tuple)


@given(deals(), st.integers(0, 8), st.integers(1, 12), st.sampled_from((*Suit, None)))
@settings(max_examples=400, deadline=None)
def test_legal_plays_agree_with_the_sentences_on_the_whole_pack(
    deck: tuple[Card, ...], played: int, held: int, trump: Suit | None
) -> None:
    trick, hand = deck[:played], deck[played : played + held]
    sentences = tuple(card for card in hand if naive.allowed_in_000(card, hand, trick, trump))
    for rules in CLASSIC:
        assert legal(hand, trick, trump, rules) == sentences
    german = tuple(card for card in hand if naive.allowed_in_002(card, hand, trick, trump))
    assert legal(hand, trick, trump, FOURNIER) == german
    if trick:
        assert tricks.winner(trick, trump, tricks.strengths(naive.TUTE)) == naive.taker(trick, trump, naive.TUTE)


@given(deals(), st.integers(1, 8), st.integers(1, 12), st.sampled_from((*Suit, None)), play_rules())
@settings(max_examples=300, deadline=None)
def test_under_any_duties_something_is_legal_and_suit_is_followed(
    deck: tuple[Card, ...], played: int, held: int, trump: Suit | None, rules: tricks.PlayRules
) -> None:
    trick, hand = deck[:played], deck[played : played + held]
    found = tricks.legal_plays(hand, trick, trump, tricks.strengths(naive.TUTE), rules)
    assert found
    assert set(found) <= set(hand)
    if any(card.suit is trick[0].suit for card in hand):
        assert {card.suit for card in found} == {trick[0].suit}


@given(deals(), st.integers(1, 8), st.integers(1, 12), st.sampled_from((*Suit, None)), play_rules())
@settings(max_examples=300, deadline=None)
def test_every_illegal_card_breaks_a_duty_that_the_rules_have(
    deck: tuple[Card, ...], played: int, held: int, trump: Suit | None, rules: tricks.PlayRules
) -> None:
    trick, hand = deck[:played], deck[played : played + held]
    found = tricks.legal_plays(hand, trick, trump, tricks.strengths(naive.TUTE), rules)
    led, suits = trick[0].suit, {card.suit for card in hand}
    for card in set(hand) - set(found):
        match tricks.broken_duty(card, hand, trick, trump):
            case tricks.Duty.FOLLOW:
                assert led in suits
                assert card.suit is not led
            case tricks.Duty.BEAT:
                assert rules.must_beat is tricks.MustBeat.LED_SUIT
                assert card.suit is led
            case tricks.Duty.TRUMP:
                assert rules.must_trump
                assert led not in suits
                assert card.suit is not trump
            case tricks.Duty.OVERTRUMP:
                assert rules.must_overtrump
                assert led not in suits
                assert card.suit is trump


def test_cards_of_other_suits_do_not_raise_the_bar() -> None:
    """R-PLAY-2: an ace thrown off is no card to beat."""
    hand, trick = cards("copas-11 copas-4"), cards("copas-10 bastos-1")
    assert legal(hand, trick, Suit.ESPADAS, CLASICA) == cards("copas-11")


def test_the_order_of_the_hand_is_kept() -> None:
    hand = cards("copas-4 copas-12 copas-5")
    assert legal(hand, cards("copas-1"), None, CLASICA) == hand
