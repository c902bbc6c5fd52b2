"""What views and events have in common: people, seats, names, and whose cards a viewer sees."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import TypeVar, assert_never

from msgspec import UNSET, UnsetType

from domain.cards import Card
from domain.pocha import seen
from domain.pocha.ruleset import Ruleset
from domain.pocha.schedule import HandKind
from domain.pocha.table import Occupant, OnTimeout, Player, Robot

T = TypeVar("T")

NO_PRESENCE: Mapping[str, seen.PresenceView] = MappingProxyType({})
"""Nothing is known of anybody."""


def ruleset_ref(ruleset: Ruleset) -> seen.RulesetRef:
    """Return the name under which a ruleset is shown."""
    return seen.RulesetRef(ruleset.id, ruleset.version, ruleset.title, ruleset.house_rules)


def seat_views(
    occupants: tuple[Occupant | None, ...],
    away: tuple[Player | None, ...] = (),
    presence: Mapping[str, seen.PresenceView] = NO_PRESENCE,
) -> tuple[seen.SeatView, ...]:
    """Return who sits where, who is `away` from where, and the `presence` of players by their ids, as far as it is known."""
    return tuple(_seat(seat, who, away, presence) for seat, who in enumerate(occupants))


def _seat(
    seat: int, occupant: Occupant | None, away: tuple[Player | None, ...], presence: Mapping[str, seen.PresenceView]
) -> seen.SeatView:
    match occupant:
        case None:
            return seen.SeatView(seat)
        case Player(player_id=player_id):
            return seen.SeatView(seat, player=player_ref(occupant), presence=presence.get(player_id, UNSET))
        case Robot(level=level):
            gone = away[seat] if away else None
            return seen.SeatView(seat, robot=seen.RobotRef(level), away=player_ref(gone) if gone else UNSET)
        case _:
            assert_never(occupant)


def timeout_view(on_timeout: OnTimeout) -> seen.TimeoutView:
    """Return what happens when a turn's time is over."""
    return seen.TimeoutView(seen.RobotRef(on_timeout.level), on_timeout.takes_seat_after)


def player_ref(player: Player) -> seen.PlayerRef:
    """Return a player, as others see them."""
    return seen.PlayerRef(player.player_id, player.display_name)


def others_cards(
    kind: HandKind, hands: tuple[tuple[Card, ...], ...], viewer: int | None
) -> tuple[seen.SeatCards, ...] | UnsetType:
    """In an india hand a seat sees all cards but its own; a spectator, who could tell the owner, sees none (R-IND-2)."""
    if viewer is None or kind is not HandKind.INDIA:
        return UNSET
    return tuple(seen.SeatCards(seat, cards) for seat, cards in enumerate(hands) if seat != viewer)


def present(value: T | None) -> T | UnsetType:
    """Absent means absent: a fact that there is not is left out."""
    return UNSET if value is None else value
