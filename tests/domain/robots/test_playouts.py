"""Playouts and the deals that they start from."""

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.cards import Suit
from domain.pocha.rules.ruleset import DeckRules
from domain.robots.kernel.encoding import NONE, Rules, places
from tests.domain.robots.kernels import BOTH, COMPILED, PLAIN, hand_rules, ten_a_suit
from tests.domain.strategies import play_rules
from tests.domain.tables import house

AT = places(DeckRules().rank_order)
DECK = AT.mask(ten_a_suit())


def dealt(players: int, cards: int, seed: int) -> np.ndarray:
    order = np.random.default_rng(seed).permutation([AT.place(card) for card in ten_a_suit()])
    return np.array(
        [sum(1 << int(place) for place in order[seat * cards :][:cards]) for seat in range(players)], np.int64
    )


def play(kernel: SimpleNamespace, rules: Rules, seed: int, slips: int) -> tuple[list[int], list[int]]:
    """Return who holds what and how many tricks everybody took after a playout in which all bid one trick."""
    hands, won = dealt(rules.players, rules.cards, seed), np.zeros(rules.players, np.int64)
    table = np.array([seed % rules.players, 0, NONE, NONE, NONE, NONE, 0], np.int64)
    bids = np.ones(rules.players, np.int64)
    kernel.playout.play_out(hands, bids, won, table, DECK, rules, kernel.luck.seeded(seed), slips)
    return hands.tolist(), won.tolist()


@given(
    play_rules(),
    st.integers(2, 10),
    st.sampled_from((None, *Suit)),
    st.integers(0, 2**32),
    st.sampled_from((0, 10, 100)),
)
@settings(max_examples=60, deadline=None)
def test_a_playout_ends_with_all_cards_played_and_goes_the_same_compiled_or_not(
    duties: object, players: int, trump: Suit | None, seed: int, slips: int
) -> None:
    rules = hand_rules(house(play=duties), players, 40 // players, trump)  # pyright: ignore[reportArgumentType]
    hands, won = play(COMPILED, rules, seed, slips)
    assert hands == [0] * players
    assert sum(won) == rules.cards
    assert (hands, won) == play(PLAIN, rules, seed, slips)


@pytest.mark.parametrize("kernel", BOTH.values(), ids=BOTH)
def test_luck_is_even(kernel: SimpleNamespace) -> None:
    state = kernel.luck.seeded(7)
    drawn = [kernel.luck.below(state, 6) for _ in range(3000)]
    assert min(drawn.count(face) for face in range(6)) > 400


def test_neighbouring_seeds_give_other_luck() -> None:
    first = {
        tuple(COMPILED.luck.below(state, 1000) for _ in range(3)) for state in map(COMPILED.luck.seeded, range(100))
    }
    assert len(first) > 95
