"""How a game looks from outside: the row of the lobby, written with every commit that changes it."""

from collections.abc import Iterable

import msgspec

from domain.pocha import shown, view
from domain.pocha.events import (
    Event,
    GameAbandoned,
    GameCreated,
    GameOver,
    GameStarted,
    RobotSeated,
    SeatLeft,
    SeatTaken,
)
from domain.pocha.seen import RulesetRef, SeatView
from domain.pocha.state import State, table_of
from service.ports import Listing

_SEEN_FROM_OUTSIDE = (GameCreated, SeatTaken, SeatLeft, RobotSeated, GameStarted, GameOver, GameAbandoned)


class Outside(msgspec.Struct, frozen=True):
    """What the lobby shows of a game beside its listing's columns; kept there as JSON."""

    ruleset: RulesetRef
    seats: tuple[SeatView, ...]


def listing_after(events: Iterable[Event], state: State) -> Listing | None:
    """Return the row of a game that `events` brought to `state`; none when they changed nothing that it shows."""
    return _listing(state) if any(isinstance(event, _SEEN_FROM_OUTSIDE) for event in events) else None


def _listing(state: State) -> Listing:
    table = table_of(state)
    outside = Outside(shown.ruleset_ref(table.ruleset), shown.seat_views(table.seats))
    return Listing(
        status=view.status(state),
        visibility=table.visibility,
        ruleset_id=table.ruleset.id,
        players=len(table.seats),
        free_seats=len(table.free_seats()),
        seats=msgspec.json.encode(outside),
    )
