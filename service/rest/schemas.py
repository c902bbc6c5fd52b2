"""What crosses the wire besides the game itself: the bodies of requests and the remaining answers.

Game views and events are `domain.pocha.view.schema`. Requests refuse unknown fields; answers may grow new ones.
`api/openapi.yaml` says the same
in its own words, and `tests/contract` proves it.
"""

from typing import Annotated, TypeVar

import msgspec
from msgspec import UNSET, Meta, UnsetType

from domain.cards import Card, Suit
from domain.pocha.model.refusals import Reason
from domain.pocha.rules.house_rules import HouseRules
from domain.pocha.rules.presets import DEFAULT
from domain.pocha.rules.ruleset import Ruleset
from domain.pocha.rules.schedule import HandKind, HandPlan
from domain.pocha.view.schema import (
    Cards,
    GameView,
    HandNumber,
    Id,
    Moment,
    Multiplier,
    OwnTurn,
    Players,
    Position,
    Result,
    RulesetRef,
    Seat,
    SeatView,
    SeenEvent,
    Status,
    Total,
    Tricks,
    TurnSeconds,
    TurnView,
    Version,
)
from domain.table.table import Level, Visibility
from service.application.display_names import MAX_CODE_POINTS
from service.application.record.facts import ClientSeed
from service.rest.i18n import Language

T = TypeVar("T")

# Python's `$` alone would let a line feed at the end pass; `\Z` does not, and is what `$` means in the contract (ECMA 262).
# No control characters, and none that turn the direction of what stands beside a name.
_CONTROL = r"\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069"

DisplayName = Annotated[str, Meta(min_length=1, max_length=MAX_CODE_POINTS, pattern=r"^[^\x00-\x1f\x7f-\x9f]*\Z")]
ExternalId = Annotated[str, Meta(min_length=1, max_length=128, pattern=rf"^[^{_CONTROL}]*\Z")]
RULESET_ID_PATTERN = r"^[a-z0-9]+(-[a-z0-9]+)*\Z"
RulesetId = Annotated[str, Meta(max_length=60, pattern=RULESET_ID_PATTERN)]
InviteCode = Annotated[str, Meta(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9_-]+\Z")]
Cursor = Annotated[str, Meta(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9_-]+\Z")]
PlayerCount = Annotated[int, Meta(ge=2, le=10)]
Term = Annotated[str, Meta(max_length=40, pattern=r"^[a-z0-9]+(-[a-z0-9]+)*\Z")]
Wording = Annotated[str, Meta(min_length=1, max_length=300)]
RuleId = Annotated[str, Meta(pattern=r"^R-[A-Z]+-[1-9][0-9]?\Z")]
Penalty = Annotated[int, Meta(ge=1, le=1_000_000)]
OpenPenalty = Annotated[int, Meta(ge=0, le=1_000_000)]
BidNumber = Annotated[int, Meta(ge=0, le=24)]


class _Request(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Base of request bodies."""


class NewPlayer(_Request, frozen=True):
    """Who wants to play; an app says by which name it knows them."""

    display_name: DisplayName
    external_id: ExternalId | UnsetType = UNSET


class RobotSpec(_Request, frozen=True):
    """A robot to be seated."""

    level: Level


class TimeoutSpec(_Request, frozen=True):
    """Which robot stands in for an absent player."""

    level: Level = Level.EASY


_ON_TIMEOUT = TimeoutSpec()


class NewGame(_Request, frozen=True):
    """The table to be made."""

    players: PlayerCount
    ruleset: RulesetId = DEFAULT.id
    robots: Annotated[tuple[RobotSpec, ...], Meta(max_length=9)] = ()
    visibility: Visibility = Visibility.PUBLIC
    house_rules: HouseRules | UnsetType = UNSET
    client_seed: ClientSeed | UnsetType = UNSET
    turn_seconds: TurnSeconds | UnsetType = UNSET
    on_timeout: TimeoutSpec = _ON_TIMEOUT


class MoveRequest(_Request, frozen=True):
    """Base of what is asked of a game: with `expected_version` it is carried out only if the game stands there."""

    expected_version: Version | UnsetType = UNSET


class JoinRequest(_Request, frozen=True):
    """Where to sit, and by what right."""

    invite_code: InviteCode | UnsetType = UNSET
    seat: Seat | UnsetType = UNSET
    client_seed: ClientSeed | UnsetType = UNSET


class RematchRequest(_Request, frozen=True):
    """What one brings to the next game."""

    client_seed: ClientSeed | UnsetType = UNSET


class RulesetRequest(_Request, frozen=True):
    """A preset, and what a table would change in it."""

    ruleset: RulesetId = DEFAULT.id
    house_rules: HouseRules | UnsetType = UNSET


class PassRequest(MoveRequest, frozen=True):
    """A pass in the auction of trump."""


class TrumpRequest(MoveRequest, frozen=True, kw_only=True):
    """The suit to be trump."""

    suit: Suit


class BlindPickRequest(MoveRequest, frozen=True, kw_only=True):
    """Which of the own face-down cards, counted from 0 as dealt, shall mark trump."""

    position: Position


class ClaimRequest(MoveRequest, frozen=True, kw_only=True):
    """Who played an illegal card, and to which trick (from 1) of the hand being played, or of the one just scored."""

    seat: Seat
    trick: Cards


class BidRequest(MoveRequest, frozen=True, kw_only=True):
    """A bid."""

    bid: BidNumber


class PlayRequest(MoveRequest, frozen=True, kw_only=True):
    """A card to be played."""

    card: Card


class Guest(msgspec.Struct, frozen=True):
    """A player, and a new bearer token that speaks for them until `expires_at`. The token is shown only here."""

    player_id: Id
    display_name: str
    token: str
    expires_at: Moment


class ScheduleFor(msgspec.Struct, frozen=True):
    """The hands of a game for one number of players, and the cards left out of the pack."""

    players: Players
    removed: tuple[Card, ...]
    hands: tuple[HandPlan, ...]


class RulesetView(msgspec.Struct, frozen=True):
    """A ruleset with every parameter, and its hand schedule for each number of players."""

    ruleset: Ruleset
    schedules: tuple[ScheduleFor, ...]


class GameRuleset(msgspec.Struct, frozen=True):
    """The ruleset of a game, house rules and all, and its hands for so many players, extra hands apart."""

    ruleset: Ruleset
    schedule: ScheduleFor


class RulesetList(msgspec.Struct, frozen=True):
    """The rulesets that games can be made with."""

    items: tuple[RulesetView, ...]


class GameSummary(msgspec.Struct, frozen=True):
    """A table as it is listed."""

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


class WaitingTurn(msgspec.Struct, frozen=True):
    """A game that waits for the caller: where they sit there, and what is legal."""

    game_id: Id
    version: Version
    ruleset: RulesetRef
    my_seat: Seat
    turn: OwnTurn


class TurnList(msgspec.Struct, frozen=True):
    """The games that wait for the caller, those with the nearest deadline first."""

    items: tuple[WaitingTurn, ...]
    server_time: Moment


class StreamedCommit(msgspec.Struct, frozen=True):
    """What a commit brought, as the viewer of a stream may see it, and whose turn it is after it."""

    version: Version
    events: tuple[SeenEvent, ...]
    server_time: Moment
    status: Status
    turn: TurnView | UnsetType = UNSET


class StreamEnd(msgspec.Struct, frozen=True):
    """The last word of a stream: how the game ended."""

    version: Version
    status: Status
    result: Result | UnsetType = UNSET


class SheetEntry(msgspec.Struct, frozen=True):
    """One player's cell in a row: bid, tricks taken, points of the hand, running total.

    `penalty`: points that claims of renuncio in this hand have cost, on top of `points`; the running total has lost them already.
    """

    bid: Tricks
    tricks: Tricks
    points: Total
    total: Total
    penalty: Penalty | UnsetType = UNSET


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
    """The score sheet as on paper: a column a seat, a row a hand. `totals`, by seat, are the scores of the game's view.

    `open_penalties`, by seat: points that claims of renuncio in the hand being played have cost, in `totals` already and in no row yet.
    """

    game_id: Id
    version: Version
    status: Status
    ruleset: RulesetRef
    seats: tuple[SeatView, ...]
    rows: tuple[SheetRow, ...]
    totals: tuple[Total, ...]
    open_penalties: tuple[OpenPenalty, ...] | UnsetType = UNSET
    result: Result | UnsetType = UNSET


class GlossaryWord(msgspec.Struct, frozen=True):
    """A term in one language: the word, and what it means."""

    language: Language
    word: Wording
    meaning: Wording


class GlossaryEntry(msgspec.Struct, frozen=True):
    """A term of the game: `term` stays the same for ever; `source` is the line of the document it comes from, such as `seed 000:83`."""

    term: Term
    source: Wording
    words: tuple[GlossaryWord, ...]


class Glossary(msgspec.Struct, frozen=True):
    """The terms of the game, each in every language of the documents."""

    items: tuple[GlossaryEntry, ...]


class FieldError(msgspec.Struct, frozen=True):
    """What does not fit, and where: a JSON pointer into the body, or `query/NAME`, `path/NAME`, `header/NAME`."""

    pointer: str
    message: str


class Problem(msgspec.Struct, frozen=True):
    """An error as a problem document (RFC 9457). `code` repeats the last part of `type`; the other members depend on it.

    `title` and `detail` are in the language that `Accept-Language` asks for; `rule` is the ruling of the rulebook that a refusal rests on.
    """

    type: str
    title: str
    status: Annotated[int, Meta(ge=400, le=599)]
    code: str
    detail: str
    errors: tuple[FieldError, ...] | UnsetType = UNSET
    reason: Reason | UnsetType = UNSET
    rule: RuleId | UnsetType = UNSET
    phase: str | UnsetType = UNSET
    seat_on_turn: Seat | UnsetType = UNSET
    positions: tuple[Position, ...] | UnsetType = UNSET
    may_pass: bool | UnsetType = UNSET
    current_version: Version | UnsetType = UNSET
    players_allowed: tuple[PlayerCount, ...] | UnsetType = UNSET
    legal_bids: tuple[Tricks, ...] | UnsetType = UNSET
    forbidden_bid: Tricks | UnsetType = UNSET
    legal_cards: tuple[Card, ...] | UnsetType = UNSET
    retry_after: Annotated[int, Meta(ge=0, le=3600)] | UnsetType = UNSET


class Health(msgspec.Struct, frozen=True):
    """Whether the service lives or is ready."""

    status: str


def value_or_none(value: T | UnsetType) -> T | None:
    """Return the value of an optional field; None where the body left it out."""
    return None if value is UNSET else value
