"""Legal moves, for `decide`, the views and the robots alike."""

from typing import assert_never

from domain import tricks
from domain.cards import Card
from domain.pocha.model.commands import MakeAuctionBid, MakeBid, Move, PassAuction, PickBlind, PlayCard
from domain.pocha.model.state import Auctioning, Bidding, ChoosingTrump, HandState, PickingBlind, Playing
from domain.pocha.rules import auction, bidding
from domain.pocha.rules.auction import LegalCalls
from domain.pocha.rules.ruleset import WinnerSecondBid


def legal_positions(state: PickingBlind) -> tuple[int, ...]:
    """Return the positions of the dealer's face-down cards, from 0."""
    return tuple(range(state.deal.plan.cards))


def legal_calls(state: Auctioning) -> LegalCalls:
    """Return what the seat on turn may say in the auction."""
    rules = state.progress.ruleset
    return auction.legal_calls(state.calls, state.deal.plan, state.progress.players, rules.auction, rules.bidding.hook)


def forbidden_bid(state: Bidding) -> int | None:
    """Return the bid that the hook forbids the seat on turn, if there is one (rulebook R-BID-2, R-AUC-4, R-AUC-6)."""
    forbidden = _hooked(state)
    return None if forbidden in legal_bids(state) else forbidden


def legal_bids(state: Bidding) -> tuple[int, ...]:
    """Return the bids that the seat on turn may make, ascending; never none."""
    return bidding.legal_bids(state.deal.plan, _hooked(state), _floor(state))


def _hooked(state: Bidding) -> int | None:
    held, rules, bids = state.deal.auction, state.progress.ruleset, state.bids
    if held is not None:
        if not rules.auction.hook_on_last_predictor:
            return None
        bids = (*bids, held.bid) if held.locked else bids
    return bidding.forbidden_bid(state.deal.plan, bids, state.progress.players, rules.bidding.hook)


def _floor(state: Bidding) -> int:
    """The auction's winner may be bound to bid at least what won it (rulebook R-AUC-3)."""
    held = state.deal.auction
    if held is None or state.turn != held.winner:
        return 0
    return held.bid if state.progress.ruleset.auction.winner_second_bid is WinnerSecondBid.AT_LEAST else 0


def legal_cards(state: Playing) -> tuple[Card, ...]:
    """Return the cards that the seat on turn may play, in the order of its hand; never none."""
    rules = state.progress.ruleset
    return tricks.legal_plays(
        state.hands[state.turn],
        state.trick.cards,
        state.deal.trump,
        rules.deck.strengths,
        rules.play,
    )


def forced_move(state: HandState) -> Move | None:
    """Return the move of the seat on turn where it has no choice; none where more than one action is legal."""
    moves = _moves(state)
    return moves[0] if len(moves) == 1 else None


def _moves(state: HandState) -> tuple[Move, ...]:
    """Return the legal moves of the seat on turn, without the suits of trump: there is always a choice of four."""
    seat = state.turn
    match state:
        case PickingBlind():
            return tuple(PickBlind(seat, position) for position in legal_positions(state))
        case Auctioning():
            calls = legal_calls(state)
            bids = tuple(MakeAuctionBid(seat, bid) for bid in calls.bids)
            return (*bids, PassAuction(seat)) if calls.may_pass else bids
        case ChoosingTrump():
            return ()
        case Bidding():
            return tuple(MakeBid(seat, bid) for bid in legal_bids(state))
        case Playing():
            return tuple(PlayCard(seat, card) for card in legal_cards(state))
        case _:
            assert_never(state)
