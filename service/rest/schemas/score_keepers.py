"""Schemas of score sheets of tables with real cards, and of joining by a code."""

from enum import StrEnum
from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

from domain.cards import Card, Suit
from domain.pocha.rules.house_rules import HouseRules
from domain.pocha.rules.schedule import HandKind
from domain.pocha.view.schema import (
    Cards,
    GameView,
    HandNumber,
    Id,
    Moment,
    Multiplier,
    Result,
    RulesetRef,
    Score,
    Seat,
    SeatBid,
    Status,
    Total,
    Tricks,
    Version,
)
from service.application.record.facts import ClientSeed
from service.rest.schemas.requests import BidNumber, DisplayName, MoveRequest, RulesetId
from service.rest.schemas.responses import Cursor
from service.rest.schemas.score_sheet import OpenPenalty, SheetRow

JoinCodeText = Annotated[str, Meta(min_length=6, max_length=6, pattern=r"^[A-Za-z0-9]{6}\Z")]
PenaltyPoints = Annotated[int, Meta(ge=1, le=1000)]
EntryCount = Annotated[int, Meta(ge=1, le=100)]


class NewScoreKeeper(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A new score sheet: the players' names in the order of their seats, and the seat that deals first."""

    players: Annotated[tuple[DisplayName, ...], Meta(min_length=2, max_length=10)]
    ruleset: RulesetId | UnsetType = UNSET
    house_rules: HouseRules | UnsetType = UNSET
    first_dealer: Seat | UnsetType = UNSET


class SheetBidRequest(MoveRequest, frozen=True, kw_only=True):
    """A bid that a player made."""

    seat: Seat
    bid: BidNumber


class SheetAuctionRequest(MoveRequest, frozen=True, kw_only=True):
    """The auction's winner, the bid that won it, and the trump that the winner named."""

    seat: Seat
    bid: BidNumber
    suit: Suit


class SheetTrumpRequest(MoveRequest, frozen=True, kw_only=True):
    """The trump of the hand: the card that was turned up, or its suit."""

    suit: Suit | UnsetType = UNSET
    turn_up: Card | UnsetType = UNSET


class SheetTricksRequest(MoveRequest, frozen=True, kw_only=True):
    """The tricks that each player took, by seat."""

    tricks: Annotated[tuple[BidNumber, ...], Meta(min_length=2, max_length=10)]


class SheetPenaltyRequest(MoveRequest, frozen=True, kw_only=True):
    """A penalty for an illegal card, or for a wrong claim; `points` are those of the ruleset where they are left out."""

    seat: Seat
    wrong_claim: bool | UnsetType = UNSET
    points: PenaltyPoints | UnsetType = UNSET


class CorrectionRequest(MoveRequest, frozen=True, kw_only=True):
    """How many of the last entries do not count any more."""

    entries: EntryCount | UnsetType = UNSET


class JoinByCodeRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The code that somebody showed, and for a table the caller's contribution to the shuffle."""

    code: JoinCodeText
    client_seed: ClientSeed | UnsetType = UNSET


class SheetAction(StrEnum):
    """What is to be written next."""

    AUCTION = "auction"
    BID = "bid"
    TRUMP = "trump"
    TRICKS = "tricks"


class SheetHand(msgspec.Struct, frozen=True):
    """The hand that is played at the table."""

    number: HandNumber
    of: HandNumber
    kind: HandKind
    cards: Cards
    dealer: Seat
    mano: Seat
    multiplier: Multiplier
    bids: tuple[SeatBid, ...]
    trump: Suit | UnsetType = UNSET
    turn_up: Card | UnsetType = UNSET


class SheetNext(msgspec.Struct, frozen=True):
    """What is to be written next; for a bid, whose it is, which are legal, and which one the hook forbids."""

    action: SheetAction
    seat: Seat | UnsetType = UNSET
    legal_bids: tuple[Tricks, ...] | UnsetType = UNSET
    forbidden_bid: Tricks | UnsetType = UNSET


class ScoreKeeper(msgspec.Struct, frozen=True):
    """A score sheet as it stands."""

    score_keeper_id: Id
    version: Version
    status: Status
    ruleset: RulesetRef
    players: tuple[str, ...]
    created_at: Moment
    scores: tuple[Score, ...]
    hand: SheetHand | UnsetType = UNSET
    next: SheetNext | UnsetType = UNSET
    result: Result | UnsetType = UNSET


class ScoreKeeperSummary(msgspec.Struct, frozen=True):
    """A score sheet in a list."""

    score_keeper_id: Id
    ruleset: RulesetRef
    players: tuple[str, ...]
    created_at: Moment
    changed_at: Moment


class ScoreKeeperList(msgspec.Struct, frozen=True):
    """A page of the caller's score sheets, newest first."""

    items: tuple[ScoreKeeperSummary, ...]
    next_cursor: Cursor | UnsetType = UNSET


class EntryType(StrEnum):
    """What an entry says."""

    BID = "bid"
    AUCTION = "auction"
    TRUMP = "trump"
    TRICKS = "tricks"
    PENALTY = "penalty"
    CORRECTION = "correction"


class ScoreKeeperEntry(msgspec.Struct, frozen=True, kw_only=True):
    """An entry with who wrote it, and when. `counts` is false for corrections and for what they took back."""

    version: Version
    at: Moment
    player_id: Id
    type: EntryType
    counts: bool
    seat: Seat | UnsetType = UNSET
    bid: Tricks | UnsetType = UNSET
    suit: Suit | UnsetType = UNSET
    turn_up: Card | UnsetType = UNSET
    tricks: tuple[Tricks, ...] | UnsetType = UNSET
    points: PenaltyPoints | UnsetType = UNSET
    wrong_claim: bool | UnsetType = UNSET
    entries: EntryCount | UnsetType = UNSET


class ScoreKeeperEntryList(msgspec.Struct, frozen=True):
    """A page of entries, newest first."""

    items: tuple[ScoreKeeperEntry, ...]
    next_cursor: Cursor | UnsetType = UNSET


class KeptScoreSheet(msgspec.Struct, frozen=True):
    """The score sheet as a table: a column a player, a row a hand."""

    score_keeper_id: Id
    version: Version
    status: Status
    ruleset: RulesetRef
    players: tuple[str, ...]
    rows: tuple[SheetRow, ...]
    totals: tuple[Total, ...]
    open_penalties: tuple[OpenPenalty, ...] | UnsetType = UNSET
    result: Result | UnsetType = UNSET


class JoinCode(msgspec.Struct, frozen=True):
    """A code by which others join, and until when."""

    code: JoinCodeText
    expires_at: Moment


class Joined(msgspec.Struct, frozen=True):
    """What the caller has joined: one of the two."""

    game: GameView | UnsetType = UNSET
    score_keeper: ScoreKeeper | UnsetType = UNSET
