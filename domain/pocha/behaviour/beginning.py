"""How a game begins: the table is made, and once all seats are taken the first dealer and the schedule are settled."""

from domain.pocha.model.commands import CreateGame, StartGame
from domain.pocha.model.events import Event, GameCreated, GameStarted, RobotSeated, SeatTaken
from domain.pocha.model.refusals import Facts, Reason, Refused
from domain.pocha.model.state import Waiting
from domain.pocha.rules import ruleset
from domain.table.table import OnTimeout

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
        on_timeout=_on_timeout(command),
        tenant=command.tenant,
    )
    first = command.players - len(command.robots)
    robots = (RobotSeated(first + place, level) for place, level in enumerate(command.robots))
    return created, SeatTaken(0, command.host, command.client_seed), *robots


def _on_timeout(command: CreateGame) -> OnTimeout | None:
    chosen = OnTimeout(command.stand_in)
    return None if command.turn_seconds is None and chosen == OnTimeout() else chosen


def start(state: Waiting, command: StartGame) -> Events:
    """Begin: everybody sits in the drawn order."""
    # No seat is free here, so every occupant is somebody.
    seats = tuple(occupant for seat in command.order if (occupant := state.table.seats[seat]) is not None)
    schedule = ruleset.hand_schedule(state.ruleset, len(seats))
    drawn = command.order if command.order != tuple(range(len(seats))) else ()
    return (GameStarted(seats, command.dealer, schedule, drawn),)
