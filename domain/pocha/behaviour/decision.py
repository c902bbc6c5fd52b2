"""The result of `decide`."""

import msgspec

from domain.pocha.model.events import Event
from domain.pocha.model.state import State


class Decision(msgspec.Struct, frozen=True):
    """The `events` that follow from a command, and the `state` after them."""

    events: tuple[Event, ...]
    state: State
