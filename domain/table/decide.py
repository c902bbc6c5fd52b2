"""Decisions around the game: making the table, sitting down, getting up, starting, coming back, letting one's time run out."""

from domain.pocha.model.commands import CreateGame, ExpireTurn, LeaveSeat, SeatRobot, StartGame, TakeSeat
from domain.pocha.model.events import (
    Event,
    GameAbandoned,
    GameCreated,
    GameStarted,
    RobotSeated,
    SeatLeft,
    SeatTaken,
    TurnExpired,
)
from domain.pocha.model.refusals import Facts, Reason, Refused
from domain.pocha.rules import ruleset
from domain.table.table import Level, Occupant, OnTimeout, Player, Table

Events = tuple[Event, ...]


def create(command: CreateGame) -> Events:
    """Make the table, its creator at seat 0 and the robots at the last seats."""
    allowed = command.ruleset.players.allowed
    if command.players not in allowed:
        raise Refused(Reason.WRONG_NUMBER_OF_PLAYERS, Facts(players_allowed=allowed))
    if len(command.robots) >= command.players:
        raise Refused(Reason.TOO_MANY_ROBOTS)
    created = GameCreated(
        ruleset=command.ruleset,
        players=command.players,
        host=command.host,
        visibility=command.visibility,
        seed=command.seed,
        commitment=command.commitment,
        invite_code=command.invite_code,
        turn_seconds=command.turn_seconds,
        on_timeout=None if command.turn_seconds is None else OnTimeout(),
        tenant=command.tenant,
    )
    first = command.players - len(command.robots)
    robots = (RobotSeated(first + place, level) for place, level in enumerate(command.robots))
    return created, SeatTaken(0, command.host, command.client_seed), *robots


def take_seat(table: Table, command: TakeSeat) -> Events:
    """Sit down at the seat asked for, or at the first free one."""
    if not table.admits(command.player.player_id, command.invite_code):
        raise Refused(Reason.NOT_INVITED)
    if table.seat_of(command.player.player_id) is not None:
        raise Refused(Reason.ALREADY_SEATED)
    free = table.free_seats()
    if not free:
        raise Refused(Reason.GAME_FULL)
    if command.seat is None:
        return (SeatTaken(free[0], command.player, command.client_seed),)
    _require_free(table, command.seat)
    return (SeatTaken(command.seat, command.player, command.client_seed),)


def seat_robot(table: Table, command: SeatRobot) -> Events:
    """Let the service play a free seat."""
    if not table.is_hosted_by(command.player_id):
        raise Refused(Reason.NOT_THE_HOST)
    _require_free(table, command.seat)
    return (RobotSeated(command.seat, command.level),)


def _require_free(table: Table, seat: int) -> None:
    if _occupant(table, seat) is not None:
        raise Refused(Reason.SEAT_TAKEN)


def leave_waiting(table: Table, command: LeaveSeat) -> Events:
    """Get up before the start: the seat is free again, and a table without persons is given up."""
    player = _own_seat(table, command)
    others = any(isinstance(occupant, Player) for occupant in table.seats if occupant != player)
    left = SeatLeft(command.seat, player)
    return (left,) if others else (left, GameAbandoned())


def leave_started(table: Table, command: LeaveSeat) -> Events:
    """Get up from a started game: a robot plays on."""
    return SeatLeft(command.seat, _own_seat(table, command)), RobotSeated(command.seat, Level.EASY)


def come_back(table: Table, command: TakeSeat) -> Events:
    """Take the own seat of a started game again, which a robot plays now."""
    player_id = command.player.player_id
    if not table.admits(player_id, command.invite_code):
        raise Refused(Reason.NOT_INVITED)
    if table.seat_of(player_id) is not None:
        raise Refused(Reason.ALREADY_SEATED)
    seat = table.away_seat_of(player_id)
    if seat is None:
        raise Refused(Reason.GAME_FULL)
    if command.seat is not None and command.seat != seat:
        raise Refused(Reason.SEAT_TAKEN if command.seat in range(len(table.seats)) else Reason.NO_SUCH_SEAT)
    return (SeatTaken(seat, command.player),)


def expire_turn(table: Table, command: ExpireTurn) -> Events:
    """Let a robot make this move; after so many in a row, the seat is the robot's."""
    rules = table.on_timeout
    in_a_row = 1 + (table.expired[command.seat] if table.expired else 0)
    expired = TurnExpired(command.seat, in_a_row)
    return (expired,) if in_a_row < rules.takes_seat_after else (expired, RobotSeated(command.seat, rules.level))


def _own_seat(table: Table, command: LeaveSeat) -> Player:
    occupant = _occupant(table, command.seat)
    if not isinstance(occupant, Player) or occupant.player_id != command.player_id:
        raise Refused(Reason.NOT_YOUR_SEAT)
    return occupant


def _occupant(table: Table, seat: int) -> Occupant | None:
    if seat not in range(len(table.seats)):
        raise Refused(Reason.NO_SUCH_SEAT)
    return table.seats[seat]


def start(table: Table, command: StartGame) -> Events:
    """Begin: everybody sits in the drawn order."""
    # No seat is free here, so every occupant is somebody.
    seats = tuple(occupant for seat in command.order if (occupant := table.seats[seat]) is not None)
    schedule = ruleset.hand_schedule(table.ruleset, len(seats))
    drawn = command.order if command.order != tuple(range(len(seats))) else ()
    return (GameStarted(seats, command.dealer, schedule, drawn),)
