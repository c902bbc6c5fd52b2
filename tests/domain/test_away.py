"""Players who are away: a robot plays for them, and they may come back to their own seat."""

import pytest
from msgspec.structs import replace

from domain.pocha.model.commands import AbandonGame, LeaveSeat, TakeSeat
from domain.pocha.model.events import (
    AuctionBidMade,
    AuctionWon,
    Event,
    GameAbandoned,
    GameOver,
    GameStarted,
    HandScored,
    RobotSeated,
    SeatLeft,
    SeatTaken,
    TurnExpired,
)
from domain.pocha.model.refusals import Facts, Reason
from domain.pocha.model.state import Abandoned, progress_of, ruleset_of, table_of
from domain.pocha.rules import standings
from domain.pocha.rules.schedule import HandKind, HandPlan
from domain.pocha.view import schema
from domain.pocha.view.game_view import see
from domain.table.table import Level, Robot
from tests.domain import tables
from tests.domain.playout import FRAME
from tests.domain.spec import given
from tests.domain.tables import ANA, BEA, CARLA, DANI, bids, dealt

EASY = Level.EASY
DEAL = dealt("oros-1 oros-2", "copas-1 copas-2", "bastos-1 bastos-2", turn_up="espadas-4")
FACE_DOWN = replace(DEAL, face_down=True, trump=None, turn_up=None)
SUBASTADO = replace(DEAL, kind=HandKind.SUBASTADO, trump=None, turn_up=None)
STARTED: dict[str, tuple[Event, ...]] = {
    "picking blind": (*tables.started(), FACE_DOWN),
    "auctioning": (*tables.started(), SUBASTADO),
    "choosing trump": (*tables.started(), SUBASTADO, AuctionBidMade(1, 2), AuctionWon(1, 2)),
    "bidding": (*tables.started(), DEAL),
    "playing": (*tables.started(), DEAL, *bids(0, 0, 0)),
}
PLAYING = STARTED["playing"]
LEFT = (SeatLeft(1, BEA), RobotSeated(1, EASY))
PRIVATE = (*tables.private(3), GameStarted((ANA, BEA, CARLA), 0, (HandPlan(HandKind.NORMAL, 2),)), DEAL)

in_every_phase = pytest.mark.parametrize("history", STARTED.values(), ids=STARTED)


# Going away.


@in_every_phase
def test_who_leaves_a_started_game_is_away_from_their_seat(history: tuple[Event, ...]) -> None:
    table = table_of(given(*history, *LEFT).state)
    assert (table.occupants, tables.away(table)) == ((ANA, Robot(EASY), CARLA), (None, BEA, None))
    assert (table.seat_of("bea"), table.away_seat_of("bea"), table.seats[1].away) == (None, 1, BEA)


@in_every_phase
def test_whose_seat_a_robot_takes_is_away_from_it(history: tuple[Event, ...]) -> None:
    table = table_of(given(*history, TurnExpired(1, 3), RobotSeated(1, EASY)).state)
    assert (table.occupants, tables.away(table)) == ((ANA, Robot(EASY), CARLA), (None, BEA, None))


def test_nobody_is_away_before_the_start() -> None:
    table = table_of(given(*tables.waiting(3), SeatLeft(1, BEA)).state)
    assert (table.away_seat_of("bea"), table.seats[1].away) == (None, None)
    assert table_of(given(*PLAYING).state).seats[1].away is None


def test_a_robot_from_the_start_plays_for_nobody() -> None:
    history = (*tables.waiting(2), RobotSeated(2, EASY), GameStarted((ANA, BEA, Robot(EASY)), 0, ()), DEAL, *LEFT)
    assert tables.away(table_of(given(*history).state)) == (None, BEA, None)


def test_several_may_be_away() -> None:
    gone = (*PLAYING, *LEFT, SeatLeft(2, CARLA), RobotSeated(2, EASY))
    table = table_of(given(*gone).state)
    assert tables.away(table) == (None, BEA, CARLA)
    assert [table.away_seat_of(player.player_id) for player in (ANA, BEA, CARLA)] == [None, 1, 2]


# Coming back.


@in_every_phase
@pytest.mark.parametrize("seat", [None, 1])
def test_who_is_away_comes_back_to_their_own_seat(history: tuple[Event, ...], seat: int | None) -> None:
    given(*history, *LEFT).when(TakeSeat(BEA, seat)).then(SeatTaken(1, BEA))
    table = table_of(given(*history, *LEFT, SeatTaken(1, BEA)).state)
    assert (table.occupants, tables.away(table)) == ((ANA, BEA, CARLA), (None, None, None))
    assert table.robot_at(1) is None


def test_who_comes_back_gives_nothing_to_the_shuffle_and_keeps_what_they_gave() -> None:
    gave = (tables.created(), SeatTaken(0, ANA), SeatTaken(1, BEA, "dos"), *tables.started()[3:], DEAL, *LEFT)
    given(*gave).when(TakeSeat(BEA, client_seed="tres")).then(SeatTaken(1, BEA))
    assert table_of(given(*gave, SeatTaken(1, BEA)).state).client_seeds == (None, "dos", None)


@pytest.mark.parametrize("seat", [0, 2])
def test_who_is_away_gets_no_other_seat(seat: int) -> None:
    given(*PLAYING, *LEFT).when(TakeSeat(BEA, seat)).refused(Reason.SEAT_TAKEN)


def test_not_even_that_of_another_player_who_is_away() -> None:
    gone = (*PLAYING, *LEFT, SeatLeft(2, CARLA), RobotSeated(2, EASY))
    given(*gone).when(TakeSeat(BEA, 2)).refused(Reason.SEAT_TAKEN)


@pytest.mark.parametrize("seat", [-1, 3])
def test_who_is_away_asks_for_a_seat_that_the_table_has(seat: int) -> None:
    given(*PLAYING, *LEFT).when(TakeSeat(BEA, seat)).refused(Reason.NO_SUCH_SEAT)


@pytest.mark.parametrize("seat", [None, 0, 1])
def test_who_sits_there_cannot_come_back(seat: int | None) -> None:
    given(*PLAYING, *LEFT).when(TakeSeat(ANA, seat)).refused(Reason.ALREADY_SEATED)
    given(*PLAYING, *LEFT, SeatTaken(1, BEA)).when(TakeSeat(BEA, seat)).refused(Reason.ALREADY_SEATED)


@pytest.mark.parametrize("seat", [None, 1, 9])
def test_nobody_else_gets_the_seat(seat: int | None) -> None:
    given(*PLAYING, *LEFT).when(TakeSeat(DANI, seat)).refused(Reason.GAME_FULL)


def test_at_a_private_table_who_is_away_comes_back_without_the_code() -> None:
    table = given(*PRIVATE, *LEFT)
    table.when(TakeSeat(BEA)).then(SeatTaken(1, BEA))
    table.when(TakeSeat(DANI)).refused(Reason.NOT_INVITED)
    table.when(TakeSeat(DANI, invited=True)).refused(Reason.GAME_FULL)


def test_a_private_table_stays_known_to_who_is_away_and_unknown_to_strangers() -> None:
    table = table_of(given(*PRIVATE, *LEFT).state)
    assert table.admits("bea")
    assert table.admits("ana")
    assert not table.admits("dani")


def test_who_came_back_may_leave_again() -> None:
    back = (*PLAYING, *LEFT, SeatTaken(1, BEA))
    given(*back).when(LeaveSeat("bea", 1)).then(*LEFT)
    assert table_of(given(*back, *LEFT).state).away_seat_of("bea") == 1


def test_who_is_away_has_no_seat_to_leave() -> None:
    given(*PLAYING, *LEFT).when(LeaveSeat("bea", 1)).refused(Reason.NOT_YOUR_SEAT)


def test_nobody_comes_back_after_the_end() -> None:
    none = (0, 0, 0)
    scored = HandScored(1, none, none, none, none, none, (1, 1, 1))
    for end in ((scored, GameOver((0, 1, 2))), (GameAbandoned(),)):
        given(*PLAYING, *LEFT, *end).when(TakeSeat(BEA)).refused(Reason.GAME_OVER)


# What is shown.


def test_a_seat_shows_the_robot_and_for_whom_it_plays() -> None:
    shown = see(given(*PLAYING, *LEFT).state, 0, FRAME)
    assert shown.seats[1] == schema.SeatView(1, robot=schema.RobotRef(EASY), away=schema.PlayerRef("bea", "Bea"))


def test_after_a_game_it_still_shows_who_went_away() -> None:
    shown = see(given(*PLAYING, *LEFT, GameAbandoned()).state, None, FRAME)
    assert shown.seats[1].away == schema.PlayerRef("bea", "Bea")


# Giving the table up.


def test_a_waiting_table_may_be_given_up() -> None:
    given(*tables.waiting(2)).when(AbandonGame()).then(GameAbandoned())


@in_every_phase
def test_a_started_game_may_be_given_up_in_every_phase_and_keeps_its_match(history: tuple[Event, ...]) -> None:
    given(*history).when(AbandonGame()).then(GameAbandoned())
    before = given(*history).state
    after = given(*history, GameAbandoned()).state
    assert after == Abandoned(table_of(before), ruleset_of(before), progress_of(before))
    assert progress_of(after) is not None


def test_a_table_given_up_before_the_start_has_no_match() -> None:
    assert progress_of(given(*tables.waiting(), GameAbandoned()).state) is None


def test_a_game_is_not_given_up_while_a_hand_is_about_to_be_dealt() -> None:
    given(*tables.started()).when(AbandonGame()).refused(Reason.WRONG_PHASE, Facts(phase="dealing"))


def test_a_stand_in_wins_only_where_all_players_are_away() -> None:
    assert standings.winners((1, 2, 2)) == (0,)
    assert standings.winners((1, 2, 2), away={0}) == (1, 2)
    assert standings.winners((1, 2, 2), away={0, 1, 2}) == (0,)
