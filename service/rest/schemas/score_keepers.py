"""Schemas of score sheets of tables with real cards, and of joining by a code."""

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


class NextAuction(msgspec.Struct, frozen=True, tag_field="action", tag="auction"):
    """The result of the auction is to be written."""


class NextBid(msgspec.Struct, frozen=True, tag_field="action", tag="bid"):
    """The bid of `seat` is to be written; `forbidden_bid` is what the hook forbids, if anything."""

    seat: Seat
    legal_bids: tuple[Tricks, ...]
    forbidden_bid: Tricks | UnsetType = UNSET


class NextTrump(msgspec.Struct, frozen=True, tag_field="action", tag="trump"):
    """The trump is to be written, since points depend on it."""


class NextTricks(msgspec.Struct, frozen=True, tag_field="action", tag="tricks"):
    """The tricks are to be written."""


SheetNext = NextAuction | NextBid | NextTrump | NextTricks
"""What is to be written next."""


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


class _Entry(msgspec.Struct, frozen=True, tag_field="type", kw_only=True):
    """Base of entries: who wrote it, and when. `counts` is false for corrections and for what they took back."""

    version: Version
    at: Moment
    player_id: Id
    counts: bool


class BidEntry(_Entry, frozen=True, tag="bid"):
    """A bid."""

    seat: Seat
    bid: Tricks


class AuctionEntry(_Entry, frozen=True, tag="auction"):
    """The auction's winner, the bid that won it, and the trump that the winner named."""

    seat: Seat
    bid: Tricks
    suit: Suit


class TrumpEntry(_Entry, frozen=True, tag="trump"):
    """The trump of a hand, and the card that was turned up, where it was written."""

    suit: Suit
    turn_up: Card | UnsetType = UNSET


class TricksEntry(_Entry, frozen=True, tag="tricks"):
    """The tricks that each player took, by seat."""

    tricks: tuple[Tricks, ...]


class PenaltyEntry(_Entry, frozen=True, tag="penalty"):
    """A penalty for an illegal card, or for a wrong claim."""

    seat: Seat
    points: PenaltyPoints
    wrong_claim: bool


class CorrectionEntry(_Entry, frozen=True, tag="correction"):
    """The last so many of the `entries` that counted were taken back."""

    entries: EntryCount


ScoreKeeperEntry = BidEntry | AuctionEntry | TrumpEntry | TricksEntry | PenaltyEntry | CorrectionEntry
"""An entry of a sheet."""


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


class JoinedGame(msgspec.Struct, frozen=True, tag_field="type", tag="game"):
    """The caller has joined a table."""

    game: GameView


class JoinedScoreKeeper(msgspec.Struct, frozen=True, tag_field="type", tag="score_keeper"):
    """The caller has become a member of a score sheet."""

    score_keeper: ScoreKeeper


Joined = JoinedGame | JoinedScoreKeeper
"""What the caller has joined."""
