"""Deadlines of games: the time limit of a turn, the moves of robots that take their time, and the abandonment of tables.

Tables are abandoned that are idle, unattended, or left waiting by their host.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta

import msgspec

from domain.pocha.model.events import Event, passes_turn
from domain.pocha.model.state import Finished, InHand, State, Waiting

GRACE = timedelta(seconds=0.5)
"""How long after its deadline a turn expires, so that a move still on its way counts."""


class AbandonAfter(msgspec.Struct, frozen=True):
    """How long after its last commit a game is abandoned: `idle` is for any game, `unattended` for one that rests.

    `host_gone` is for a game that waits for players: it is abandoned so long after the host was last heard of.
    """

    idle: timedelta = timedelta(days=7)
    unattended: timedelta = timedelta(minutes=10)
    host_gone: timedelta = timedelta(hours=1)


class Times(msgspec.Struct, frozen=True):
    """When the current turn began and the last commit was made (UTC)."""

    turn_began: datetime
    last_commit: datetime

    def after(self, before: State, events: Iterable[Event], committed_at: datetime) -> "Times":
        """Return the times after a commit of `events` to the game in the state `before`. A game that rested begins its turn anew."""
        begins = passes_turn(events) or is_resting(before)
        return Times(committed_at if begins else self.turn_began, committed_at)


def is_resting(state: State) -> bool:
    """Tell whether the game rests: no player sits at the table, so robots make no move and no turn expires."""
    return isinstance(state, InHand) and state.progress.table.is_unattended


def robot_due(state: State, times: Times) -> datetime | None:
    """Return when the robot on turn makes its move; None where no robot takes its time."""
    if not isinstance(state, InHand) or is_resting(state) or not state.progress.table.is_paced(state.turn):
        return None
    return times.turn_began + timedelta(seconds=state.progress.table.robot_seconds)


def turn_deadline(state: State, times: Times) -> datetime | None:
    """Return the deadline of the current turn; None without a turn or a time limit, for a robot, and while the game rests."""
    if not isinstance(state, InHand) or is_resting(state) or state.progress.table.is_paced(state.turn):
        return None
    seconds = state.progress.table.turn_seconds
    return None if seconds is None else times.turn_began + timedelta(seconds=seconds)


def has_expired(state: State, times: Times, now: datetime) -> bool:
    """Tell whether the current turn's deadline has passed, grace included."""
    deadline = turn_deadline(state, times)
    return deadline is not None and deadline + GRACE <= now


def next_due(
    state: State, times: Times, abandon_after: AbandonAfter, host_heard_of: datetime | None = None
) -> datetime | None:
    """Return when the game is due for `enforce_deadlines`, unless a commit comes first; None when the game is over and counted.

    A finished game is due at once, to be counted.

    `host_heard_of` is when the host of a game that waits was last heard of, if that is known to be later than the last commit.
    """
    if isinstance(state, Finished):
        return times.last_commit
    if not isinstance(state, (Waiting, InHand)):
        return None
    abandoned = times.last_commit + abandon_after.idle
    if isinstance(state, Waiting):
        return min(abandoned, max(times.last_commit, host_heard_of or times.last_commit) + abandon_after.host_gone)
    if is_resting(state):
        return min(abandoned, times.last_commit + abandon_after.unattended)
    robot = robot_due(state, times)
    if robot is not None:
        return robot
    deadline = turn_deadline(state, times)
    return abandoned if deadline is None else min(deadline + GRACE, abandoned)
