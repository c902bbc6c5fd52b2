"""Making a table, sitting down, getting up, and robots."""

import pytest
from msgspec.structs import replace

from domain.cards import Card, Suit
from domain.pocha.model.commands import (
    AbandonGame,
    ChooseTrump,
    ClaimRenuncio,
    Command,
    DealHand,
    ExpireTurn,
    LeaveSeat,
    MakeAuctionBid,
    MakeBid,
    PassAuction,
    PickBlind,
    PlayCard,
    SeatRobot,
    StartGame,
    TakeSeat,
)
from domain.pocha.model.events import (
    AuctionBidMade,
    AuctionWon,
    Event,
    GameAbandoned,
    GameOver,
    GameStarted,
    RobotSeated,
    SeatCleared,
    SeatLeft,
    SeatTaken,
)
from domain.pocha.model.refusals import Facts, Reason
from domain.pocha.model.state import Bidding, Playing, Waiting, table_of
from domain.pocha.rules.schedule import HandKind, HandPlan
from domain.table.table import Level, Robot, Visibility
from tests.domain import tables
from tests.domain.spec import given
from tests.domain.tables import ANA, BEA, CARLA, DANI, EVA, HOUSE, INVITE

EASY = Level.EASY
DEAL = tables.dealt("oros-1 oros-2", "copas-1 copas-2", "bastos-1 bastos-2", turn_up="espadas-4")
IN_HAND = (*tables.started(), DEAL)
IN_PLAY = (*IN_HAND, *tables.bids(0, 0, 0))
FACE_DOWN = replace(DEAL, face_down=True, trump=None, turn_up=None)
SUBASTADO = replace(DEAL, kind=HandKind.SUBASTADO, trump=None, turn_up=None)
STARTED: dict[str, tuple[Event, ...]] = {
    "picking blind": (*tables.started(), FACE_DOWN),
    "auctioning": (*tables.started(), SUBASTADO),
    "choosing trump": (*tables.started(), SUBASTADO, AuctionBidMade(1, 2), AuctionWon(1, 2)),
    "bidding": IN_HAND,
    "playing": IN_PLAY,
}
OVER = (
    *tables.started(),
    GameOver((0,)),
)
ABANDONED = (*tables.waiting(), SeatLeft(0, ANA), GameAbandoned())
GIVEN_UP = (*IN_PLAY, GameAbandoned())


def test_whoever_makes_a_table_sits_at_seat_0() -> None:
    given().when(tables.create()).then(tables.created(), SeatTaken(0, ANA))


def test_a_private_table_keeps_its_invite_code() -> None:
    made = tables.create(visibility=Visibility.PRIVATE, invite_code=INVITE)
    given().when(made).then(tables.created(visibility=Visibility.PRIVATE, invite_code=INVITE), SeatTaken(0, ANA))


def test_robots_take_the_last_seats_of_a_new_table() -> None:
    command = replace(tables.create(players=4), robots=(EASY, EASY))
    given().when(command).then(tables.created(4), SeatTaken(0, ANA), RobotSeated(2, EASY), RobotSeated(3, EASY))


def test_a_table_may_be_full_of_robots_but_for_its_host() -> None:
    command = replace(tables.create(players=2), robots=(EASY,))
    given().when(command).then(tables.created(2), SeatTaken(0, ANA), RobotSeated(1, EASY))


def test_robots_leave_the_host_a_seat() -> None:
    given().when(replace(tables.create(), robots=(EASY,) * 3)).refused(Reason.TOO_MANY_ROBOTS)


@pytest.mark.parametrize("players", [-1, 0, 1, 6])
def test_a_table_has_as_many_seats_as_its_rules_allow(players: int) -> None:
    facts = Facts(players_allowed=(2, 3, 4, 5))
    given().when(tables.create(players)).refused(Reason.WRONG_NUMBER_OF_PLAYERS, facts)


def test_a_table_is_made_once() -> None:
    given(*tables.waiting()).when(tables.create()).refused(Reason.WRONG_PHASE, Facts(phase="waiting"))


@pytest.mark.parametrize(
    "command",
    [
        TakeSeat(BEA),
        LeaveSeat("ana", 0),
        SeatRobot("ana", 1, EASY),
        StartGame((0,), 0),
        DealHand(()),
        PickBlind(0, 0),
        MakeAuctionBid(0, 1),
        PassAuction(0),
        ChooseTrump(0, Suit.OROS),
        MakeBid(0, 1),
        PlayCard(0, Card.OROS_1),
        ClaimRenuncio(0, 1, 1),
        ExpireTurn(0),
        AbandonGame(),
    ],
    ids=lambda command: type(command).__name__,
)
def test_nothing_but_its_making_can_happen_to_a_table_that_is_not(command: Command) -> None:
    given().when(command).refused(Reason.WRONG_PHASE)


# Sitting down.


def test_who_names_no_seat_gets_the_first_free_one() -> None:
    given(*tables.waiting(), SeatTaken(2, BEA)).when(TakeSeat(CARLA)).then(SeatTaken(1, CARLA))


def test_who_names_a_free_seat_gets_it() -> None:
    given(*tables.waiting()).when(TakeSeat(BEA, seat=2)).then(SeatTaken(2, BEA))


@pytest.mark.parametrize("occupied", [SeatTaken(1, CARLA), RobotSeated(1, EASY)])
def test_a_taken_seat_is_refused(occupied: Event) -> None:
    given(*tables.waiting(), occupied).when(TakeSeat(BEA, seat=1)).refused(Reason.SEAT_TAKEN)


@pytest.mark.parametrize("seat", [-1, 3, 9])
def test_a_seat_that_the_table_lacks_is_refused(seat: int) -> None:
    given(*tables.waiting()).when(TakeSeat(BEA, seat=seat)).refused(Reason.NO_SUCH_SEAT)


@pytest.mark.parametrize("seat", [None, 0, 2])
def test_nobody_sits_twice(seat: int | None) -> None:
    given(*tables.waiting(2)).when(TakeSeat(BEA, seat=seat)).refused(Reason.ALREADY_SEATED)


@pytest.mark.parametrize("seat", [None, 1])
def test_a_full_table_that_has_not_started_takes_nobody(seat: int | None) -> None:
    given(*tables.waiting(3)).when(TakeSeat(DANI, seat=seat)).refused(Reason.GAME_FULL)


def test_a_started_table_is_full() -> None:
    given(*IN_PLAY).when(TakeSeat(DANI)).refused(Reason.GAME_FULL)


def test_a_private_table_takes_an_invited_player() -> None:
    given(*tables.private()).when(TakeSeat(BEA, invited=True)).then(SeatTaken(1, BEA))


def test_a_private_table_refuses_a_player_who_is_not_invited() -> None:
    given(*tables.private()).when(TakeSeat(BEA)).refused(Reason.NOT_INVITED)


def test_who_sits_at_a_private_table_is_told_so_without_its_code() -> None:
    given(*tables.private(2)).when(TakeSeat(BEA)).refused(Reason.ALREADY_SEATED)


def test_a_private_table_does_not_tell_strangers_how_it_stands() -> None:
    begun = (*tables.private(3), GameStarted((ANA, BEA, CARLA), 0, (HandPlan(HandKind.NORMAL, 3),)))
    for history in (tables.private(3), begun, (*begun, GameOver((0,)))):
        given(*history).when(TakeSeat(DANI)).refused(Reason.NOT_INVITED)
    given(*begun).when(TakeSeat(DANI, invited=True)).refused(Reason.GAME_FULL)
    given(*begun, GameOver((0,))).when(TakeSeat(DANI, invited=True)).refused(Reason.GAME_OVER)


def test_a_public_table_needs_no_code() -> None:
    given(*tables.waiting()).when(TakeSeat(BEA)).then(SeatTaken(1, BEA))


# Robots.


def test_the_host_fills_a_free_seat_with_a_robot() -> None:
    given(*tables.waiting()).when(SeatRobot("ana", 2, EASY)).then(RobotSeated(2, EASY))


def test_only_the_host_seats_robots() -> None:
    given(*tables.waiting(2)).when(SeatRobot("bea", 2, EASY)).refused(Reason.NOT_THE_HOST)


def test_where_the_host_has_left_the_player_at_the_lowest_seat_seats_robots() -> None:
    table = given(*tables.waiting(3), SeatLeft(0, ANA))
    table.when(SeatRobot("bea", 0, EASY)).then(RobotSeated(0, EASY))
    for player in ("ana", "carla"):
        table.when(SeatRobot(player, 0, EASY)).refused(Reason.NOT_THE_HOST)
    given(*tables.waiting(2)).when(SeatRobot("ana", 2, EASY)).then(RobotSeated(2, EASY))


def test_the_host_removes_a_player_who_may_not_come_back() -> None:
    given(*tables.waiting(3)).when(LeaveSeat("ana", 1)).then(SeatCleared(1, BEA))
    removed = given(*tables.waiting(3), SeatCleared(1, BEA))
    removed.when(TakeSeat(BEA)).refused(Reason.REMOVED_BY_HOST)
    removed.when(TakeSeat(DANI)).then(SeatTaken(1, DANI))


def test_the_host_takes_a_robot_from_its_seat() -> None:
    given(*tables.waiting(2), RobotSeated(1, EASY)).when(LeaveSeat("ana", 1)).then(SeatCleared(1))
    given(*tables.waiting(1), RobotSeated(1, EASY), SeatCleared(1)).when(TakeSeat(BEA)).then(SeatTaken(1, BEA))


@pytest.mark.parametrize(("player_id", "seat"), [("bea", 0), ("bea", 2), ("carla", 1), ("ana", 2), ("dani", 1)])
def test_nobody_else_clears_a_seat_and_no_free_seat_is_cleared(player_id: str, seat: int) -> None:
    given(*tables.waiting(2)).when(LeaveSeat(player_id, seat)).refused(Reason.NOT_YOUR_SEAT)


def test_in_a_started_game_the_host_clears_no_seat() -> None:
    given(*IN_PLAY).when(LeaveSeat("ana", 1)).refused(Reason.NOT_YOUR_SEAT)


def test_a_robot_needs_a_free_seat() -> None:
    given(*tables.waiting(2)).when(SeatRobot("ana", 1, EASY)).refused(Reason.SEAT_TAKEN)


@pytest.mark.parametrize("seat", [-1, 3])
def test_a_robot_needs_a_seat_of_the_table(seat: int) -> None:
    given(*tables.waiting()).when(SeatRobot("ana", seat, EASY)).refused(Reason.NO_SUCH_SEAT)


def test_robots_are_seated_before_the_start_only() -> None:
    given(*IN_PLAY).when(SeatRobot("ana", 1, EASY)).refused(Reason.WRONG_PHASE, Facts(phase="playing"))


# Getting up.


def test_a_seat_left_before_the_start_is_free_again() -> None:
    table = given(*tables.waiting(3), SeatLeft(1, BEA))
    table.when(TakeSeat(DANI)).then(SeatTaken(1, DANI))


def test_leaving_before_the_start_frees_the_seat_and_no_more() -> None:
    given(*tables.waiting(2)).when(LeaveSeat("bea", 1)).then(SeatLeft(1, BEA))


def test_the_host_may_leave_while_others_stay() -> None:
    given(*tables.waiting(2)).when(LeaveSeat("ana", 0)).then(SeatLeft(0, ANA))


def test_a_table_that_its_last_player_leaves_is_abandoned() -> None:
    given(*tables.waiting(), RobotSeated(2, EASY)).when(LeaveSeat("ana", 0)).then(SeatLeft(0, ANA), GameAbandoned())


@pytest.mark.parametrize("seat", [0, 2])
def test_nobody_leaves_a_seat_that_is_not_their_own(seat: int) -> None:
    given(*tables.waiting(2)).when(LeaveSeat("bea", seat)).refused(Reason.NOT_YOUR_SEAT)


def test_nobody_but_the_host_leaves_for_a_robot() -> None:
    given(*tables.waiting(2), RobotSeated(2, EASY)).when(LeaveSeat("bea", 2)).refused(Reason.NOT_YOUR_SEAT)


@pytest.mark.parametrize("seat", [-1, 3])
@pytest.mark.parametrize("history", [tables.waiting(3), IN_PLAY], ids=["before", "after"])
def test_nobody_leaves_a_seat_that_the_table_lacks(history: tuple[Event, ...], seat: int) -> None:
    given(*history).when(LeaveSeat("carla", seat)).refused(Reason.NO_SUCH_SEAT)


@pytest.mark.parametrize("history", STARTED.values(), ids=STARTED)
def test_a_seat_left_after_the_start_becomes_a_robots(history: tuple[Event, ...]) -> None:
    given(*history).when(LeaveSeat("bea", 1)).then(SeatLeft(1, BEA), RobotSeated(1, EASY))


def test_a_seat_of_a_started_game_is_left_by_its_player_only() -> None:
    given(*IN_PLAY).when(LeaveSeat("ana", 1)).refused(Reason.NOT_YOUR_SEAT)


def test_who_left_a_started_game_sits_there_no_more_and_the_cards_stay() -> None:
    before, after = given(*IN_PLAY).state, given(*IN_PLAY, SeatLeft(1, BEA), RobotSeated(1, EASY)).state
    assert isinstance(before, Playing)
    assert isinstance(after, Playing)
    assert after.progress.table.occupants == (ANA, Robot(EASY), CARLA)
    assert after.hands == before.hands
    assert table_of(after).seat_of("bea") is None


def test_everybody_may_leave_a_started_game_and_robots_play_on() -> None:
    left = [(SeatLeft(seat, player), RobotSeated(seat, EASY)) for seat, player in enumerate((ANA, BEA, CARLA))]
    state = given(*IN_HAND, *(event for pair in left for event in pair)).state
    assert isinstance(state, Bidding)
    assert state.progress.table.occupants == (Robot(EASY),) * 3


# The start.


def test_a_full_table_starts_with_the_seats_as_taken() -> None:
    started = GameStarted((ANA, BEA, CARLA), 2, (HandPlan(HandKind.NORMAL, 3),))
    given(*tables.waiting(3)).when(StartGame((0, 1, 2), 2)).then(started)


def test_the_seats_may_be_drawn_anew_at_the_start() -> None:
    history = (*tables.waiting(2), RobotSeated(2, EASY))
    started = GameStarted((Robot(EASY), ANA, BEA), 0, (HandPlan(HandKind.NORMAL, 3),), order=(2, 0, 1))
    given(*history).when(StartGame((2, 0, 1), 0)).then(started)


def test_what_players_give_to_the_shuffle_is_kept_with_their_seats() -> None:
    made = replace(tables.create(), client_seed="uno")
    given().when(made).then(tables.created(), SeatTaken(0, ANA, "uno"))
    table = given(*tables.waiting())
    table.when(TakeSeat(BEA, client_seed="dos")).then(SeatTaken(1, BEA, "dos"))
    table.when(TakeSeat(BEA, seat=2, client_seed="dos")).then(SeatTaken(2, BEA, "dos"))


def test_a_table_with_a_free_seat_does_not_start() -> None:
    given(*tables.waiting(2)).when(StartGame((0, 1, 2), 0)).refused(Reason.WRONG_PHASE, Facts(phase="waiting"))


def test_a_game_starts_once() -> None:
    given(*IN_HAND).when(StartGame((0, 1, 2), 0)).refused(Reason.WRONG_PHASE, Facts(phase="bidding"))


# The end.


@pytest.mark.parametrize("history", [OVER, ABANDONED, GIVEN_UP], ids=["finished", "abandoned", "given up"])
@pytest.mark.parametrize(
    "command",
    [
        tables.create(),
        TakeSeat(EVA),
        LeaveSeat("ana", 0),
        SeatRobot("ana", 1, EASY),
        StartGame((0, 1, 2), 0),
        DealHand(()),
        PickBlind(0, 0),
        MakeAuctionBid(0, 1),
        PassAuction(0),
        ChooseTrump(0, Suit.OROS),
        MakeBid(0, 1),
        PlayCard(0, Card.OROS_1),
        ClaimRenuncio(0, 1, 1),
        ExpireTurn(0),
        AbandonGame(),
    ],
    ids=lambda command: type(command).__name__,
)
def test_nothing_happens_after_the_end(history: tuple[Event, ...], command: Command) -> None:
    given(*history).when(command).refused(Reason.GAME_OVER)


def test_an_abandoned_table_keeps_its_empty_seats() -> None:
    assert table_of(given(*ABANDONED).state).free_seats == (0, 1, 2)


def test_a_waiting_table_knows_its_free_seats() -> None:
    state = given(*tables.waiting(2)).state
    assert isinstance(state, Waiting)
    assert state.table.free_seats == (2,)
    assert state.ruleset == HOUSE
