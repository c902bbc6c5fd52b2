"""The auction of a subastado hand: bids and passes, and the trump that the winner names."""

from msgspec.structs import replace

from domain.pocha.behaviour import legal
from domain.pocha.behaviour.decision import Decision
from domain.pocha.behaviour.phases import impossible, require_turn, wrong_phase
from domain.pocha.behaviour.seating import moved
from domain.pocha.model.commands import ChooseTrump, MakeAuctionBid, PassAuction
from domain.pocha.model.events import AuctionBidMade, AuctionPassed, AuctionWon, TrumpChosen
from domain.pocha.model.refusals import Facts, Reason, Refused
from domain.pocha.model.state import Auction, Auctioning, Bidding, ChoosingTrump, State
from domain.pocha.rules import auction, scoring
from domain.pocha.rules.auction import Call, LegalCalls
from domain.pocha.rules.ruleset import WinnerSecondBid
from domain.seats import next_seat, seat_at


def make_auction_bid(state: State, command: MakeAuctionBid) -> Decision:
    """Bid for the right to name trump."""
    if not isinstance(state, Auctioning):
        raise wrong_phase(state)
    require_turn(state, command.seat)
    allowed = legal.legal_calls(state)
    if command.bid not in allowed.bids:
        facts = Facts(legal_bids=allowed.bids, may_pass=allowed.may_pass, forbidden_bid=allowed.forbidden)
        raise Refused(_why_not(state, allowed, command.bid), facts)
    event = AuctionBidMade(command.seat, command.bid)
    return _concluded(auction_bid_made(state, event), event)


def pass_auction(state: State, command: PassAuction) -> Decision:
    """Leave the naming of trump to others."""
    if not isinstance(state, Auctioning):
        raise wrong_phase(state)
    require_turn(state, command.seat)
    allowed = legal.legal_calls(state)
    if not allowed.may_pass:
        raise Refused(Reason.MUST_BID, Facts(legal_bids=allowed.bids, may_pass=False))
    event = AuctionPassed(command.seat)
    return _concluded(auction_passed(state, event), event)


def choose_trump(state: State, command: ChooseTrump) -> Decision:
    """Name trump."""
    if not isinstance(state, ChoosingTrump):
        raise wrong_phase(state)
    require_turn(state, command.seat)
    multiplier = scoring.multiplier(command.suit, None, state.progress.ruleset.scoring)
    event = TrumpChosen(command.seat, command.suit, multiplier)
    return Decision((event,), trump_chosen(state, event))


def _why_not(state: Auctioning, allowed: LegalCalls, bid: int) -> Reason:
    if not 0 <= bid <= state.deal.plan.cards:
        return Reason.OUT_OF_RANGE
    return Reason.HOOK if bid == allowed.forbidden else Reason.NOT_HIGHER


def _concluded(state: Auctioning, called: AuctionBidMade | AuctionPassed) -> Decision:
    """Close the auction when all have spoken."""
    if len(state.calls) < state.progress.players:
        return Decision((called,), state)
    position, bid = auction.best_call(state.calls)
    won = AuctionWon(
        seat=seat_at(state.deal.mano, position, state.progress.players),
        bid=bid,
        locked=state.progress.ruleset.auction.winner_second_bid is WinnerSecondBid.LOCKED,
    )
    return Decision((called, won), auction_won(state, won))


def auction_bid_made(state: State, event: AuctionBidMade) -> Auctioning:
    """Return the auction after a bid."""
    if not isinstance(state, Auctioning):
        raise impossible(state, event)
    return _called(state, event.seat, event.bid)


def auction_passed(state: State, event: AuctionPassed) -> Auctioning:
    """Return the auction after a pass."""
    if not isinstance(state, Auctioning):
        raise impossible(state, event)
    return _called(state, event.seat, None)


def _called(state: Auctioning, seat: int, call: Call) -> Auctioning:
    turn = next_seat(state.turn, state.progress.players)
    return Auctioning(moved(state.progress, seat), state.deal, turn, (*state.calls, call))


def auction_won(state: State, event: AuctionWon) -> ChoosingTrump:
    """Return the hand whose trump the winner is to name."""
    if not isinstance(state, Auctioning):
        raise impossible(state, event)
    settled = Auction(calls=state.calls, winner=event.seat, bid=event.bid, locked=event.locked)
    return ChoosingTrump(state.progress, state.deal, event.seat, settled)


def trump_chosen(state: State, event: TrumpChosen) -> Bidding:
    """Return the hand with its trump, before its bids."""
    if not isinstance(state, ChoosingTrump):
        raise impossible(state, event)
    deal = replace(state.deal, trump=event.suit, multiplier=event.multiplier, auction=state.auction)
    return Bidding(moved(state.progress, event.seat), deal, deal.bidders[0])
