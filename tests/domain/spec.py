"""Given these events, when that is asked, then this happens, or it is refused: the words in which the tests of `decide` are written."""

from collections.abc import Iterable

import pytest

from domain.pocha import decide
from domain.pocha.behaviour.evolve import fold
from domain.pocha.model.commands import Command
from domain.pocha.model.events import Event
from domain.pocha.model.refusals import NO_FACTS, Facts, Reason, Refused
from domain.pocha.model.state import NotCreated, State


class Asked:
    """A command, put to the game that the given events led to."""

    def __init__(self, state: State, command: Command) -> None:
        self._state = state
        self._command = command

    def happened(self) -> tuple[Event, ...]:
        """Return the events that follow, to be looked at one by one."""
        decision = decide(self._state, self._command)
        assert decision.state == fold(self._state, decision.events)
        return decision.events

    def then(self, *events: Event) -> None:
        """Assert that just these events follow."""
        assert self.happened() == events

    def refused(self, reason: Reason, facts: Facts = NO_FACTS) -> None:
        """Assert that the command is refused for `reason`, and that no more than `facts` is told."""
        with pytest.raises(Refused) as refusal:
            self.happened()
        assert (refusal.value.reason, refusal.value.facts) == (reason, facts)


class Given:
    """A game at the point to which the given events led."""

    def __init__(self, events: Iterable[Event]) -> None:
        self.state = fold(NotCreated(), events)

    def when(self, command: Command) -> Asked:
        """Ask `command` of the game."""
        return Asked(self.state, command)


def given(*events: Event) -> Given:
    """Begin a sentence: these events happened, in this order, to a game that was not."""
    return Given(events)
