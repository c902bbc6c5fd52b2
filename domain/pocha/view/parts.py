"""Parts that views of games and of events share."""

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from types import MappingProxyType
from typing import TypeVar, assert_never

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from domain.cards import Card
from domain.pocha.rules.ruleset import Ruleset
from domain.pocha.rules.schedule import HandKind
from domain.pocha.view import schema
from domain.table.table import AutoPlay, OnTimeout, Player, Robot, Seat, Table

T = TypeVar("T")

SOURCES: Mapping[str, str] = MappingProxyType(
    {
        "seed 000": "Wikipedia (es), «Pocha»",
        "seed 001": "Ludoteka, «Pocha»",
        "seed 002": "Fournier, «Pocha»",
        "seed 003": "Torofun, «Pocha»",
        "seed 004": "Wikipedia (es), «Pocha», versión anterior",
    }
)
"""The texts of the rules that the presets come from, by the numbers that presets have for them."""

NO_PRESENCE: Mapping[str, schema.PresenceView] = MappingProxyType({})
"""The presence of no player is known."""

Shown = Callable[[str], schema.PlayerRef]
"""How others see the player of an id."""


def unnamed(player_id: str) -> schema.PlayerRef:
    """Return a player without a name, where nobody looks at names."""
    return schema.PlayerRef(player_id, "")


def whole_ruleset(ruleset: Ruleset) -> schema.Ruleset:
    """Return a ruleset, all of it. Stored games name its source by a number; readers get the name that they know it by."""
    whole = schema.Ruleset(**{name: getattr(ruleset, name) for name in ruleset.__struct_fields__})
    return replace(whole, source=SOURCES.get(ruleset.source, ruleset.source))


def ruleset_ref(ruleset: Ruleset) -> schema.RulesetRef:
    """Return the reference to a ruleset: its name, edition and title."""
    return schema.RulesetRef(ruleset.id, ruleset.version, ruleset.title, ruleset.house_rules)


def seat_views(
    seats: Iterable[Seat], shown: Shown, presence: Mapping[str, schema.PresenceView] = NO_PRESENCE
) -> tuple[schema.SeatView, ...]:
    """Return the seats with their occupants and absent players; `presence` is by player id."""
    return tuple(_seat(number, seat, shown, presence) for number, seat in enumerate(seats))


def seats_at(
    table: Table, now: datetime, shown: Shown, presence: Mapping[str, schema.PresenceView] = NO_PRESENCE
) -> tuple[schema.SeatView, ...]:
    """Return the seats of a table as `seat_views` does, with those that are kept `now` marked."""
    seats = seat_views(table.seats, shown, presence)
    return seats if table.kept is None else with_kept(seats, len(table.kept_seats), table.kept.until, now)


def with_kept(
    seats: tuple[schema.SeatView, ...], kept: int, until: datetime, now: datetime
) -> tuple[schema.SeatView, ...]:
    """Return the seats with the last `kept` free ones marked, unless it is `until` already."""
    free = [seat.seat for seat in seats if seat.player is UNSET and seat.robot is UNSET]
    marked = free[-kept:] if kept and now < until else ()
    return tuple(replace(seat, kept_until=until) if seat.seat in marked else seat for seat in seats)


def _seat(number: int, seat: Seat, shown: Shown, presence: Mapping[str, schema.PresenceView]) -> schema.SeatView:
    match seat.occupant:
        case None:
            return schema.SeatView(number)
        case Player() as player:
            seen = presence.get(player.player_id, UNSET)
            chosen = UNSET if seat.auto_play is AutoPlay.OFF else seat.auto_play
            return schema.SeatView(number, player=shown(player.player_id), presence=seen, auto_play=chosen)
        case Robot(level=level):
            away = shown(seat.away.player_id) if seat.away else UNSET
            return schema.SeatView(number, robot=schema.RobotRef(level), away=away)
        case _:
            assert_never(seat.occupant)


def timeout_view(on_timeout: OnTimeout) -> schema.TimeoutView:
    """Return the rules for expired turns."""
    return schema.TimeoutView(schema.RobotRef(on_timeout.level), on_timeout.takes_seat_after)


def others_cards(
    kind: HandKind, hands: tuple[tuple[Card, ...], ...], viewer: int | None
) -> tuple[schema.SeatCards, ...] | UnsetType:
    """Return the cards that a seat sees in an india hand: all but its own. A spectator, who could tell the holder, sees none (R-IND-2)."""
    if viewer is None or kind is not HandKind.INDIA:
        return UNSET
    return tuple(schema.SeatCards(seat, cards) for seat, cards in enumerate(hands) if seat != viewer)


def present(value: T | None) -> T | UnsetType:
    """Return the value; UNSET for None, so that the member is left out."""
    return UNSET if value is None else value
