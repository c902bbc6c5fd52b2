"""Rematch: a table for the players of a game that is over."""

import msgspec

from domain.table.refusals import RefusedByTable, TableReason
from domain.table.table import Level, Player, Robot, Table, Visibility


class TableSetup(msgspec.Struct, frozen=True):
    """What a table is made of: `robots` take the last seats; a turn lasts `turn_seconds` (none: without limit).

    `stand_in` plays for absent players. Robots take `robot_seconds` for a move. `players_before` sat or sit at the table, present or away.
    """

    players: int
    robots: tuple[Level, ...]
    visibility: Visibility
    turn_seconds: int | None = None
    stand_in: Level = Level.EASY
    players_before: tuple[str, ...] = ()
    robot_seconds: int = 0


def rematch(table: Table, player_id: str) -> TableSetup:
    """Return the setup of the same table: robots that only stood in for an absent player leave the seat to the player.

    Raises:
        RefusedByTable: the player neither sat at the table at the end nor was away from it.
    """
    if table.seat_of(player_id) is None and table.away_seat_of(player_id) is None:
        raise RefusedByTable(TableReason.NOT_YOUR_SEAT)
    robots = (seat.occupant.level for seat in table.seats if isinstance(seat.occupant, Robot) and seat.away is None)
    return TableSetup(
        players=len(table.seats),
        robots=tuple(robots),
        visibility=table.visibility,
        turn_seconds=table.turn_seconds,
        stand_in=table.on_timeout.level,
        robot_seconds=table.robot_seconds,
        players_before=tuple(
            person.player_id for seat in table.seats if isinstance(person := seat.away or seat.occupant, Player)
        ),
    )
