"""Playing a hand on to its end."""

from domain.robots.kernel import policy
from domain.robots.kernel.encoding import Rules
from domain.robots.kernel.jit import compiled
from domain.robots.kernel.luck import Ints, below, one_of
from domain.robots.kernel.rules import legal
from domain.robots.kernel.table import LEADER, PLACED, SEEN, TAKER, clear, put


@compiled
def play_out(hands: Ints, bids: Ints, won: Ints, table: Ints, deck: int, rules: Rules, luck: Ints, slips: int) -> None:
    """Play to the end of the hand, changing `hands`, `won` and `table`.

    Seats play by `policy`, but in `slips` of 100 moves any legal card.
    """
    seat = (table[LEADER] + table[PLACED]) % rules.players
    while hands[seat]:
        hand = hands[seat]
        allowed = legal(hand, table, rules)
        if slips and below(luck, 100) < slips:
            card = one_of(luck, allowed)
        else:
            unseen = deck & ~table[SEEN] & ~hand
            card = policy.choose(hand, allowed, bids[seat] - won[seat], unseen, table, rules)
        hands[seat] = hand & ~(1 << card)
        put(table, seat, card, rules)
        seat = seat + 1 if seat + 1 < rules.players else 0
        if table[PLACED] == rules.players:
            seat = table[TAKER]
            won[seat] += 1
            clear(table)
