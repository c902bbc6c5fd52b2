"""Listing of a game in the lobby, written with every commit that changes it."""

from collections.abc import Iterable, Iterator
from datetime import datetime

import msgspec
from msgspec import UNSET, UnsetType

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
from domain.pocha.view.parts import Shown
from domain.pocha.view.schema import RobotRef, RulesetRef, SeatView
from domain.table.table import Player, Robot, Seat
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


class ListedSeat(msgspec.Struct, frozen=True, omit_defaults=True):
    """The seat of a listed game, stored without names: `player` and `away` as in `SeatView`."""

    seat: int
    player: Player | UnsetType = UNSET
    robot: RobotRef | UnsetType = UNSET
    away: Player | UnsetType = UNSET


class LobbyEntry(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the lobby shows of a game beside the listing's columns, and the seats that a rematch keeps; stored as JSON."""

    ruleset: ListedRuleset
    seats: tuple[ListedSeat, ...]
    kept_seats: int = 0
    kept_until: datetime | None = None

    def free_seats(self, listing: Listing, now: datetime) -> int:
        """Return how many seats anybody may take now: the free ones without those that a rematch keeps."""
        keeps = self.kept_until is not None and now < self.kept_until
        return listing.free_seats - self.kept_seats if keeps else listing.free_seats

    @property
    def player_ids(self) -> tuple[str, ...]:
        """The players who are shown."""
        found = (player for seat in self.seats for player in (seat.player, seat.away))
        return tuple(player.player_id for player in found if player is not UNSET)

    def seats_at(self, now: datetime, shown: Shown) -> tuple[SeatView, ...]:
        """Return the seats as everybody may see them, with those that a rematch keeps now marked."""
        seats = tuple(
            SeatView(
                each.seat,
                player=UNSET if each.player is UNSET else shown(each.player.player_id),
                robot=each.robot,
                away=UNSET if each.away is UNSET else shown(each.away.player_id),
            )
            for each in self.seats
        )
        return seats if self.kept_until is None else parts.with_kept(seats, self.kept_seats, self.kept_until, now)


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
        listed,
        tuple(_listed_seats(table.seats)),
        len(table.kept_seats),
        table.kept.until if table.kept else None,
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


def _listed_seats(seats: Iterable[Seat]) -> Iterator[ListedSeat]:
    for number, seat in enumerate(seats):
        match seat.occupant:
            case Player() as player:
                yield ListedSeat(number, player=player)
            case Robot(level=level):
                yield ListedSeat(number, robot=RobotRef(level), away=UNSET if seat.away is None else seat.away)
            case _:
                yield ListedSeat(number)
