"""Choosing by playouts: each choice is tried in the same likely worlds, and played on from there."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from domain.robots.kernel import policy
from domain.robots.kernel.encoding import NONE, Rules
from domain.robots.kernel.jit import compiled
from domain.robots.kernel.luck import Ints
from domain.robots.kernel.masks import lowest
from domain.robots.kernel.playout import play_out
from domain.robots.kernel.rules import points
from domain.robots.kernel.table import PLACED, SIZE, TAKER, clear, put
from domain.robots.kernel.worlds import Known, sample


class Effort(NamedTuple):
    """How much is tried: `worlds` drawn from so many `candidates`, and in how many of 100 moves of a playout any legal card is played."""

    worlds: int
    candidates: int
    slips: int


class Aim(NamedTuple):
    """What an outcome is worth. With a `spread` below 0, the own points.

    Otherwise the chance to win the game from these `totals`, where what is still to be played moves the difference of two players by
    about `spread` points.
    """

    totals: Ints
    spread: float


class Hooked(NamedTuple):
    """Who is to bid after the own seat, in order, and what the last of all bids must not add up to (`NONE`: no hook)."""

    order: Ints
    forbidden_sum: int


@compiled
def worth(seat: int, bids: Ints, won: Ints, rules: Rules, aim: Aim) -> float:
    """Return what a hand that ended so is worth to `seat`."""
    mine = points(bids[seat], won[seat], rules)
    if aim.spread < 0:
        return float(mine)
    best = -1_000_000_000
    for other in range(rules.players):
        if other != seat:
            best = max(best, aim.totals[other] + points(bids[other], won[other], rules))
    lead = aim.totals[seat] + mine - best
    if aim.spread > 0:
        return 100.0 / (1.0 + np.exp(-1.7 * lead / aim.spread)) + 0.01 * mine
    return (100.0 if lead > 0 else 40.0 if lead == 0 else 0.0) + 0.01 * mine


@compiled
def try_cards(allowed: int, known: Known, rules: Rules, aim: Aim, effort: Effort, luck: Ints) -> NDArray[np.float64]:
    """Return what each card of `allowed` is worth on average, by place; cards that are not allowed are worth nothing."""
    worlds = np.zeros((effort.worlds, rules.players), np.int64)
    sample(worlds, effort.candidates, known, rules, luck)
    value = np.zeros(48)
    hands, won, table = np.zeros(rules.players, np.int64), np.zeros(rules.players, np.int64), np.zeros(SIZE, np.int64)
    for row in range(effort.worlds):
        start = luck[0]
        rest = allowed
        while rest:
            card = lowest(rest)
            rest &= rest - 1
            luck[0] = start
            hands[:] = worlds[row]
            won[:] = known.won
            table[:] = known.table
            hands[known.seat] &= ~(1 << card)
            put(table, known.seat, card, rules)
            if table[PLACED] == rules.players:
                won[table[TAKER]] += 1
                clear(table)
            play_out(hands, known.bids, won, table, known.deck, rules, luck, effort.slips)
            value[card] += worth(known.seat, known.bids, won, rules, aim) / effort.worlds
    return value


@compiled
def try_bids(
    allowed: int, known: Known, rules: Rules, hooked: Hooked, aim: Aim, effort: Effort, luck: Ints
) -> NDArray[np.float64]:
    """Return what each bid of the set `allowed` is worth on average, by bid."""
    worlds = np.zeros((effort.worlds, rules.players), np.int64)
    sample(worlds, effort.candidates, known, rules, luck)
    value = np.zeros(rules.cards + 1)
    hands, won, table = np.zeros(rules.players, np.int64), np.zeros(rules.players, np.int64), np.zeros(SIZE, np.int64)
    bids = np.zeros(rules.players, np.int64)
    for row in range(effort.worlds):
        start = luck[0]
        for bid in range(rules.cards + 1):
            if not allowed >> bid & 1:
                continue
            luck[0] = start
            hands[:] = worlds[row]
            won[:] = 0
            table[:] = known.table
            bids[:] = known.bids
            bids[known.seat] = bid
            bid_on(bids, hands, known, rules, hooked)
            play_out(hands, bids, won, table, known.deck, rules, luck, effort.slips)
            value[bid] += worth(known.seat, bids, won, rules, aim) / effort.worlds
    return value


@compiled
def bid_on(bids: Ints, hands: Ints, known: Known, rules: Rules, hooked: Hooked) -> None:
    """Let those who have not bid yet bid what they expect."""
    for place in range(len(hooked.order)):
        seat = int(hooked.order[place])
        hand = hands[seat]
        expected = policy.expected(hand, known.deck & ~known.out & ~hand, rules)
        bid = min(rules.cards, int(expected + 0.5))
        if hooked.forbidden_sum != NONE and place == len(hooked.order) - 1:
            others = 0
            for other in range(rules.players):
                if other != seat:
                    others += bids[other]
            if bid + others == hooked.forbidden_sum:
                bid = bid + 1 if (expected > bid or bid == 0) and bid < rules.cards else bid - 1
        bids[seat] = bid
