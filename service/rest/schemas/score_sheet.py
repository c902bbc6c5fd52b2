"""Schemas of the score sheet."""

from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

from domain.cards import Card, Suit
from domain.pocha.rules.schedule import HandKind
from domain.pocha.view.schema import (
    Cards,
    HandNumber,
    Id,
    Moment,
    Multiplier,
    Result,
    RulesetRef,
    Seat,
    SeatView,
    Status,
    Total,
    Tricks,
    Version,
)

Penalty = Annotated[int, Meta(ge=1, le=1_000_000)]
OpenPenalty = Annotated[int, Meta(ge=0, le=1_000_000)]


class SheetEntry(msgspec.Struct, frozen=True):
    """A player's cell in a row.

    `points` are those of the hand. `penalty` is what claims of renuncio in this hand cost the player; `total` has them subtracted.
    """

    bid: Tricks
    tricks: Tricks
    points: Total
    total: Total
    penalty: Penalty | UnsetType = UNSET


class SheetRow(msgspec.Struct, frozen=True):
    """A scored hand; `entries` are by seat."""

    number: HandNumber
    kind: HandKind
    cards: Cards
    dealer: Seat
    multiplier: Multiplier
    entries: tuple[SheetEntry, ...]
    trump: Suit | UnsetType = UNSET
    turn_up: Card | UnsetType = UNSET


class ScoreSheet(msgspec.Struct, frozen=True):
    """The score sheet: a column a seat, a row a hand. `totals`, by seat, equal the scores of the game's view.

    `open_penalties`, by seat, are those of claims in the current hand: subtracted in `totals`, and in no row yet.
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


class ScoreSheetLinks(msgspec.Struct, frozen=True):
    """Where the score sheet can be opened without a credential, as a page and as CSV, until `expires_at`."""

    html: Annotated[str, Meta(max_length=2000)]
    csv: Annotated[str, Meta(max_length=2000)]
    expires_at: Moment
