"""The table once more: who may ask for it, and what it is made of."""

from datetime import UTC, datetime, timedelta

import msgspec
import pytest

from domain.table.commands import TakeSeat
from domain.table.decide import take_seat
from domain.table.refusals import RefusedByTable, TableReason
from domain.table.rematch import TableSetup, rematch
from domain.table.table import KeptSeats, Level, Player, Robot, Seat, Table, Visibility
from tests.domain.tables import ANA, BEA, CARLA, COMMITMENT, DANI, SEED

EASY = Robot(Level.EASY)
NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)
MOMENT = timedelta(microseconds=1)


def table(*seats: Seat, visibility: Visibility = Visibility.PUBLIC, turn_seconds: int | None = None) -> Table:
    return Table(ANA, seats, visibility, SEED, COMMITMENT, turn_seconds=turn_seconds)


def test_the_table_is_made_as_it_was() -> None:
    made = table(Seat(ANA), Seat(BEA), Seat(EASY), visibility=Visibility.PRIVATE, turn_seconds=30)
    setup = rematch(made, "bea")
    assert setup == TableSetup(3, (Level.EASY,), Visibility.PRIVATE, 30, players_before=("ana", "bea"))


def test_a_robot_that_stood_in_for_an_absent_player_leaves_the_seat() -> None:
    stood_in = table(Seat(ANA), Seat(EASY, away=BEA), Seat(EASY))
    setup = rematch(stood_in, "ana")
    assert setup == TableSetup(3, (Level.EASY,), Visibility.PUBLIC, players_before=("ana", "bea"))


def kept(*seats: Seat) -> Table:
    """Return a table that keeps seats for Ana, Bea and Carla."""
    return msgspec.structs.replace(table(*seats), kept=KeptSeats(("ana", "bea", "carla"), NOON))


def test_kept_seats_are_for_those_who_have_yet_to_come() -> None:
    both = kept(Seat(ANA), Seat(), Seat(), Seat())
    assert both.kept_seats == (2, 3)
    opened = [both.seats_open_to(who, NOON - MOMENT) for who in ("bea", "carla", "dani")]
    assert opened == [(1, 2, 3), (1, 2, 3), (1,)]
    rest = kept(Seat(ANA), Seat(DANI), Seat(), Seat())
    opened = [rest.seats_open_to(who, NOON - MOMENT) for who in ("bea", "carla", "dani", "eli")]
    assert opened == [(2, 3), (2, 3), (), ()]
    assert rest.seats_open_to("eli", NOON) == (2, 3)
    assert kept(Seat(ANA), Seat(EASY), Seat()).kept_seats == (2,)
    assert kept(Seat(ANA), Seat(DANI), Seat(EASY)).seats_open_to("bea", NOON - MOMENT) == ()


def test_a_player_who_gets_up_again_still_finds_a_seat() -> None:
    assert kept(Seat(), Seat(BEA), Seat(CARLA)).kept_seats == (0,)


def test_a_stranger_takes_no_kept_seat_by_its_number() -> None:
    both = kept(Seat(ANA), Seat(), Seat(), Seat())
    with pytest.raises(RefusedByTable) as refused:
        take_seat(both, TakeSeat(DANI, 2, asked_at=NOON - MOMENT))
    assert refused.value.reason is TableReason.SEAT_TAKEN
    assert take_seat(both, TakeSeat(DANI, 2, asked_at=NOON)) == take_seat(
        both, TakeSeat(DANI, 2, asked_at=NOON + MOMENT)
    )


def test_no_seat_is_kept_for_who_was_removed() -> None:
    table = msgspec.structs.replace(kept(Seat(ANA), Seat(), Seat()), removed=("bea",))
    assert table.kept_seats == (2,)


@pytest.mark.parametrize("player_id", ["ana", "bea"])
def test_players_at_the_table_and_absent_ones_may_ask(player_id: str) -> None:
    assert rematch(table(Seat(ANA), Seat(EASY, away=BEA)), player_id).players == 2


@pytest.mark.parametrize("player", [CARLA, DANI])
def test_other_players_may_not(player: Player) -> None:
    with pytest.raises(RefusedByTable) as refused:
        rematch(table(Seat(ANA), Seat(EASY, away=BEA)), player.player_id)
    assert refused.value.reason is TableReason.NOT_YOUR_SEAT
