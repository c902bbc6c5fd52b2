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
    SeatCleared,
    SeatLeft,
    SeatTaken,
    TurnExpired,
)
from domain.pocha.model.state import InHand, State, ruleset_of, table_of
from domain.pocha.view import game_view, parts
from domain.pocha.view.schema import RulesetRef, SeatView
from service.application.ports import Listing

_LISTED_EVENTS = (
    GameCreated,
    SeatTaken,
    SeatLeft,
    SeatCleared,
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


class LobbyEntry(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the lobby shows of a game beside the listing's columns, and the seats that a rematch keeps; stored as JSON."""

    ruleset: ListedRuleset
    seats: tuple[SeatView, ...]
    kept_seats: int = 0
    kept_until: datetime | None = None

    def free_seats(self, listing: Listing, now: datetime) -> int:
        """Return how many seats anybody may take now: the free ones without those that a rematch keeps."""
        keeps = self.kept_until is not None and now < self.kept_until
        return listing.free_seats - self.kept_seats if keeps else listing.free_seats

    def seats_at(self, now: datetime) -> tuple[SeatView, ...]:
        """Return the seats, with those that a rematch keeps now marked."""
        return (
            self.seats
            if self.kept_until is None
            else parts.with_kept(self.seats, self.kept_seats, self.kept_until, now)
        )


def changed_listing(events: Iterable[Event], state: State, deadline: datetime | None) -> Listing | None:
    """Return the listing of a game after `events`, which led to `state`; None when they do not change it.

    `deadline` is when the game is due for `enforce_deadlines`; a robot that takes its time is not waited for longer than that.
    """
    changes = _awaits_robot(state) or any(isinstance(event, _LISTED_EVENTS) for event in events)
    return _listing(state, deadline) if changes else None


def _awaits_robot(state: State) -> bool:
    return isinstance(state, InHand) and state.progress.table.is_paced(state.turn)


def _listing(state: State, deadline: datetime | None) -> Listing:
    table, ruleset = table_of(state), ruleset_of(state)
    listed = ListedRuleset(ruleset.id, ruleset.version, ruleset.title, ruleset.house_rules)
    entry = LobbyEntry(
        listed, parts.seat_views(table.seats), len(table.kept_seats), table.kept.until if table.kept else None
    )
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
