"""Schemas of a game's record and of its fairness, as the API sends them.

Lists "by seat" have one item a seat, from seat 0. Missing values are omitted, never null.
"""

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from domain.cards import Card, Suit
from domain.pocha.rules.schedule import HandKind
from domain.pocha.view.schema import (
    Cards,
    Commitment,
    HandNumber,
    Id,
    Moment,
    Multiplier,
    PlayerRef,
    Position,
    Result,
    RobotRef,
    Ruleset,
    Score,
    Seat,
    SeatBid,
    SeatCard,
    SeatCards,
    Total,
    Tricks,
)

Format = Literal[1, 2]
FORMAT: Format = 2
"""Format of the records written; a change of the schema makes a new one. In format 1, `bids` lack a bid that the auction has locked."""

ClientSeed = Annotated[str, Meta(min_length=1, max_length=64, pattern=r"^[\x21-\x7e]+\Z")]
ServerSeed = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z")]
Digest = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z")]
Algorithm = Annotated[str, Meta(min_length=1, max_length=60)]
MoveCount = Annotated[int, Meta(ge=0, le=1000)]


class SeatSeed(msgspec.Struct, frozen=True):
    """Client seed of the player at a seat."""

    seat: Seat
    client_seed: ClientSeed


class GameFairness(msgspec.Struct, frozen=True):
    """Public facts about chance in a game.

    `server_seed`, whose SHA-256 is the `commitment`, is present once the game is over, `record_digest` once it has a record.
    `client_seeds` are by the present seats. Where seats were drawn, `order[n]` is the seat that the player now at seat n had taken.
    """

    game_id: Id
    commitment: Commitment
    algorithm: Algorithm
    client_seeds: tuple[SeatSeed, ...]
    order: tuple[Seat, ...] | UnsetType = UNSET
    first_dealer: Seat | UnsetType = UNSET
    server_seed: ServerSeed | UnsetType = UNSET
    record_digest: Digest | UnsetType = UNSET


class RecordedPick(msgspec.Struct, frozen=True):
    """Turned-up `card` of the dealer's hand: the one at `position`, or without it the last one dealt."""

    seat: Seat
    card: Card
    position: Position | UnsetType = UNSET


class RecordedCall(msgspec.Struct, frozen=True):
    """A call in an auction: a bid, or `passed`, which is written only where it is true."""

    seat: Seat
    bid: Tricks | UnsetType = UNSET
    passed: bool | UnsetType = UNSET


class RecordedAuction(msgspec.Struct, frozen=True):
    """An auction: the calls in order, the winner and the winning bid, and the trump that the winner chose."""

    calls: tuple[RecordedCall, ...]
    winner: Seat
    bid: Tricks
    locked: bool
    trump: Suit


class RecordedClaim(msgspec.Struct, frozen=True):
    """A claim of renuncio made in this hand, about trick `trick` of hand `hand`: this one or the previous one.

    `after_moves` counts the moves of this hand before the claim: picks, calls, choices of trump, bids and plays. `totals` are by seat.
    """

    after_moves: MoveCount
    claimant: Seat
    seat: Seat
    hand: HandNumber
    trick: Cards
    card: Card
    proven: bool
    penalty: Total
    totals: tuple[Total, ...]


class RecordedScore(msgspec.Struct, frozen=True):
    """Bid, tricks and points of a seat in a hand, and its total after the hand."""

    seat: Seat
    bid: Tricks
    tricks: Tricks
    points: Total
    total: Total


class RecordedHand(msgspec.Struct, frozen=True, kw_only=True):
    """A hand from its deal to its score. `hands` are the cards dealt, by seat; `stock` are the undealt cards without the turn-up.

    `bids` and `plays` are in the order in which they were made, a bid that the auction has locked first. `tricks` are the winning seats;
    `scores` are by seat.
    """

    number: HandNumber
    kind: HandKind
    cards: Cards
    dealer: Seat
    hands: tuple[SeatCards, ...]
    stock: tuple[Card, ...]
    blind_pick: RecordedPick | UnsetType = UNSET
    auction: RecordedAuction | UnsetType = UNSET
    turn_up: Card | UnsetType = UNSET
    trump: Suit | UnsetType = UNSET
    multiplier: Multiplier
    bids: tuple[SeatBid, ...]
    plays: tuple[SeatCard, ...]
    tricks: tuple[Seat, ...]
    claims: tuple[RecordedClaim, ...]
    scores: tuple[RecordedScore, ...]


class RecordedSeat(msgspec.Struct, frozen=True):
    """Occupant of a seat at the end of the game: a player, or a robot, which stands in for the player who is `away`, if any."""

    seat: Seat
    player: PlayerRef | UnsetType = UNSET
    robot: RobotRef | UnsetType = UNSET
    away: PlayerRef | UnsetType = UNSET


class GameRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A finished game with nothing hidden; `pocha verify` checks every fact.

    `seats` are the occupants at the end; `client_seeds` and `order` are as in `GameFairness`. `digest` is the SHA-256, in hexadecimal,
    of all other members as canonical JSON (RFC 8785).
    """

    format: Format
    game_id: Id
    created_at: Moment
    finished_at: Moment
    algorithm: Algorithm
    commitment: Commitment
    server_seed: ServerSeed
    client_seeds: tuple[SeatSeed, ...]
    ruleset: Ruleset
    seats: tuple[RecordedSeat, ...]
    order: tuple[Seat, ...] | UnsetType = UNSET
    first_dealer: Seat
    hands: tuple[RecordedHand, ...]
    scores: tuple[Score, ...]
    result: Result
    digest: Digest
