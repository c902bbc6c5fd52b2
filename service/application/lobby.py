"""Listing of a game in the lobby, written with every commit that changes it."""

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
"""Events that change the listing. `TurnExpired` sets a new deadline; after other turns, the deadline worker postpones it."""


class ListedRuleset(RulesetRef, frozen=True):
    """The ruleset of a listed game. It is stored, by the name that its `ruleset_id` had before."""

    ruleset_id: str = msgspec.field(name="id")


class LobbyEntry(msgspec.Struct, frozen=True):
    """What the lobby shows of a game beside the listing's columns; stored as JSON."""

    ruleset: ListedRuleset
    seats: tuple[SeatView, ...]


def changed_listing(events: Iterable[Event], state: State, deadline: datetime | None) -> Listing | None:
    """Return the listing of a game after `events`, which led to `state`; None when they do not change it.

    `deadline` is when the game is due for `enforce_deadlines`.
    """
    return _listing(state, deadline) if any(isinstance(event, _LISTED_EVENTS) for event in events) else None


def _listing(state: State, deadline: datetime | None) -> Listing:
    table, ruleset = table_of(state), ruleset_of(state)
    listed = ListedRuleset(ruleset.id, ruleset.version, ruleset.title, ruleset.house_rules)
    entry = LobbyEntry(listed, parts.seat_views(table.seats))
    return Listing(
        status=game_view.status(state),
        visibility=table.visibility,
        ruleset_id=ruleset.id,
        players=len(table.seats),
        free_seats=len(table.free_seats),
        seats=msgspec.json.encode(entry),
        deadline=deadline,
        player_ids=tuple(dict.fromkeys(player.player_id for player in table.players)),
        tenant=table.tenant,
    )
