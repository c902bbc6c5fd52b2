"""From an event to the state of a table."""

from typing import assert_never

from msgspec.structs import replace

from domain.seats import changed_at
from domain.table.events import AutoPlayChosen, RobotSeated, SeatCleared, SeatLeft, SeatTaken, TurnExpired
from domain.table.table import AutoPlay, Player, Robot, Seat, Table


def before_start(table: Table, event: SeatTaken | SeatLeft | SeatCleared | RobotSeated) -> Table:
    """Return a waiting table after `event`: a seat that is left is free again, and its part in the shuffle with it."""
    match event:
        case SeatTaken():
            seat = Seat(event.player, client_seed=event.client_seed)
        case SeatLeft():
            seat = Seat()
        case SeatCleared():
            seat = Seat()
            if event.player is not None:
                table = replace(table, removed=(*table.removed, event.player.player_id))
        case RobotSeated():
            seat = Seat(Robot(event.level))
        case _:
            assert_never(event)
    return replace(table, seats=changed_at(table.seats, event.seat, seat))


def in_play(table: Table, event: SeatTaken | SeatLeft | RobotSeated | AutoPlayChosen | TurnExpired) -> Table:
    """Return the table of a started game after `event`: a player whose seat becomes a robot's is away, and may come back there."""
    before = table.seats[event.seat]
    match event:
        case SeatTaken():
            return _handed_over(table, event.seat, replace(before, occupant=event.player, away=None))
        case SeatLeft():
            return _handed_over(table, event.seat, replace(before, occupant=None, away=event.player))
        case RobotSeated():
            away = before.occupant if isinstance(before.occupant, Player) else before.away
            return _handed_over(table, event.seat, replace(before, occupant=Robot(event.level), away=away))
        case AutoPlayChosen():
            chosen = replace(before, auto_play=event.auto_play)
            return replace(table, seats=changed_at(table.seats, event.seat, chosen))
        case TurnExpired():
            seat = replace(before, expired_turns=event.in_a_row)
            return replace(table, seats=changed_at(table.seats, event.seat, seat), covered=event.seat)
        case _:
            assert_never(event)


def after_move(table: Table, seat: int) -> Table:
    """Return the table after a move of the seat: a move of its occupant ends the row of expired turns, a robot's in its place does not."""
    if seat == table.covered:
        return replace(table, covered=None)
    return replace(table, seats=changed_at(table.seats, seat, replace(table.seats[seat], expired_turns=0)))


def _handed_over(table: Table, number: int, seat: Seat) -> Table:
    """Expired turns, and the choice of moves that the service makes, belong to the occupant before."""
    return replace(
        table,
        seats=changed_at(table.seats, number, replace(seat, expired_turns=0, auto_play=AutoPlay.OFF)),
        covered=None if number == table.covered else table.covered,
    )
