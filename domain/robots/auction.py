"""Subastado hands: what to call in the auction, and which trump to name."""

from collections.abc import Callable, Sequence

from domain.cards import Suit
from domain.pocha.model.commands import MakeAuctionBid, Move, PassAuction
from domain.pocha.rules.ruleset import AuctionProtocol, Ruleset, WinnerSecondBid
from domain.robots.observation import Observation

Judge = Callable[[Suit, Sequence[int]], Sequence[float]]
"""Returns what each of these bids would earn on average under a trump."""


def call(seen: Observation, ruleset: Ruleset, judge: Judge) -> Move:
    """Return what to say in the auction."""
    if ruleset.auction.protocol is AuctionProtocol.DOUBLE_BID and (
        ruleset.auction.winner_second_bid is WinnerSecondBid.FREE
    ):
        return MakeAuctionBid(seen.seat, _enough_to_win(seen))
    return _binding_call(seen, judge)


def _enough_to_win(seen: Observation) -> int:
    """Return a call that names trump for sure where there is one: it binds to nothing, so nobody may be left to say more."""
    legal, said = seen.choices.bids, [call for call in seen.calls if call is not None]
    last = len(seen.calls) == seen.players - 1
    above = [bid for bid in legal if bid > max(said, default=-1)]
    if not above:
        return legal[0]
    return above[0] if last else above[-1]


def _binding_call(seen: Observation, judge: Judge) -> Move:
    """Call what earns the most under the best suit, if that is more than may be expected where another one names trump."""
    every = range(seen.cards + 1)
    worth = {suit: judge(suit, every) for suit in Suit}
    legal = seen.choices.bids
    above = [bid for bid in legal if bid > max((call for call in seen.calls if call is not None), default=-1)]
    best = max(Suit, key=lambda suit: max(worth[suit]))
    if not above:
        return PassAuction(seen.seat) if seen.choices.may_pass else MakeAuctionBid(seen.seat, legal[0])
    bid = max(above, key=lambda bid: worth[best][bid])
    elsewhere = sum(max(worth[suit]) for suit in Suit if suit is not best) / (len(Suit) - 1)
    if worth[best][bid] >= elsewhere:
        return MakeAuctionBid(seen.seat, bid)
    return PassAuction(seen.seat) if seen.choices.may_pass else MakeAuctionBid(seen.seat, min(legal))


def best_suit(seen: Observation, judge: Judge) -> Suit:
    """Return the trump under which the hand earns the most, with the bid of the auction where that stands."""
    held = seen.auction
    bids = (held.bid,) if held is not None and held.locked else range(seen.cards + 1)
    return max(Suit, key=lambda suit: max(judge(suit, bids)))
