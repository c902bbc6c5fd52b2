"""Replay of one recorded hand: the deal and every move are decided again by the rules."""

from collections.abc import Iterator

from msgspec import UNSET

from domain.pocha import Command, Decision, Event, Refused, State, decide
from domain.pocha.model import commands
from domain.pocha.model.state import Dealing, HandState, InHand
from service.application import autoplay
from service.application.ports import Shuffler
from service.application.record.facts import RecordedCall, RecordedHand
from service.application.record.mismatch import InvalidRecord

Move = tuple[str, Command]
"""A move as a command, with its JSON pointer."""


def replay(state: Dealing, hand: RecordedHand, pointer: str, shuffler: Shuffler) -> tuple[State, list[Event]]:
    """Deal the hand again and make its moves; return the game after it and the events of the hand.

    Raises:
        InvalidRecord: the cards do not follow from the seeds, a move is against the rules, or one is missing.
    """
    dealt = decide(state, autoplay.deal_command(state.progress, shuffler))
    after, moves = _play(dealt.state, hand, pointer)
    return after, [*dealt.events, *moves]


def _play(state: State, hand: RecordedHand, pointer: str) -> tuple[State, list[Event]]:
    if isinstance(state, InHand) and state.deal.hands != tuple(held.cards for held in hand.hands):
        raise InvalidRecord(f"{pointer}/hands", "does not follow from the seeds")
    happened: list[Event] = []
    moves = iter(_moves(hand, pointer))
    while isinstance(state, InHand):
        decision = _decide(state, next(moves, None), pointer)
        state = decision.state
        happened.extend(decision.events)
    return state, happened


def _decide(state: HandState, move: Move | None, pointer: str) -> Decision:
    if move is None:
        raise InvalidRecord(pointer, f"a move of seat {state.turn} is missing")
    try:
        return decide(state, move[1])
    except Refused as refused:
        raise InvalidRecord(move[0], f"is against the rules ({refused.reason})") from None


def _moves(hand: RecordedHand, pointer: str) -> list[Move]:
    """Return the moves of the hand in order. The plays of an india hand are no moves; they follow from its bids."""
    moves = [
        *_pick(hand, pointer),
        *_auction(hand, pointer),
        *_bids(hand, pointer),
        *((f"{pointer}/plays/{at}", commands.PlayCard(made.seat, made.card)) for at, made in enumerate(hand.plays)),
    ]
    for at, claim in reversed([*enumerate(hand.claims)]):
        command = commands.ClaimRenuncio(claim.claimant, claim.seat, claim.trick)
        moves.insert(claim.after_moves, (f"{pointer}/claims/{at}", command))
    return moves


def _pick(hand: RecordedHand, pointer: str) -> Iterator[Move]:
    if (pick := hand.blind_pick) is not UNSET:
        position = None if pick.position is UNSET else pick.position
        yield f"{pointer}/blind_pick", commands.PickBlind(pick.seat, position)


def _bids(hand: RecordedHand, pointer: str) -> Iterator[Move]:
    """A bid that the auction has locked is no move; only in format 1 it is left out."""
    locked = None if hand.auction is UNSET or not hand.auction.locked else hand.auction.winner
    for at, made in enumerate(hand.bids):
        if at or made.seat != locked:
            yield f"{pointer}/bids/{at}", commands.MakeBid(made.seat, made.bid)


def _auction(hand: RecordedHand, pointer: str) -> Iterator[Move]:
    if (auction := hand.auction) is not UNSET:
        for at, call in enumerate(auction.calls):
            yield f"{pointer}/auction/calls/{at}", _call(call)
        yield f"{pointer}/auction/trump", commands.ChooseTrump(auction.winner, auction.trump)


def _call(call: RecordedCall) -> Command:
    return commands.PassAuction(call.seat) if call.bid is UNSET else commands.MakeAuctionBid(call.seat, call.bid)
