"""A forced move, which the service may make for a player, is the only one that the rules accept."""

import pytest

from domain.cards import Card, Suit
from domain.pocha import decide
from domain.pocha.behaviour import legal
from domain.pocha.model.commands import ChooseTrump, MakeAuctionBid, MakeBid, Move, PassAuction, PickBlind, PlayCard
from domain.pocha.model.refusals import Refused
from domain.pocha.model.state import HandState
from domain.pocha.rules.ruleset import AuctionProtocol, AuctionRules, TrumpRules, TrumpWhenAllDealt, WinnerSecondBid
from domain.pocha.rules.schedule import Block, HandKind
from tests.domain.playout import game
from tests.domain.tables import house

NUMBERS = range(11)
HANDS = [Block(HandKind.INDIA, "1", "1"), Block(HandKind.SUBASTADO, "2", "2"), Block(HandKind.NORMAL, "max", "max")]
AUCTIONS = (
    AuctionRules(AuctionProtocol.DOUBLE_BID),
    AuctionRules(AuctionProtocol.ASCENDING_ONCE, WinnerSecondBid.LOCKED),
)
PICK = TrumpRules(TrumpWhenAllDealt.DEALER_BLIND_PICK)


def accepted(state: HandState) -> list[Move]:
    """Return all moves of the seat on turn that are not refused."""
    seat = state.turn
    thinkable: list[Move] = [PassAuction(seat), *(ChooseTrump(seat, suit) for suit in Suit)]
    for number in NUMBERS:
        thinkable += [PickBlind(seat, number), MakeAuctionBid(seat, number), MakeBid(seat, number)]
    thinkable += [PlayCard(seat, card) for card in Card]
    return [move for move in thinkable if is_accepted(state, move)]


def is_accepted(state: HandState, move: Move) -> bool:
    try:
        decide(state, move)
    except Refused:
        return False
    return True


@pytest.mark.parametrize("auction", AUCTIONS, ids=lambda auction: auction.protocol)
def test_it_is_the_only_move_that_is_accepted_in_every_phase(auction: AuctionRules) -> None:
    phases: set[type[HandState]] = set()
    forced = 0
    for step in game(house(*HANDS, auction=auction, trump=PICK), 4, seed=3):
        if isinstance(step.before, HandState):
            moves = accepted(step.before)
            assert legal.forced_move(step.before) == (moves[0] if len(moves) == 1 else None)
            phases.add(type(step.before))
            forced += len(moves) == 1
    assert len(phases) == 5
    assert forced > 0
