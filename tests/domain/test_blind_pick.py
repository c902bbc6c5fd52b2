"""The blind pick of seed 004: where all is dealt, the dealer points at one of the own face-down cards (rulebook R-TRU-2)."""

import pytest
from msgspec.structs import replace

from domain.cards import Card, Suit, pack
from domain.pocha.model.commands import DealHand, LeaveSeat, MakeBid, PickBlind
from domain.pocha.model.events import BidMade, BlindPickMade, HandDealt, RobotSeated, SeatLeft
from domain.pocha.model.refusals import Facts, Reason
from domain.pocha.model.state import Bidding, PickingBlind
from domain.pocha.rules import house_rules
from domain.pocha.rules.presets import ANTIGUA
from domain.pocha.rules.ruleset import AuctionProtocol, AuctionRules, Ruleset, TrumpRules, TrumpWhenAllDealt
from domain.pocha.rules.schedule import Block, HandKind
from domain.pocha.rules.scoring import ScoringRules
from domain.table.table import Level
from tests.domain.spec import given
from tests.domain.tables import ANA, cards, dealt, house, started

PICK = TrumpRules(when_all_dealt=TrumpWhenAllDealt.DEALER_BLIND_PICK)
SCORING = ScoringRules(suit_multiplier={Suit.COPAS: 2, Suit.OROS: 3}, turn_up_multiplier={Card.OROS_4: 4})


def picking(*blocks: Block) -> Ruleset:
    return house(*blocks, trump=PICK, scoring=SCORING, auction=AuctionRules(AuctionProtocol.DOUBLE_BID), players=(4,))


ALL = Block(HandKind.NORMAL, "max", "max")
HANDS = ("oros-4 copas-2 bastos-3", "copas-1 oros-2 copas-3", "bastos-1 bastos-2 oros-3")
FACE_DOWN = replace(dealt(*HANDS, turn_up=None), face_down=True)
HISTORY = (*started(ruleset=house(trump=PICK, scoring=SCORING)), FACE_DOWN)
HELD = FACE_DOWN.hands


def the_deal(at: Ruleset) -> HandDealt:
    (event,) = given(*started(4, at)).when(DealHand(pack(40))).happened()
    assert isinstance(event, HandDealt)
    return event


def test_where_all_is_dealt_the_cards_lie_face_down_without_a_trump() -> None:
    event = the_deal(picking(ALL))
    assert event.face_down
    assert (event.trump, event.turn_up, event.multiplier, event.stock) == (None, None, 1, ())
    state = given(*started(4, picking(ALL)), event).state
    assert isinstance(state, PickingBlind)
    assert state.turn == 0


@pytest.mark.parametrize("kind", [HandKind.OROS, HandKind.CIEGA, HandKind.SUBASTADO])
def test_hands_that_turn_nothing_up_have_no_pick(kind: HandKind) -> None:
    assert not the_deal(picking(Block(kind, "max", "max"))).face_down


@pytest.mark.parametrize("kind", [HandKind.NORMAL, HandKind.INDIA])
def test_while_a_stock_remains_the_next_card_marks_trump(kind: HandKind) -> None:
    event = the_deal(picking(Block(kind, "1", "1")))
    assert not event.face_down
    assert event.turn_up is Card.OROS_5


def test_a_stock_of_one_card_is_turned_up_and_is_nobodys() -> None:
    at = replace(picking(Block(HandKind.NORMAL, "3", "3")))
    (event,) = given(*started(4, at)).when(DealHand(pack(40)[:13])).happened()
    assert isinstance(event, HandDealt)
    assert (event.face_down, event.turn_up, event.stock) == (False, pack(40)[12], ())


@pytest.mark.parametrize(("position", "card", "factor"), [(0, "oros-4", 4), (1, "copas-2", 2), (2, "bastos-3", 1)])
def test_the_card_at_the_position_marks_trump_and_its_own_factor_counts(position: int, card: str, factor: int) -> None:
    given(*HISTORY).when(PickBlind(0, position)).then(BlindPickMade(0, Card(card), factor, HELD, position))


def test_a_picked_card_stays_in_the_dealers_hand_and_all_bid_from_the_mano() -> None:
    table = given(*HISTORY, BlindPickMade(0, Card.COPAS_2, 2, HELD, 1))
    assert isinstance(table.state, Bidding)
    deal = table.state.deal
    assert (deal.turn_up, deal.trump, deal.multiplier, deal.hands) == (Card.COPAS_2, Suit.COPAS, 2, HELD)
    table.when(MakeBid(1, 2)).then(BidMade(1, 2))


def test_who_points_at_no_card_leaves_it_to_the_last_one_dealt() -> None:
    given(*HISTORY).when(PickBlind(0)).then(BlindPickMade(0, Card.BASTOS_3, 1, HELD))


@pytest.mark.parametrize("position", [-1, 3, 99])
def test_a_position_where_no_card_lies_is_refused(position: int) -> None:
    given(*HISTORY).when(PickBlind(0, position)).refused(Reason.NO_SUCH_POSITION, Facts(positions=(0, 1, 2)))


@pytest.mark.parametrize("seat", [1, 2, -1, 3])
def test_only_the_dealer_picks(seat: int) -> None:
    given(*HISTORY).when(PickBlind(seat, 0)).refused(Reason.NOT_YOUR_TURN, Facts(seat_on_turn=0))


def test_nobody_bids_before_the_pick_nor_picks_after_it() -> None:
    given(*HISTORY).when(MakeBid(1, 0)).refused(Reason.WRONG_PHASE, Facts(phase="picking-blind"))
    table = given(*HISTORY, BlindPickMade(0, Card.COPAS_2, 2, HELD, 1))
    table.when(PickBlind(0, 0)).refused(Reason.WRONG_PHASE, Facts(phase="bidding"))


def test_a_dealer_who_leaves_before_the_pick_leaves_it_to_a_robot() -> None:
    given(*HISTORY).when(LeaveSeat("ana", 0)).then(SeatLeft(0, ANA), RobotSeated(0, Level.EASY))
    table = given(*HISTORY, SeatLeft(0, ANA), RobotSeated(0, Level.EASY))
    table.when(PickBlind(0)).then(BlindPickMade(0, Card.BASTOS_3, 1, HELD))


def test_the_house_rule_last_dealt_switches_it_off() -> None:
    last = house_rules.apply({"trump": {"when_all_dealt": "last-dealt"}}, ANTIGUA)
    at = replace(last, schedule=picking(ALL).schedule)
    event = the_deal(at)
    assert not event.face_down
    assert event.turn_up is Card.BASTOS_12
    assert event.hands[0][-1] is Card.BASTOS_12
    assert the_deal(replace(ANTIGUA, schedule=picking(ALL).schedule)).face_down
    assert cards("bastos-12") == (event.turn_up,)
