"""Auction of subastado hands, by both protocols (rulebook R-AUC-1 to R-AUC-7)."""

from collections.abc import Sequence

import msgspec

from domain.pocha.rules.ruleset import AuctionProtocol, AuctionRules

Call = int | None
"""A call of the auction: a number of tricks, or None for a pass."""


class LegalCalls(msgspec.Struct, frozen=True):
    """Legal calls of the seat on turn."""

    bids: tuple[int, ...]
    may_pass: bool


def legal_calls(calls: Sequence[Call], cards: int, players: int, rules: AuctionRules) -> LegalCalls:
    """Return the legal calls after `calls`, in order from the mano, in a hand of `cards` tricks.

    Double bid: any number, no passes (R-AUC-1). Ascending: more than all bids before, or a pass; the mano must bid (R-AUC-5), and where
    it need not, the last to speak must if all others passed.
    """
    if rules.protocol is AuctionProtocol.DOUBLE_BID:
        return LegalCalls(_open_bids(calls, cards, players, rules), may_pass=False)
    highest = max((call for call in calls if call is not None), default=-1)
    must_bid = highest < 0 and (len(calls) == players - 1 or (not calls and rules.mano_must_bid))
    return LegalCalls(tuple(range(highest + 1, cards + 1)), may_pass=not must_bid)


def best_call(calls: Sequence[Call]) -> tuple[int, int]:
    """Return the place, in the order of speaking, of the seat that names trump, and its bid: the highest, then the earliest (R-AUC-2)."""
    bids = [(bid, -place) for place, bid in enumerate(calls) if bid is not None]
    bid, place = max(bids)
    return -place, bid


def _open_bids(calls: Sequence[Call], cards: int, players: int, rules: AuctionRules) -> tuple[int, ...]:
    """The first round is no prediction that scores, so the hook does not bind it unless the rules say so (R-AUC-4)."""
    is_last = len(calls) == players - 1
    forbidden = cards - sum(call or 0 for call in calls) if rules.hook_in_first_round and is_last else None
    return tuple(bid for bid in range(cards + 1) if bid != forbidden)
