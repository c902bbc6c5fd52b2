"""Auction of subastado hands, by both protocols (rulebook R-AUC-1 to R-AUC-7)."""

from collections.abc import Sequence

import msgspec

from domain.pocha.rules import bidding
from domain.pocha.rules.bidding import Hook
from domain.pocha.rules.ruleset import AuctionProtocol, AuctionRules
from domain.pocha.rules.schedule import HandPlan

Call = int | None
"""A call of the auction: a number of tricks, or None for a pass."""


class LegalCalls(msgspec.Struct, frozen=True):
    """Legal calls of the seat on turn; `forbidden` is the bid that the hook forbids, if any."""

    bids: tuple[int, ...]
    may_pass: bool
    forbidden: int | None = None


def legal_calls(calls: Sequence[Call], plan: HandPlan, players: int, rules: AuctionRules, hook: Hook) -> LegalCalls:
    """Return the legal calls after `calls`, in order from the mano, in the hand `plan`.

    Double bid: any number, no passes (R-AUC-1); the first round is no prediction that scores, so the hook does not bind it unless the rules
    say so (R-AUC-4). Ascending: more than all bids before, or a pass; the mano must bid (R-AUC-5), and where
    it need not, the last to speak must if all others passed.
    """
    if rules.protocol is AuctionProtocol.DOUBLE_BID:
        bids = [call for call in calls if call is not None]
        forbidden = bidding.forbidden_bid(plan, bids, players, hook) if rules.hook_in_first_round else None
        return LegalCalls(bidding.legal_bids(plan, forbidden), may_pass=False, forbidden=forbidden)
    highest = max((call for call in calls if call is not None), default=-1)
    must_bid = highest < 0 and (len(calls) == players - 1 or (not calls and rules.mano_must_bid))
    return LegalCalls(tuple(range(highest + 1, plan.cards + 1)), may_pass=not must_bid)


def best_call(calls: Sequence[Call]) -> tuple[int, int]:
    """Return the place, in the order of speaking, of the seat that names trump, and its bid: the highest, then the earliest (R-AUC-2)."""
    bids = [(bid, -place) for place, bid in enumerate(calls) if bid is not None]
    bid, place = max(bids)
    return -place, bid
