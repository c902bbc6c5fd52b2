"""What crosses the wire besides the game itself: the bodies of requests and the remaining answers.

Game views and events are `domain.pocha.seen`. Requests refuse unknown fields; answers may grow new ones. `api/openapi.yaml` says the same
in its own words, and `tests/contract` proves it.
"""

from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

from domain.cards import Card, Suit
from domain.pocha.refusals import Reason
from domain.pocha.ruleset import Ruleset
from domain.pocha.schedule import HandKind, HandPlan
from domain.pocha.seen import (
    Cards,
    GameView,
    HandNumber,
    Id,
    Moment,
    Multiplier,
    Players,
    RulesetRef,
    Seat,
    SeatView,
    SeenEvent,
    Status,
    Total,
    Tricks,
    Version,
)
from domain.pocha.table import Level, Visibility

# Python's `$` alone would let a line feed at the end pass; `\Z` does not, and is what `$` means in the contract (ECMA 262).
_NO_CONTROL = r"[^\x00-\x1f\x7f-\x9f]"
# Something that shows, and no control characters.
_SHOWN = rf"^{_NO_CONTROL}*[^\s\x00-\x1f\x7f-\x9f]{_NO_CONTROL}*\Z"

DisplayName = Annotated[str, Meta(min_length=1, max_length=40, pattern=_SHOWN)]
RulesetId = Annotated[str, Meta(max_length=60, pattern=r"^[a-z0-9]+(-[a-z0-9]+)*\Z")]
InviteCode = Annotated[str, Meta(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9_-]+\Z")]
Cursor = Annotated[str, Meta(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9_-]+\Z")]
PlayerCount = Annotated[int, Meta(ge=2, le=10)]
BidNumber = Annotated[int, Meta(ge=0, le=24)]


class _Request(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Base of request bodies."""


class NewPlayer(_Request, frozen=True):
    """Who wants to play."""

    display_name: DisplayName


class RobotSpec(_Request, frozen=True):
    """A robot to be seated."""

    level: Level


class NewGame(_Request, frozen=True):
    """The table to be made."""

    ruleset: RulesetId
    players: PlayerCount
    robots: Annotated[tuple[RobotSpec, ...], Meta(max_length=9)] = ()
    visibility: Visibility = Visibility.PUBLIC


class _Move(_Request, frozen=True):
    """Base of what is asked of a game: with `expected_version` it is carried out only if the game stands there."""

    expected_version: Version | UnsetType = UNSET


class JoinRequest(_Request, frozen=True):
    """Where to sit, and by what right."""

    invite_code: InviteCode | UnsetType = UNSET
    seat: Seat | UnsetType = UNSET


class BidRequest(_Move, frozen=True, kw_only=True):
    """A bid."""

    bid: BidNumber


class PlayRequest(_Move, frozen=True, kw_only=True):
    """A card to be played."""

    card: Card


class Guest(msgspec.Struct, frozen=True):
    """A new player, and the bearer token that speaks for them. The token is shown only here."""

    player_id: Id
    display_name: str
    token: str


class ScheduleFor(msgspec.Struct, frozen=True):
    """The hands of a game for one number of players, and the cards left out of the pack."""

    players: Players
    removed: tuple[Card, ...]
    hands: tuple[HandPlan, ...]


class RulesetView(msgspec.Struct, frozen=True):
    """A ruleset with every parameter, and its hand schedule for each number of players."""

    ruleset: Ruleset
    schedules: tuple[ScheduleFor, ...]


class RulesetList(msgspec.Struct, frozen=True):
    """The rulesets that games can be made with."""

    items: tuple[RulesetView, ...]


class GameSummary(msgspec.Struct, frozen=True):
    """A public table as the lobby lists it."""

    game_id: Id
    status: Status
    ruleset: RulesetRef
    players: Players
    free_seats: Annotated[int, Meta(ge=0, le=10)]
    created_at: Moment
    seats: tuple[SeatView, ...]


class GameList(msgspec.Struct, frozen=True):
    """A page of the lobby, newest table first; `next_cursor` leads to the next page, where there is one."""

    items: tuple[GameSummary, ...]
    next_cursor: Cursor | UnsetType = UNSET


class MoveResult(msgspec.Struct, frozen=True):
    """What a move led to: the version it made, what happened, and the game after it, as the caller may see them."""

    version: Version
    events: tuple[SeenEvent, ...]
    game: GameView


class EventPage(msgspec.Struct, frozen=True):
    """Events in order, whole commits. `next_after` is the version to ask after next; `version` is where the game stands."""

    items: tuple[SeenEvent, ...]
    next_after: Annotated[int, Meta(ge=0, le=2_147_483_647)]
    version: Version


class SheetEntry(msgspec.Struct, frozen=True):
    """One player's cell in a row: bid, tricks taken, points of the hand, running total."""

    bid: Tricks
    tricks: Tricks
    points: Total
    total: Total


class SheetRow(msgspec.Struct, frozen=True):
    """A hand that was scored; `entries` are listed by seat."""

    number: HandNumber
    kind: HandKind
    cards: Cards
    dealer: Seat
    multiplier: Multiplier
    entries: tuple[SheetEntry, ...]
    trump: Suit | UnsetType = UNSET
    turn_up: Card | UnsetType = UNSET


class ScoreSheet(msgspec.Struct, frozen=True):
    """The score sheet as on paper: a column a seat, a row a hand."""

    game_id: Id
    version: Version
    status: Status
    ruleset: RulesetRef
    seats: tuple[SeatView, ...]
    rows: tuple[SheetRow, ...]
    totals: tuple[Total, ...]


class FieldError(msgspec.Struct, frozen=True):
    """What does not fit, and where: a JSON pointer into the body, or `query/NAME`, `path/NAME`, `header/NAME`."""

    pointer: str
    message: str


class Problem(msgspec.Struct, frozen=True):
    """An error as a problem document (RFC 9457). `code` repeats the last part of `type`; the other members depend on it."""

    type: str
    title: str
    status: Annotated[int, Meta(ge=400, le=599)]
    code: str
    detail: str
    errors: tuple[FieldError, ...] | UnsetType = UNSET
    reason: Reason | UnsetType = UNSET
    phase: str | UnsetType = UNSET
    seat_on_turn: Seat | UnsetType = UNSET
    current_version: Version | UnsetType = UNSET
    players_allowed: tuple[PlayerCount, ...] | UnsetType = UNSET
    legal_bids: tuple[Tricks, ...] | UnsetType = UNSET
    forbidden_bid: Tricks | UnsetType = UNSET
    legal_cards: tuple[Card, ...] | UnsetType = UNSET
    retry_after: Annotated[int, Meta(ge=0, le=3600)] | UnsetType = UNSET


class Health(msgspec.Struct, frozen=True):
    """Whether the service lives or is ready."""

    status: str
