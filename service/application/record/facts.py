"""What a record says, and what is known of a game's fairness before its end. Both are the wire form as well.

Lists named "by seat" have one entry a seat, from seat 0. A fact that there is not is left out, never null.
"""

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from domain.cards import Card, Suit
from domain.pocha.rules.ruleset import Ruleset
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
    Score,
    Seat,
    SeatBid,
    SeatCall,
    SeatCard,
    Total,
    Tricks,
)

FORMAT: Literal[1] = 1
"""The format that records are written in; a change to what they say makes a new one."""

ClientSeed = Annotated[str, Meta(min_length=1, max_length=64, pattern=r"^[\x21-\x7e]+\Z")]
ServerSeed = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z")]
Digest = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z")]
Algorithm = Annotated[str, Meta(min_length=1, max_length=60)]
MoveCount = Annotated[int, Meta(ge=0, le=1000)]


class SeatSeed(msgspec.Struct, frozen=True):
    """What the player at a seat gave to the shuffle."""

    seat: Seat
    client_seed: ClientSeed


class GameFairness(msgspec.Struct, frozen=True):
    """How chance came about in a game: `server_seed`, whose SHA-256 is the `commitment`, is shown once the game is over.

    `client_seeds` are those of the seats as they are now. `order` lists, where seats were drawn, the seats that had been taken by those
    who sit now at 0, 1, 2 and so on.
    """

    game_id: Id
    commitment: Commitment
    algorithm: Algorithm
    client_seeds: tuple[SeatSeed, ...]
    order: tuple[Seat, ...] | UnsetType = UNSET
    first_dealer: Seat | UnsetType = UNSET
    server_seed: ServerSeed | UnsetType = UNSET


class RecordedPick(msgspec.Struct, frozen=True):
    """The dealer's `card` that was turned up: the one pointed at, or without `position` the last one dealt."""

    seat: Seat
    card: Card
    position: Position | UnsetType = UNSET


class RecordedAuction(msgspec.Struct, frozen=True):
    """What was said in the auction, in order; who won it, with what bid; and the trump that the winner named."""

    calls: tuple[SeatCall, ...]
    winner: Seat
    bid: Tricks
    locked: bool
    trump: Suit


class RecordedClaim(msgspec.Struct, frozen=True):
    """A renuncio claimed while this hand was played, about trick `trick` of hand `hand`: this one or the one before.

    It was made after `after_moves` moves of this hand: picks, calls, namings of trump, bids and plays together. `totals` are by seat.
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
    """What a seat had bid, took, and gained or lost in a hand, and its total after it."""

    seat: Seat
    bid: Tricks
    tricks: Tricks
    points: Total
    total: Total


class RecordedHand(msgspec.Struct, frozen=True, kw_only=True):
    """A hand from its deal to its score. `hands` are the cards as dealt, by seat; `stock` those that stayed out, without the turn-up.

    `bids` and `plays` are in the order in which they were made; `tricks` are the seats that took them; `scores` are by seat.
    """

    number: HandNumber
    kind: HandKind
    cards: Cards
    dealer: Seat
    hands: tuple[tuple[Card, ...], ...]
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
    """Who sat at a seat when the game ended: a player, or a robot."""

    seat: Seat
    player: PlayerRef | UnsetType = UNSET
    robot: RobotRef | UnsetType = UNSET


class GameRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A finished game with nothing hidden; `pocha verify` checks every fact of it.

    `seats` are those who sat there at the end; `client_seeds` and `order` are as in the game's fairness. `digest` is the SHA-256, in
    hexadecimal, of everything else as canonical JSON (RFC 8785).
    """

    format: Literal[1]
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
