"""The table once more: who may ask for it, and what it is made of."""

import pytest

from domain.table.refusals import RefusedByTable, TableReason
from domain.table.rematch import TableSetup, rematch
from domain.table.table import Level, Player, Robot, Seat, Table, Visibility
from tests.domain.tables import ANA, BEA, CARLA, COMMITMENT, DANI, SEED

EASY = Robot(Level.EASY)


def table(*seats: Seat, visibility: Visibility = Visibility.PUBLIC, turn_seconds: int | None = None) -> Table:
    return Table(ANA, seats, visibility, SEED, COMMITMENT, turn_seconds=turn_seconds)


def test_the_table_is_made_as_it_was() -> None:
    made = table(Seat(ANA), Seat(BEA), Seat(EASY), visibility=Visibility.PRIVATE, turn_seconds=30)
    assert rematch(made, "bea") == TableSetup(3, (Level.EASY,), Visibility.PRIVATE, 30)


def test_a_robot_that_stood_in_for_an_absent_player_leaves_the_seat() -> None:
    stood_in = table(Seat(ANA), Seat(EASY, away=BEA), Seat(EASY))
    assert rematch(stood_in, "ana") == TableSetup(3, (Level.EASY,), Visibility.PUBLIC)


@pytest.mark.parametrize("player_id", ["ana", "bea"])
def test_players_at_the_table_and_absent_ones_may_ask(player_id: str) -> None:
    assert rematch(table(Seat(ANA), Seat(EASY, away=BEA)), player_id).players == 2


@pytest.mark.parametrize("player", [CARLA, DANI])
def test_other_players_may_not(player: Player) -> None:
    with pytest.raises(RefusedByTable) as refused:
        rematch(table(Seat(ANA), Seat(EASY, away=BEA)), player.player_id)
    assert refused.value.reason is TableReason.NOT_YOUR_SEAT
