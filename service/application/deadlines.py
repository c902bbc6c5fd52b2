"""When a game wants to be looked at although nobody moves: a turn's time is over, or nobody has come for days."""

from datetime import datetime, timedelta

import msgspec

from domain.pocha.model.state import InHand, State, Waiting

GRACE = timedelta(seconds=0.5)
"""How long after a turn's deadline a move that was still on its way is waited for."""

ABANDON_AFTER = timedelta(days=7)
"""After how long without a commit a game is abandoned, unless the settings say otherwise."""


class Times(msgspec.Struct, frozen=True):
    """When the present turn began, and when the last commit was made (UTC)."""

    turn_began: datetime
    last_commit: datetime


def turn_deadline(state: State, times: Times) -> datetime | None:
    """Return when the time of the present turn is over; none when there is no turn, or no limit."""
    if not isinstance(state, InHand):
        return None
    seconds = state.match.table.turn_seconds
    return None if seconds is None else times.turn_began + timedelta(seconds=seconds)


def has_expired(state: State, times: Times, now: datetime) -> bool:
    """Tell whether the present turn's time is over, grace included."""
    deadline = turn_deadline(state, times)
    return deadline is not None and deadline + GRACE <= now


def next_due(state: State, times: Times, abandon_after: timedelta) -> datetime | None:
    """Return when something has to be done about the game, if nobody moves till then; none when it is over."""
    if not isinstance(state, (Waiting, InHand)):
        return None
    abandoned = times.last_commit + abandon_after
    deadline = turn_deadline(state, times)
    return abandoned if deadline is None else min(deadline + GRACE, abandoned)
