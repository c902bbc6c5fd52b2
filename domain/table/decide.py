"""From a command to the events of a table: a seat is taken, left or given to a robot, or a turn expires."""

from datetime import UTC, datetime

from domain.table.commands import ChooseAutoPlay, ExpireTurn, LeaveSeat, SeatRobot, TakeSeat
from domain.table.events import (
    AutoPlayChosen,
    GameAbandoned,
    RobotSeated,
    SeatCleared,
    SeatLeft,
    SeatTaken,
    TableEvent,
    TurnExpired,
)
from domain.table.refusals import RefusedByTable, TableReason
from domain.table.table import Occupant, Player, Table

Events = tuple[TableEvent, ...]

_BEGINNING = datetime.min.replace(tzinfo=UTC)


def require_invited(table: Table, command: TakeSeat) -> None:
    """Return when the player may know of this table: it is public, they sit or sat there, or they are invited.

    Raises:
        RefusedByTable: they may not.
    """
    if not command.invited and not table.admits(command.player.player_id):
        raise RefusedByTable(TableReason.NOT_INVITED)


def take_seat(table: Table, command: TakeSeat) -> Events:
    """Sit down at the seat asked for, or at the first free one; who sits there already may give a client seed."""
    require_invited(table, command)
    own = table.seat_of(command.player.player_id)
    if own is not None:
        return _give_seed(table, command, own)
    if command.player.player_id in table.removed:
        raise RefusedByTable(TableReason.REMOVED_BY_HOST)
    open_seats = table.seats_open_to(command.player.player_id, command.asked_at or _BEGINNING)
    if not open_seats:
        raise RefusedByTable(TableReason.GAME_FULL)
    if command.seat is None:
        return (SeatTaken(open_seats[0], command.player, command.client_seed),)
    _require_free(table, command.seat)
    if command.seat not in open_seats:
        raise RefusedByTable(TableReason.SEAT_TAKEN)
    return (SeatTaken(command.seat, command.player, command.client_seed),)


def _give_seed(table: Table, command: TakeSeat, own: int) -> Events:
    """Give a seed for the shuffle from the own seat, once: the player can have read the commitment first."""
    if command.client_seed is None or command.seat not in (None, own) or table.seats[own].client_seed is not None:
        raise RefusedByTable(TableReason.ALREADY_SEATED)
    return (SeatTaken(own, command.player, command.client_seed),)


def seat_robot(table: Table, command: SeatRobot) -> Events:
    """Let the service play a free seat."""
    if not table.is_hosted_by(command.player_id):
        raise RefusedByTable(TableReason.NOT_THE_HOST)
    _require_free(table, command.seat)
    return (RobotSeated(command.seat, command.level),)


def _require_free(table: Table, seat: int) -> None:
    if _occupant(table, seat) is not None:
        raise RefusedByTable(TableReason.SEAT_TAKEN)


def leave_waiting(table: Table, command: LeaveSeat) -> Events:
    """Get up before the start: the seat is free again, and a table without players is abandoned. The host may clear other seats."""
    occupant = _occupant(table, command.seat)
    is_own = isinstance(occupant, Player) and occupant.player_id == command.player_id
    if occupant is not None and not is_own and table.is_hosted_by(command.player_id):
        return (SeatCleared(command.seat, occupant if isinstance(occupant, Player) else None),)
    player = _own_seat(table, command)
    left = SeatLeft(command.seat, player)
    return (left,) if len(table.seated_players) > 1 else (left, GameAbandoned())


def leave_started(table: Table, command: LeaveSeat) -> Events:
    """Get up from a started game: a robot plays on."""
    return SeatLeft(command.seat, _own_seat(table, command)), RobotSeated(command.seat, table.on_timeout.level)


def come_back(table: Table, command: TakeSeat) -> Events:
    """Take the own seat of a started game again, which a robot plays now."""
    player_id = command.player.player_id
    require_invited(table, command)
    if table.seat_of(player_id) is not None:
        raise RefusedByTable(TableReason.ALREADY_SEATED)
    seat = table.away_seat_of(player_id)
    if seat is None:
        raise RefusedByTable(TableReason.GAME_FULL)
    if command.seat is not None and command.seat != seat:
        raise RefusedByTable(
            TableReason.SEAT_TAKEN if command.seat in range(len(table.seats)) else TableReason.NO_SUCH_SEAT
        )
    return (SeatTaken(seat, command.player),)


def choose_auto_play(table: Table, command: ChooseAutoPlay) -> Events:
    """Note which moves of the own seat the service is to make."""
    _own_seat(table, command)
    return (AutoPlayChosen(command.seat, command.auto_play),)


def expire_turn(table: Table, command: ExpireTurn) -> Events:
    """Let a robot make this move; after so many in a row, the seat is the robot's."""
    rules = table.on_timeout
    expired = TurnExpired(command.seat, in_a_row=table.seats[command.seat].expired_turns + 1)
    if expired.in_a_row < rules.takes_seat_after:
        return (expired,)
    return expired, RobotSeated(command.seat, rules.level)


def _own_seat(table: Table, command: LeaveSeat | ChooseAutoPlay) -> Player:
    occupant = _occupant(table, command.seat)
    if not isinstance(occupant, Player) or occupant.player_id != command.player_id:
        raise RefusedByTable(TableReason.NOT_YOUR_SEAT)
    return occupant


def _occupant(table: Table, seat: int) -> Occupant | None:
    if seat not in range(len(table.seats)):
        raise RefusedByTable(TableReason.NO_SUCH_SEAT)
    return table.seats[seat].occupant
