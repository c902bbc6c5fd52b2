"""The bids of a hand."""

from domain.pocha.behaviour import legal
from domain.pocha.behaviour.decision import Decision
from domain.pocha.behaviour.phases import impossible, require_turn, wrong_phase
from domain.pocha.behaviour.playing import play_out
from domain.pocha.behaviour.seating import moved
from domain.pocha.model.commands import MakeBid
from domain.pocha.model.events import BidMade
from domain.pocha.model.refusals import Facts, Reason, Refused
from domain.pocha.model.state import Bidding, Deal, Playing, State, Trick
from domain.pocha.rules.schedule import HandKind


def make_bid(state: State, command: MakeBid) -> Decision:
    """Bid; an india hand plays itself after the last bid (rulebook R-IND-3)."""
    if not isinstance(state, Bidding):
        raise wrong_phase(state)
    event = legal_bid(state, command)
    after = bid_made(state, event)
    if isinstance(after, Playing) and after.deal.plan.kind is HandKind.INDIA:
        return play_out((event,), after)
    return Decision((event,), after)


def legal_bid(state: Bidding, command: MakeBid) -> BidMade:
    """Return the event of a bid.

    Raises:
        Refused: it may not be made, or not now.
    """
    require_turn(state, command.seat)
    allowed = legal.legal_bids(state)
    if command.bid not in allowed:
        facts = Facts(legal_bids=allowed, forbidden_bid=legal.forbidden_bid(state))
        raise Refused(_why_not(state, command.bid), facts)
    return BidMade(command.seat, command.bid)


def _why_not(state: Bidding, bid: int) -> Reason:
    if bid == legal.forbidden_bid(state):
        return Reason.HOOK
    return Reason.BELOW_AUCTION_BID if 0 <= bid < min(legal.legal_bids(state)) else Reason.OUT_OF_RANGE


def bid_made(state: State, event: BidMade) -> Bidding | Playing:
    """Return the hand after a bid: after the last one it is played."""
    if not isinstance(state, Bidding):
        raise impossible(state, event)
    bids = (*state.bids, event.bid)
    progress, deal = moved(state.progress, event.seat), state.deal
    bidders = deal.bidders
    if len(bids) < len(bidders):
        return Bidding(progress, deal, bidders[len(bids)], bids)
    return Playing(
        progress=progress,
        deal=deal,
        turn=deal.mano,
        hands=deal.hands,
        bids=_by_seat(deal, bids),
        tricks_won=(0,) * len(deal.hands),
        trick=Trick(deal.mano),
    )


def _by_seat(deal: Deal, bids: tuple[int, ...]) -> tuple[int, ...]:
    made = dict(zip(deal.bidders, bids, strict=True))
    if deal.auction is not None and deal.auction.locked:
        made[deal.auction.winner] = deal.auction.bid
    return tuple(made[seat] for seat in range(len(deal.hands)))
