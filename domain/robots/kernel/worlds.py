"""What the hidden cards may be: deals that agree with all that a seat knows, the likelier ones oftener.

A deal is impossible where it breaks what is certain (who is void, who could not beat), and the likelier the better it explains the bids
and the cards that were played, taking the others for players of `policy`.
"""

from typing import NamedTuple

import numpy as np

from domain.robots.kernel import policy
from domain.robots.kernel.encoding import NONE, Rules
from domain.robots.kernel.jit import compiled
from domain.robots.kernel.luck import Ints, below, one_of
from domain.robots.kernel.masks import count
from domain.robots.kernel.rules import legal
from domain.robots.kernel.table import PLACED, SEEN, SIZE, TAKER, clear, put


class Known(NamedTuple):
    """What a seat knows of a hand. Lists are by seat; `bids` are `NONE` where none is made yet.

    `deck` are the cards of the pack, `out` those out of play for all to see (the turn-up). `mine` is the own hand, `counts` how many each
    other seat holds (none for the own), `possible` the cards that it may hold and `sure` those that it must; `shown` the cards that each
    seat has played. `history` are the plays in order, a seat and a card each, and `table` is the trick under way.
    """

    seat: int
    deck: int
    out: int
    mine: int
    counts: Ints
    possible: Ints
    sure: Ints
    shown: Ints
    bids: Ints
    won: Ints
    history: Ints
    table: Ints


_TRIES = 20
_SWAPS = 12
_BIDS_TELL = 0.7
"""By how much the logarithm falls with the square of the difference between a bid and what its hand seems worth …"""
_FAR_OFF = 3.0
"""… and beyond this difference only in proportion to it: bids have other reasons too."""
_SLIP = 0.4
"""How often a player does not play as `policy` would, when its cards are judged."""


@compiled
def deal(hands: Ints, known: Known, rules: Rules, luck: Ints) -> None:
    """Fill `hands` with a random deal of the cards that are not seen, within what is possible if a deal of the kind is found."""
    seen = known.table[SEEN] | known.out | known.mine
    for tries_left in range(_TRIES, -1, -1):
        left = known.deck & ~seen
        for seat in range(rules.players):
            hands[seat] = known.sure[seat]
            left &= ~known.sure[seat]
        hands[known.seat] = known.mine
        if _fill(hands, left, known, rules, luck, tries_left):
            return


@compiled
def _fill(hands: Ints, left: int, known: Known, rules: Rules, luck: Ints, tries_left: int) -> bool:
    """Deal `left` to the seats, the one with the least choice first, then shuffle by swaps; return whether all got their cards.

    With no tries left, what is possible is no longer minded: what seemed certain was not.
    """
    done = 1 << known.seat
    for _ in range(rules.players - 1):
        tightest, slack = NONE, 99
        for seat in range(rules.players):
            if not done >> seat & 1:
                room = count(left & known.possible[seat]) - (known.counts[seat] - count(hands[seat]))
                if room < slack:
                    tightest, slack = seat, room
        done |= 1 << tightest
        source = left & known.possible[tightest] if tries_left else left
        held = count(source)
        for _ in range(known.counts[tightest] - count(hands[tightest])):
            if held == 0:
                return False
            card = 1 << one_of(luck, source)
            source &= ~card
            left &= ~card
            hands[tightest] |= card
            held -= 1
    if tries_left:
        _swap(hands, left, known, rules, luck)
    return True


@compiled
def _swap(hands: Ints, stock: int, known: Known, rules: Rules, luck: Ints) -> None:
    """Swap random cards between seats, and with the stock, where both may lie there: it evens out the order of dealing."""
    for _ in range(_SWAPS):
        one, two = below(luck, rules.players), below(luck, rules.players + 1)
        mine = hands[one] & ~known.sure[one]
        theirs = stock if two == rules.players else hands[two] & ~known.sure[two]
        if one in (two, known.seat) or two == known.seat or not mine or not theirs:
            continue
        given, taken = 1 << one_of(luck, mine), 1 << one_of(luck, theirs)
        fits = taken & known.possible[one] and (two == rules.players or given & known.possible[two])
        if not fits:
            continue
        hands[one] = hands[one] & ~given | taken
        if two == rules.players:
            stock = stock & ~taken | given
        else:
            hands[two] = hands[two] & ~taken | given


@compiled
def likelihood(hands: Ints, known: Known, rules: Rules, table: Ints, held: Ints, won: Ints) -> float:
    """Return the logarithm of how likely the others would have bid and played as they did with `hands`; the last three are scratch."""
    total = 0.0
    for seat in range(rules.players):
        held[seat] = hands[seat] | known.shown[seat]
        won[seat] = 0
        if seat != known.seat and known.bids[seat] != NONE:
            unseen = known.deck & ~known.out & ~held[seat]
            off = abs(known.bids[seat] - policy.expected(held[seat], unseen, rules))
            total -= _BIDS_TELL * off * min(off, _FAR_OFF)
    table[:] = NONE
    table[PLACED], table[SEEN] = 0, known.out
    for step in range(len(known.history) // 2):
        seat, card = int(known.history[2 * step]), int(known.history[2 * step + 1])
        hand = held[seat]
        allowed = legal(hand, table, rules)
        choices = count(allowed)
        if seat != known.seat and choices > 1:
            unseen = known.deck & ~table[SEEN] & ~hand
            best = policy.choose(hand, allowed, known.bids[seat] - won[seat], unseen, table, rules)
            total += np.log(_SLIP / choices + (1.0 - _SLIP if best == card else 0.0))
        held[seat] = hand & ~(1 << card)
        put(table, seat, card, rules)
        if table[PLACED] == rules.players:
            won[table[TAKER]] += 1
            clear(table)
    return total


@compiled
def sample(worlds: Ints, candidates: int, known: Known, rules: Rules, luck: Ints) -> None:
    """Fill `worlds`, a deal a row, with deals drawn from `candidates` random ones by their likelihood.

    Where there are no more candidates than worlds, nothing is inferred.
    """
    wanted, players = worlds.shape
    if candidates <= wanted:
        for row in range(wanted):
            deal(worlds[row], known, rules, luck)
        return
    drawn = np.zeros((candidates, players), np.int64)
    weight = np.zeros(candidates)
    table, held, won = np.zeros(SIZE, np.int64), np.zeros(players, np.int64), np.zeros(players, np.int64)
    for number in range(candidates):
        deal(drawn[number], known, rules, luck)
        weight[number] = likelihood(drawn[number], known, rules, table, held, won)
    weight = np.exp(weight - weight.max())
    step = weight.sum() / wanted
    mark, reached, number = step * below(luck, 1000) / 1000.0, 0.0, 0
    for row in range(wanted):
        while number < candidates - 1 and reached + weight[number] <= mark:
            reached += weight[number]
            number += 1
        worlds[row] = drawn[number]
        mark += step
