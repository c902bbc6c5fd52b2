"""What the search needs, drawn from an observation."""

import numpy as np

from domain.cards import Suit
from domain.pocha.rules import ruleset as rules
from domain.pocha.rules import scoring
from domain.pocha.rules.ruleset import Ruleset
from domain.pocha.rules.schedule import HandKind, HandPlan
from domain.robots.kernel.encoding import NONE, places, rules_of
from domain.robots.kernel.luck import Ints
from domain.robots.kernel.search import Aim, Hooked
from domain.robots.kernel.table import put
from domain.robots.kernel.worlds import Known
from domain.robots.knowledge import know
from domain.robots.observation import Observation

_SPREAD = 14.0
"""By how many points a hand moves the difference of two players, where nothing is multiplied (a standard deviation)."""
_ENDGAME = 3
"""With so many hands to come or fewer, the aim is to win the game."""


def known_to(seen: Observation, ruleset: Ruleset) -> Known:
    """Return what the seat knows of the hidden cards, and what has been bid and played."""
    at = places(ruleset.deck.rank_order)
    known = know(seen, ruleset)
    shown = np.zeros(seen.players, np.int64)
    history: list[int] = []
    for trick in (*seen.tricks, seen.trick):
        for place, card in enumerate(trick.cards):
            seat = (trick.leader + place) % seen.players
            shown[seat] |= 1 << at.place(card)
            history += [seat, at.place(card)]
    out = 0 if seen.turn_up is None or seen.dealers_turn_up else 1 << at.place(seen.turn_up)
    return Known(
        seat=seen.seat,
        deck=at.mask(rules.deck(ruleset, seen.players)),
        out=out,
        mine=at.mask(seen.hand),
        counts=np.array(known.counts, np.int64),
        possible=np.array([at.mask(cards) for cards in known.possible], np.int64),
        sure=np.array([at.mask(cards) for cards in known.sure], np.int64),
        shown=shown,
        bids=np.array([NONE if bid is None else bid for bid in seen.bids], np.int64),
        won=np.array(seen.won, np.int64),
        history=np.array(history, np.int64),
        table=_table(seen, ruleset, out | sum(int(cards) for cards in shown)),
    )


def _table(seen: Observation, ruleset: Ruleset, public: int) -> Ints:
    """Return the trick under way as the kernel keeps it; `public` are the cards that all have seen, those of the trick among them."""
    at, hand = places(ruleset.deck.rank_order), rules_of(ruleset, seen.players, seen.cards, seen.trump, seen.multiplier)
    table = np.array([seen.trick.leader, 0, NONE, NONE, NONE, NONE, public], np.int64)
    for place, card in enumerate(seen.trick.cards):
        put(table, (seen.trick.leader + place) % seen.players, at.place(card), hand)
    return table


def hooked_in(seen: Observation) -> Hooked:
    """Return who bids after the seat, and whether the hook binds the last of them."""
    return Hooked(np.array(seen.to_bid, np.int64), seen.cards if seen.hooked else NONE)


def aim_of(seen: Observation, ruleset: Ruleset) -> Aim:
    """Return what to play for: points, and near the end of the game its win."""
    totals = np.array(seen.totals, np.int64)
    if len(seen.following) > _ENDGAME:
        return Aim(totals, -1.0)
    return Aim(totals, _SPREAD * sum(_factor(plan, ruleset) ** 2 for plan in seen.following) ** 0.5)


def _factor(plan: HandPlan, ruleset: Ruleset) -> float:
    """Return the multiplier to expect of a hand to come."""
    factors = [scoring.multiplier(suit, None, ruleset.scoring) for suit in Suit]
    match plan.kind:
        case HandKind.OROS:
            return scoring.multiplier(Suit.OROS, None, ruleset.scoring)
        case HandKind.CIEGA:
            return 1.0
        case _:
            return sum(factors) / len(factors)
