"""The table after an event: a seat taken, left or given to a robot, or a turn that expired."""

from typing import assert_never

from msgspec.structs import replace

from domain.seats import changed_at
from domain.table.events import RobotSeated, SeatLeft, SeatTaken, TurnExpired
from domain.table.table import Occupant, Player, Robot, Table


def before_start(table: Table, event: SeatTaken | SeatLeft | RobotSeated) -> Table:
    """Return a waiting table after `event`: a seat that is left is free again, and its part in the shuffle with it."""
    match event:
        case SeatTaken(seat=seat, player=player, client_seed=client_seed):
            return _filled(table, seat, player, client_seed)
        case SeatLeft(seat=seat):
            return _filled(table, seat, None)
        case RobotSeated(seat=seat, level=level):
            return _filled(table, seat, Robot(level))
        case _:
            assert_never(event)


def in_play(table: Table, event: SeatTaken | SeatLeft | RobotSeated | TurnExpired) -> Table:
    """Return the table of a started game after `event`: whose seat becomes a robot's is away, and may come back there."""
    match event:
        case SeatTaken(seat=seat, player=player):
            return _handed(table, seat, player, None)
        case SeatLeft(seat=seat, player=player):
            return _handed(table, seat, None, player)
        case RobotSeated(seat=seat, level=level):
            before = table.seats[seat]
            return _handed(table, seat, Robot(level), before if isinstance(before, Player) else table.away_from(seat))
        case TurnExpired(seat=seat, in_a_row=in_a_row):
            expired = changed_at(table.expired or (0,) * len(table.seats), seat, in_a_row)
            return replace(table, expired=expired, covered=seat)
        case _:
            assert_never(event)


def after_move(table: Table, seat: int) -> Table:
    """Return the table, where turns have expired, after a move of the seat: its own ends its row of them, one made for it does not."""
    if seat == table.covered:
        return replace(table, covered=None)
    return replace(table, expired=changed_at(table.expired, seat, 0)) if table.expired[seat] else table


def _filled(table: Table, seat: int, occupant: Occupant | None, client_seed: str | None = None) -> Table:
    seeds = changed_at(table.client_seeds, seat, client_seed)
    return replace(table, seats=changed_at(table.seats, seat, occupant), client_seeds=seeds)


def _handed(table: Table, seat: int, occupant: Occupant | None, away: Player | None) -> Table:
    """Whatever was counted or covered at the seat belonged to who sat there."""
    return replace(
        table,
        seats=changed_at(table.seats, seat, occupant),
        away=changed_at(table.away or (None,) * len(table.seats), seat, away),
        expired=changed_at(table.expired, seat, 0) if table.expired else (),
        covered=None if seat == table.covered else table.covered,
    )
