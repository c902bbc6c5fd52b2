"""La Pocha, the Spanish game of exact bids, as its five documents tell it (the rulebook).

`decide` turns a command into events, `evolve` and `fold` turn events into the state of a game; `see` and `redact` show a viewer of state
and events what they may know. `Ruleset` holds every parameter by which tables differ, and `PRESETS` the rulesets of the documents.
"""

from domain.pocha.behaviour.decide import decide
from domain.pocha.behaviour.decision import Decision
from domain.pocha.behaviour.evolve import evolve, fold
from domain.pocha.behaviour.phases import ImpossibleEvent
from domain.pocha.model.commands import Command, Move
from domain.pocha.model.events import Event
from domain.pocha.model.refusals import Facts, Reason, Refused
from domain.pocha.model.state import State, progress_of, ruleset_of, table_of
from domain.pocha.rules.presets import DEFAULT, PRESETS
from domain.pocha.rules.ruleset import Ruleset
from domain.pocha.view.event_view import redact
from domain.pocha.view.game_view import ViewContext, see

__all__ = [
    "DEFAULT",
    "PRESETS",
    "Command",
    "Decision",
    "Event",
    "Facts",
    "ImpossibleEvent",
    "Move",
    "Reason",
    "Refused",
    "Ruleset",
    "State",
    "ViewContext",
    "decide",
    "evolve",
    "fold",
    "progress_of",
    "redact",
    "ruleset_of",
    "see",
    "table_of",
]
