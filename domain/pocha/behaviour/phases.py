"""Errors for commands out of turn, and for commands and events that do not fit the phase of the game."""

from domain.pocha.model.events import Event
from domain.pocha.model.refusals import Facts, Reason, Refused
from domain.pocha.model.state import Abandoned, Finished, InHand, NotCreated, State


class ImpossibleEvent(Exception):
    """An event that cannot follow this state: the log is damaged, or was written by other rules code."""


def impossible(state: State, event: Event) -> ImpossibleEvent:
    """Return the error that `event` cannot follow `state`."""
    return ImpossibleEvent(f"{type(event).__name__} cannot follow {type(state).__name__}")


def wrong_phase(state: State) -> Refused:
    """Return the refusal of a command that belongs to another phase."""
    match state:
        case NotCreated():
            return Refused(Reason.WRONG_PHASE)
        case Finished() | Abandoned():
            return Refused(Reason.GAME_OVER)
        case _:
            return Refused(Reason.WRONG_PHASE, Facts(phase=state.phase))


def require_turn(state: InHand, seat: int) -> None:
    """Return when it is the turn of `seat`.

    Raises:
        Refused: it is not.
    """
    if seat != state.turn:
        raise Refused(Reason.NOT_YOUR_TURN, Facts(seat_on_turn=state.turn))
