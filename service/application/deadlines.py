"""Deadlines of games: the time limit of a turn, and the abandonment of an idle table."""

from datetime import datetime, timedelta

import msgspec

from domain.pocha.model.state import InHand, State, Waiting

GRACE = timedelta(seconds=0.5)
"""How long after its deadline a turn expires, so that a move still on its way counts."""

ABANDON_AFTER = timedelta(days=7)
"""Default for how long without a commit a game is abandoned."""


class Times(msgspec.Struct, frozen=True):
    """When the current turn began and the last commit was made (UTC)."""

    turn_began: datetime
    last_commit: datetime


def turn_deadline(state: State, times: Times) -> datetime | None:
    """Return the deadline of the current turn; None without a turn or a time limit."""
    if not isinstance(state, InHand):
        return None
    seconds = state.progress.table.turn_seconds
    return None if seconds is None else times.turn_began + timedelta(seconds=seconds)


def has_expired(state: State, times: Times, now: datetime) -> bool:
    """Tell whether the current turn's deadline has passed, grace included."""
    deadline = turn_deadline(state, times)
    return deadline is not None and deadline + GRACE <= now


def next_due(state: State, times: Times, abandon_after: timedelta) -> datetime | None:
    """Return when the game is due for `enforce_deadlines`, unless a commit comes first; None when the game is over."""
    if not isinstance(state, (Waiting, InHand)):
        return None
    abandoned = times.last_commit + abandon_after
    deadline = turn_deadline(state, times)
    return abandoned if deadline is None else min(deadline + GRACE, abandoned)
