"""How a game looks from outside: the row of the lobby, written with every commit that changes it."""

from collections.abc import Iterable
from datetime import datetime

import msgspec

from domain.pocha.model.events import (
    Event,
    GameAbandoned,
    GameCreated,
    GameOver,
    GameStarted,
    RobotSeated,
    SeatLeft,
    SeatTaken,
    TurnExpired,
)
from domain.pocha.model.state import State, ruleset_of, table_of
from domain.pocha.view import game_view, parts
from domain.pocha.view.schema import RulesetRef, SeatView
from service.application.ports import Listing

_LISTED_EVENTS = (
    GameCreated,
    SeatTaken,
    SeatLeft,
    RobotSeated,
    GameStarted,
    TurnExpired,
    GameOver,
    GameAbandoned,
)
"""What changes the row. An expired turn does because it sets the deadline anew; other turns put it off when it is looked at."""


class LobbyEntry(msgspec.Struct, frozen=True):
    """What the lobby shows of a game beside its listing's columns; kept there as JSON."""

    ruleset: RulesetRef
    seats: tuple[SeatView, ...]


def changed_listing(events: Iterable[Event], state: State, deadline: datetime | None) -> Listing | None:
    """Return the row of a game that `events` brought to `state`; none when they changed nothing that it shows.

    `deadline` is when the game wants to be looked at, should nobody move till then.
    """
    return _listing(state, deadline) if any(isinstance(event, _LISTED_EVENTS) for event in events) else None


def _listing(state: State, deadline: datetime | None) -> Listing:
    table, ruleset = table_of(state), ruleset_of(state)
    outside = LobbyEntry(parts.ruleset_ref(ruleset), parts.seat_views(table.seats))
    return Listing(
        status=game_view.status(state),
        visibility=table.visibility,
        ruleset_id=ruleset.id,
        players=len(table.seats),
        free_seats=len(table.free_seats),
        seats=msgspec.json.encode(outside),
        deadline=deadline,
        player_ids=tuple(player.player_id for player in table.seated_players),
        tenant=table.tenant,
    )
