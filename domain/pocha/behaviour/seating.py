"""The game's side of the table: creation, seats, expired turns, and the start of the game."""

from typing import assert_never

from msgspec.structs import replace

from domain.pocha.behaviour.decision import Decision
from domain.pocha.behaviour.phases import impossible, require_turn, wrong_phase
from domain.pocha.model.commands import (
    AbandonGame,
    ChooseAutoPlay,
    CreateGame,
    ExpireTurn,
    LeaveSeat,
    SeatRobot,
    StartGame,
    TakeSeat,
)
from domain.pocha.model.events import (
    AutoPlayChosen,
    GameAbandoned,
    GameCreated,
    GameStarted,
    RobotSeated,
    SeatCleared,
    SeatLeft,
    SeatTaken,
    TurnExpired,
)
from domain.pocha.model.refusals import Facts, Reason, Refused
from domain.pocha.model.state import (
    Abandoned,
    Dealing,
    Finished,
    InHand,
    NotCreated,
    Progress,
    State,
    Waiting,
    progress_of,
    ruleset_of,
    table_of,
)
from domain.pocha.rules import ruleset
from domain.table import decide as table_decides
from domain.table import evolve as table_after
from domain.table.refusals import RefusedByTable
from domain.table.table import OnTimeout, Seat, Table

TableCommand = TakeSeat | LeaveSeat | SeatRobot | ChooseAutoPlay | ExpireTurn | AbandonGame
TableEvent = SeatTaken | SeatLeft | SeatCleared | RobotSeated | AutoPlayChosen | TurnExpired | GameAbandoned


def create(state: State, command: CreateGame) -> Decision:
    """Make the table, its creator at seat 0 and the robots at the last seats."""
    if not isinstance(state, NotCreated):
        raise wrong_phase(state)
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
        on_timeout=_on_timeout(command),
        tenant=command.tenant,
        kept=command.kept,
        game_id=command.game_id,
        robot_seconds=command.robot_seconds,
    )
    first = command.players - len(command.robots)
    seated = (
        SeatTaken(0, command.host, command.client_seed),
        *(RobotSeated(seat, level) for seat, level in enumerate(command.robots, first)),
    )
    return Decision((created, *seated), _after(game_created(state, created), seated))


def _on_timeout(command: CreateGame) -> OnTimeout | None:
    chosen = OnTimeout(command.stand_in)
    return None if command.turn_seconds is None and chosen == OnTimeout() else chosen


def start(state: State, command: StartGame) -> Decision:
    """Begin: all sit in the drawn order."""
    if not isinstance(state, Waiting) or state.table.free_seats:
        raise wrong_phase(state)
    # No seat is free here, so every seat has an occupant.
    seats = tuple(occupant for seat in command.order if (occupant := state.table.seats[seat].occupant) is not None)
    started = GameStarted(
        seats=seats,
        dealer=command.dealer,
        schedule=ruleset.hand_schedule(state.ruleset, len(seats)),
        order=command.order if command.order != tuple(range(len(seats))) else (),
    )
    return Decision((started,), game_started(state, started))


def at_table(state: State, command: TableCommand) -> Decision:
    """Ask the table."""
    try:
        events = _events_at_table(state, command)
    except RefusedByTable as refused:
        raise Refused(Reason(refused.reason.value)) from None
    return Decision(events, _after(state, events))


def _events_at_table(state: State, command: TableCommand) -> tuple[TableEvent, ...]:
    match command:
        case TakeSeat():
            return _take_seat(state, command)
        case LeaveSeat():
            return _leave_seat(state, command)
        case SeatRobot():
            return _seat_robot(state, command)
        case ChooseAutoPlay():
            return _choose_auto_play(state, command)
        case ExpireTurn():
            return _expire_turn(state, command)
        case AbandonGame():
            return _abandon(state)
        case _:
            assert_never(command)


def _take_seat(state: State, command: TakeSeat) -> tuple[TableEvent, ...]:
    match state:
        case NotCreated():
            raise wrong_phase(state)
        case Waiting():
            return table_decides.take_seat(state.table, command)
        case InHand():
            return table_decides.come_back(state.progress.table, command)
        case Dealing() | Finished() | Abandoned():
            table_decides.require_invited(table_of(state), command)
            raise Refused(Reason.GAME_FULL) if isinstance(state, Dealing) else wrong_phase(state)
        case _:
            assert_never(state)


def _leave_seat(state: State, command: LeaveSeat) -> tuple[TableEvent, ...]:
    match state:
        case Waiting():
            return table_decides.leave_waiting(state.table, command)
        case InHand():
            return table_decides.leave_started(state.progress.table, command)
        case _:
            raise wrong_phase(state)


def _seat_robot(state: State, command: SeatRobot) -> tuple[TableEvent, ...]:
    if not isinstance(state, Waiting):
        raise wrong_phase(state)
    return table_decides.seat_robot(state.table, command)


def _choose_auto_play(state: State, command: ChooseAutoPlay) -> tuple[TableEvent, ...]:
    if not isinstance(state, InHand):
        raise wrong_phase(state)
    return table_decides.choose_auto_play(state.progress.table, command)


def _expire_turn(state: State, command: ExpireTurn) -> tuple[TableEvent, ...]:
    if not isinstance(state, InHand):
        raise wrong_phase(state)
    require_turn(state, command.seat)
    table = state.progress.table
    if table.turn_seconds is None or table.robot_at(command.seat) is not None:
        raise wrong_phase(state)
    return table_decides.expire_turn(table, command)


def _abandon(state: State) -> tuple[TableEvent, ...]:
    if not isinstance(state, Waiting | InHand):
        raise wrong_phase(state)
    return (GameAbandoned(),)


def game_created(state: State, event: GameCreated) -> Waiting:
    """Return the new table, all seats free."""
    if not isinstance(state, NotCreated):
        raise impossible(state, event)
    table = Table(
        host=event.host,
        seats=(Seat(),) * event.players,
        visibility=event.visibility,
        seed=event.seed,
        commitment=event.commitment,
        invite_code=event.invite_code,
        turn_seconds=event.turn_seconds,
        on_timeout=event.on_timeout or OnTimeout(),
        tenant=event.tenant,
        kept=event.kept,
        game_id=event.game_id,
        robot_seconds=event.robot_seconds,
    )
    return Waiting(table, event.ruleset)


def game_started(state: State, event: GameStarted) -> Dealing:
    """Return the game before its first hand; client seeds move with their players."""
    if not isinstance(state, Waiting):
        raise impossible(state, event)
    players = len(event.seats)
    order = event.order or tuple(range(players))
    seats = tuple(
        replace(state.table.seats[before], occupant=occupant)
        for before, occupant in zip(order, event.seats, strict=True)
    )
    none = (0,) * players
    return Dealing(
        Progress(
            table=replace(state.table, seats=seats, kept=None, removed=()),
            ruleset=state.ruleset,
            schedule=event.schedule,
            first_dealer=event.dealer,
            order=order,
            results=(),
            claims=(),
            totals=none,
            missed=none,
            ranks=(1,) * players,
        )
    )


def table_changed(state: State, event: TableEvent) -> State:
    """Return the game after an event at its table."""
    match state, event:
        case ((Waiting() | InHand()), GameAbandoned()):
            return Abandoned(table_of(state), ruleset_of(state), progress_of(state))
        case Waiting(), (SeatTaken() | SeatLeft() | SeatCleared() | RobotSeated()):
            return Waiting(table_after.before_start(state.table, event), state.ruleset)
        case InHand(), (SeatTaken() | SeatLeft() | RobotSeated() | AutoPlayChosen() | TurnExpired()):
            table = table_after.in_play(state.progress.table, event)
            return replace(state, progress=replace(state.progress, table=table))
        case _:
            raise impossible(state, event)


def moved(progress: Progress, seat: int) -> Progress:
    """Return the progress after a move of the seat: the same, unless turns of the seat have expired."""
    if not progress.table.seats[seat].expired_turns:
        return progress
    return replace(progress, table=table_after.after_move(progress.table, seat))


def _after(state: State, events: tuple[TableEvent, ...]) -> State:
    for event in events:
        state = table_changed(state, event)
    return state
