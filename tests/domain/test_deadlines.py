"""A turn's time is over: a robot makes the move, and after some in a row the seat is its own."""

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from domain.cards import Card, Suit
from domain.pocha import decide
from domain.pocha.behaviour.evolve import evolve, fold
from domain.pocha.model import events
from domain.pocha.model.commands import ExpireTurn, LeaveSeat
from domain.pocha.model.events import (
    AuctionBidMade,
    AuctionPassed,
    AuctionWon,
    BidMade,
    BlindPickMade,
    CardPlayed,
    Event,
    GameAbandoned,
    GameCreated,
    GameOver,
    RobotSeated,
    SeatLeft,
    SeatTaken,
    TrickTaken,
    TrumpChosen,
    TurnExpired,
    passes_turn,
)
from domain.pocha.model.refusals import Facts, Reason
from domain.pocha.model.state import InHand, NotCreated, table_of
from domain.pocha.rules.schedule import HandKind
from domain.table.table import Level, OnTimeout, Robot, Table
from tests.domain import tables
from tests.domain.spec import given
from tests.domain.tables import ANA, BEA, CARLA, bids, dealt, plays

EASY = Level.EASY
TIMED = replace(tables.created(), turn_seconds=30, on_timeout=OnTimeout())
STARTED = (TIMED, *tables.started()[1:])
DEAL = dealt("oros-1 oros-2", "copas-1 copas-2", "bastos-1 bastos-2", turn_up="espadas-4")
FACE_DOWN = replace(DEAL, face_down=True, trump=None, turn_up=None)
SUBASTADO = replace(DEAL, kind=HandKind.SUBASTADO, trump=None, turn_up=None)
INDIA = dealt("oros-1", "copas-1", "bastos-1", turn_up="espadas-4", kind=HandKind.INDIA)
BIDDING = (*STARTED, DEAL)
PLAYING = (*BIDDING, *bids(0, 0, 0))
PHASES: dict[str, tuple[tuple[Event, ...], int, Event]] = {
    "picking blind": ((*STARTED, FACE_DOWN), 0, BlindPickMade(0, Card.OROS_1, 1, DEAL.hands, 0)),
    "auctioning": ((*STARTED, SUBASTADO), 1, AuctionBidMade(1, 2)),
    "auctioning, to pass": ((*STARTED, SUBASTADO), 1, AuctionPassed(1)),
    "choosing trump": ((*STARTED, SUBASTADO, AuctionBidMade(1, 2), AuctionWon(1, 2)), 1, TrumpChosen(1, Suit.OROS, 1)),
    "bidding": (BIDDING, 1, BidMade(1, 0)),
    "playing": (PLAYING, 1, CardPlayed(1, Card.COPAS_1)),
}
"""Each phase: how it came to be, the seat on turn, and a move of that seat."""

phases = pytest.mark.parametrize(("history", "seat", "move"), PHASES.values(), ids=PHASES)


def table(*history: Event) -> Table:
    return table_of(fold(NotCreated(), history))


# Making the table.


def test_a_table_may_be_made_with_a_time_for_each_turn() -> None:
    given().when(replace(tables.create(), turn_seconds=30)).then(TIMED, SeatTaken(0, ANA))
    assert (table(TIMED).turn_seconds, table(TIMED).on_timeout) == (30, OnTimeout(EASY, 3))


def test_a_table_made_without_one_is_logged_as_it_always_was() -> None:
    (made, _) = decide(NotCreated(), tables.create()).events
    written = msgspec.json.decode(msgspec.json.encode(made))
    assert not {"turn_seconds", "on_timeout"} & set(written)
    assert table(made).turn_seconds is None


def test_what_happens_at_the_end_of_a_turn_is_logged_whole_and_believed() -> None:
    written: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(TIMED))
    assert (written["turn_seconds"], written["on_timeout"]) == (30, {"level": "easy", "takes_seat_after": 3})
    written["on_timeout"]["takes_seat_after"] = 5
    assert table(msgspec.convert(written, GameCreated)).on_timeout == OnTimeout(EASY, 5)


# The time is over.


@phases
def test_in_every_phase_the_time_of_the_seat_on_turn_may_be_over(
    history: tuple[Event, ...], seat: int, move: Event
) -> None:
    given(*history).when(ExpireTurn(seat)).then(TurnExpired(seat, 1))
    covered = table(*history, TurnExpired(seat, 1))
    assert (covered.covered, covered.seats[seat].expired_turns, covered.robot_at(seat)) == (seat, 1, EASY)
    moved = table(*history, TurnExpired(seat, 1), move)
    assert (moved.covered, moved.seats[seat].expired_turns, moved.robot_at(seat)) == (None, 1, None)


@phases
def test_a_move_of_ones_own_ends_the_row(history: tuple[Event, ...], seat: int, move: Event) -> None:
    begun, *rest = history
    before = table(begun, *rest)
    expired_before = replace(before, seats=tuple(replace(seat, expired_turns=2) for seat in before.seats))
    state = fold(NotCreated(), history)
    assert isinstance(state, InHand)
    moved = table_of(evolve(replace(state, progress=replace(state.progress, table=expired_before)), move))
    assert tables.expired(moved) == tuple(0 if other == seat else 2 for other in range(3))


def test_a_turn_expires_once() -> None:
    given(*PLAYING, TurnExpired(1, 1)).when(ExpireTurn(1)).refused(Reason.WRONG_PHASE, Facts(phase="playing"))


@pytest.mark.parametrize("seat", [0, 2, 9])
def test_only_the_time_of_the_seat_on_turn_may_be_over(seat: int) -> None:
    given(*PLAYING).when(ExpireTurn(seat)).refused(Reason.NOT_YOUR_TURN, Facts(seat_on_turn=1))


def test_a_turn_without_limit_never_expires() -> None:
    untimed = (*tables.started(), DEAL)
    given(*untimed).when(ExpireTurn(1)).refused(Reason.WRONG_PHASE, Facts(phase="bidding"))


def test_a_robots_turn_never_expires() -> None:
    left = (*BIDDING, SeatLeft(1, BEA), RobotSeated(1, EASY))
    given(*left).when(ExpireTurn(1)).refused(Reason.WRONG_PHASE, Facts(phase="bidding"))


@pytest.mark.parametrize(
    ("history", "phase"), [((TIMED, SeatTaken(0, ANA)), "waiting"), (STARTED, "dealing")], ids=["waiting", "dealing"]
)
def test_where_no_turn_is_none_expires(history: tuple[Event, ...], phase: str) -> None:
    given(*history).when(ExpireTurn(0)).refused(Reason.WRONG_PHASE, Facts(phase=phase))


def test_a_finished_game_has_no_turns() -> None:
    given(*STARTED, GameOver((0,))).when(ExpireTurn(0)).refused(Reason.GAME_OVER)


# In a row.

FIRST = (*BIDDING, TurnExpired(1, 1), BidMade(1, 0), BidMade(2, 0), BidMade(0, 0))
SECOND = (*FIRST, TurnExpired(1, 2), *plays("copas-1 bastos-1 oros-1"), TrickTaken(1, Card.COPAS_1))


def test_turns_that_expire_in_a_row_are_counted() -> None:
    given(*FIRST).when(ExpireTurn(1)).then(TurnExpired(1, 2))


def test_at_the_third_in_a_row_the_seat_is_the_robots_and_its_player_away() -> None:
    given(*SECOND).when(ExpireTurn(1)).then(TurnExpired(1, 3), RobotSeated(1, EASY))
    taken = table(*SECOND, TurnExpired(1, 3), RobotSeated(1, EASY))
    assert taken.occupants == (ANA, Robot(EASY), CARLA)
    assert tables.away(taken) == (None, BEA, None)
    assert (tables.expired(taken), taken.covered) == ((0, 0, 0), None)


def test_the_table_says_after_how_many_the_seat_is_taken() -> None:
    at_once = replace(TIMED, on_timeout=OnTimeout(EASY, 1))
    given(at_once, *BIDDING[1:]).when(ExpireTurn(1)).then(TurnExpired(1, 1), RobotSeated(1, EASY))


def test_after_a_move_of_ones_own_the_count_begins_again() -> None:
    own = (*FIRST, *plays("copas-1 bastos-1 oros-1"), TrickTaken(1, Card.COPAS_1))
    assert tables.expired(table(*own)) == (0, 0, 0)
    given(*own).when(ExpireTurn(1)).then(TurnExpired(1, 1))


def test_the_rows_of_two_players_do_not_mix() -> None:
    both = (*BIDDING, TurnExpired(1, 1), BidMade(1, 0), TurnExpired(2, 1), BidMade(2, 0))
    assert tables.expired(table(*both)) == (0, 1, 1)
    given(*both).when(ExpireTurn(0)).then(TurnExpired(0, 1))
    assert tables.expired(table(*both, BidMade(0, 0))) == (0, 1, 1)


def test_the_own_card_of_an_india_hand_plays_itself_and_ends_no_row() -> None:
    india = (*STARTED, INDIA, TurnExpired(1, 1), BidMade(1, 0), BidMade(2, 0), TurnExpired(0, 1), BidMade(0, 0))
    played = table(*india, *plays("copas-1 bastos-1 oros-1"))
    assert (tables.expired(played), played.covered) == ((1, 1, 0), None)


def test_who_takes_a_robots_place_begins_without_expired_turns() -> None:
    back = table(*SECOND, TurnExpired(1, 3), RobotSeated(1, EASY), SeatTaken(1, BEA))
    assert (tables.expired(back), back.covered, back.occupants) == ((0, 0, 0), None, (ANA, BEA, CARLA))


def test_a_player_who_leaves_takes_the_count_along_and_the_others_keep_theirs() -> None:
    both = (*BIDDING, TurnExpired(1, 1), BidMade(1, 0), TurnExpired(2, 1), BidMade(2, 0))
    given(*both).when(LeaveSeat("bea", 1)).then(SeatLeft(1, BEA), RobotSeated(1, EASY))
    assert tables.expired(table(*both, SeatLeft(1, BEA), RobotSeated(1, EASY))) == (0, 0, 1)


def test_a_seat_that_is_left_while_its_move_is_the_robots_is_covered_no_more() -> None:
    left = table(*BIDDING, TurnExpired(1, 1), SeatLeft(1, BEA))
    assert (left.covered, left.robot_at(1)) == (None, None)
    other = table(*BIDDING, TurnExpired(1, 1), SeatLeft(2, CARLA), RobotSeated(2, EASY))
    assert (other.covered, tables.expired(other)) == (1, (0, 1, 0))


# What costs nothing.


def test_where_no_time_ran_out_a_move_leaves_the_table_as_it_is() -> None:
    before = fold(NotCreated(), BIDDING)
    for event in (*bids(0, 0, 0), *plays("copas-1 bastos-1 oros-1")):
        after = evolve(before, event)
        assert table_of(after) is table_of(before)
        before = after


def test_a_move_of_a_seat_whose_time_never_ran_out_leaves_the_table_as_it_is() -> None:
    before = fold(NotCreated(), (*BIDDING, TurnExpired(1, 1), BidMade(1, 0)))
    assert table_of(evolve(before, BidMade(2, 0))) is table_of(before)


# Whose turn begins when.


def test_a_turn_passes_with_a_deal_and_with_every_move_but_not_when_seats_change_hands() -> None:
    passing: list[Event] = [DEAL, *(move for _, _, move in PHASES.values()), AuctionWon(1, 2)]
    assert all(passes_turn((event,)) for event in passing)
    claim = events.RenuncioClaimed(0, 1, 1, 1, Card.COPAS_1, proven=True, penalty=9, totals=(0,), ranks=(1,))
    resting: list[Event] = [TurnExpired(1, 1), SeatLeft(1, BEA), RobotSeated(1, EASY), SeatTaken(1, BEA), claim]
    assert not passes_turn((*resting, GameAbandoned()))
    assert not passes_turn(())
    assert passes_turn((TurnExpired(1, 1), BidMade(1, 0)))


@phases
def test_after_a_robots_move_the_next_turn_is_a_person_s_again(
    history: tuple[Event, ...], seat: int, move: Event
) -> None:
    state = fold(NotCreated(), (*history, TurnExpired(seat, 1), move))
    assert isinstance(state, InHand)
    assert table_of(state).robot_at(state.turn) is None
