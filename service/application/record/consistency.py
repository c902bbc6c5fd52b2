"""Moves that are told twice: what was bid, played, named and picked must agree with what other facts of the hand say of it.

This is asked before the hand is played again, since one false move makes right ones look illegal.
"""

from collections.abc import Sequence

from msgspec import UNSET

from domain.cards import Card
from domain.pocha.rules.auction import best_call
from domain.pocha.view.schema import SeatCall
from domain.seats import from_seat
from service.application.record.facts import RecordedAuction, RecordedHand, RecordedPick
from service.application.record.mismatch import InvalidRecord


def question(hand: RecordedHand, dealt: Sequence[Sequence[Card]], place: str) -> None:
    """Return when nothing in `hand`, found at `place`, contradicts itself or the cards as `dealt`, by seat.

    Raises:
        InvalidRecord: something does; where two places contradict each other, both are named.
    """
    if hand.blind_pick is not UNSET:
        _question_pick(hand, hand.blind_pick, dealt, place)
    if hand.auction is not UNSET:
        _question_order(hand, hand.auction, len(dealt), f"{place}/auction/calls")
        _question_auction(hand.auction, f"{place}/auction")
        _question_trump(hand, hand.auction, place)
    _question_bids(hand, place)
    _question_plays(hand, dealt, f"{place}/plays")
    _question_claims(hand, f"{place}/claims")


def _question_pick(hand: RecordedHand, pick: RecordedPick, dealt: Sequence[Sequence[Card]], place: str) -> None:
    position = hand.cards - 1 if pick.position is UNSET else pick.position
    if pick.seat >= len(dealt) or position >= len(dealt[pick.seat]):
        raise InvalidRecord(f"{place}/blind_pick", "there is no such card")
    card = dealt[pick.seat][position]
    if pick.card is not card:
        raise InvalidRecord(f"{place}/blind_pick", f"the card in that position is {card}, not {pick.card}")
    if hand.turn_up is not card:
        raise InvalidRecord(f"{place}/turn_up", f"is not {card}, which {place}/blind_pick says")


def _question_order(hand: RecordedHand, auction: RecordedAuction, players: int, place: str) -> None:
    """Everybody speaks once, from the mano."""
    for index, (call, seat) in enumerate(zip(auction.calls, from_seat(hand.dealer + 1, players), strict=False)):
        if call.seat != seat:
            raise InvalidRecord(f"{place}/{index}", f"it was the turn of seat {seat}, not of seat {call.seat}")


def _question_auction(auction: RecordedAuction, place: str) -> None:
    """The winner's call is the bid it won with, and there is none better."""
    own = next((index for index, call in enumerate(auction.calls) if call.seat == auction.winner), None)
    if own is None or auction.calls[own].bid != auction.bid:
        where = "no call" if own is None else f"{place}/calls/{own}"
        raise InvalidRecord(place, f"seat {auction.winner} cannot have won with {auction.bid}: {where} says so")
    best, _ = best_call([_bid(call) for call in auction.calls])
    if best != own:
        raise InvalidRecord(
            f"{place}/calls/{best}", f"would have won the auction, but {place}/winner is {auction.winner}"
        )


def _bid(call: SeatCall) -> int | None:
    return None if call.bid is UNSET else call.bid


def _question_trump(hand: RecordedHand, auction: RecordedAuction, place: str) -> None:
    if hand.trump != auction.trump:
        raise InvalidRecord(f"{place}/auction/trump", f"{auction.trump} was named, but {place}/trump says otherwise")


def _question_bids(hand: RecordedHand, place: str) -> None:
    for index, made in enumerate(hand.bids):
        if made.seat < len(hand.scores) and made.bid != (scored := hand.scores[made.seat].bid):
            where = f"{place}/bids/{index}"
            raise InvalidRecord(where, f"a bid of {made.bid}, but {place}/scores/{made.seat}/bid is {scored}")


def _question_plays(hand: RecordedHand, dealt: Sequence[Sequence[Card]], place: str) -> None:
    """Every card is played once, by the seat that it was dealt to."""
    played: dict[Card, int] = {}
    for index, play in enumerate(hand.plays):
        if play.seat >= len(dealt) or play.card not in dealt[play.seat]:
            raise InvalidRecord(f"{place}/{index}", f"seat {play.seat} was not dealt {play.card}")
        if play.card in played:
            raise InvalidRecord(f"{place}/{played[play.card]}", f"{play.card} is played again at {place}/{index}")
        played[play.card] = index


def _question_claims(hand: RecordedHand, place: str) -> None:
    """Nobody claims the same renuncio twice."""
    made: dict[tuple[int, ...], int] = {}
    for index, claim in enumerate(hand.claims):
        what = (claim.claimant, claim.seat, claim.hand, claim.trick)
        if what in made:
            raise InvalidRecord(f"{place}/{made[what]}", f"seat {claim.claimant} claims the same at {place}/{index}")
        made[what] = index
