"""Schema of the views of games and events, which is also their form in the API.

A field that does not apply is left out (`UNSET`), never null. Lists named "by seat" have one entry a seat, from seat 0.
"""

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from domain.cards import Card, Suit
from domain.pocha.rules import ruleset as rules
from domain.pocha.rules.schedule import HandKind
from domain.table.table import AutoPlay, Level, Visibility

Id = Annotated[str, Meta(extra_json_schema={"format": "uuid"})]
Commitment = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z")]
Seat = Annotated[int, Meta(ge=0, le=9)]
Players = Annotated[int, Meta(ge=2, le=10)]
MAX_VERSION = 2_147_483_647
Version = Annotated[int, Meta(ge=1, le=MAX_VERSION)]
HandNumber = Annotated[int, Meta(ge=1, le=1000)]
Cards = Annotated[int, Meta(ge=1, le=24)]
Tricks = Annotated[int, Meta(ge=0, le=24)]
Position = Annotated[int, Meta(ge=0, le=23)]
CardCount = Annotated[int, Meta(ge=0, le=48)]
Multiplier = Annotated[int, Meta(ge=1, le=20)]
Total = Annotated[int, Meta(ge=-1_000_000_000, le=1_000_000_000)]
HandCount = Annotated[int, Meta(ge=0, le=1000)]
Rank = Annotated[int, Meta(ge=1, le=10)]
TurnSeconds = Annotated[int, Meta(ge=1, le=604_800)]
RobotSeconds = Annotated[int, Meta(ge=0, le=60)]
TurnCount = Annotated[int, Meta(ge=1, le=100)]
Moment = Annotated[datetime, Meta(tz=True)]


class Status(StrEnum):
    """Status of a game."""

    WAITING = "waiting"
    PLAYING = "playing"
    FINISHED = "finished"
    ABANDONED = "abandoned"


class Action(StrEnum):
    """What the seat on turn has to do."""

    BLIND_PICK = "blind_pick"
    AUCTION_BID = "auction_bid"
    CHOOSE_TRUMP = "choose_trump"
    BID = "bid"
    PLAY = "play"


class Ruleset(rules.Ruleset, frozen=True):
    """A ruleset, all of it. Where it is stored its name is `id`; among the ids of games and players it is `ruleset_id`."""

    id: rules.RulesetId = msgspec.field(name="ruleset_id")


class RulesetRef(msgspec.Struct, frozen=True):
    """Which ruleset a game is played by; `house_rules` when the table has changed something in it."""

    ruleset_id: str
    version: Version
    title: str
    house_rules: bool = False


class PlayerRef(msgspec.Struct, frozen=True):
    """A player, as others see them. Of a `deleted` one the name is words of the service."""

    player_id: Id
    display_name: str
    deleted: bool | UnsetType = UNSET


class RobotRef(msgspec.Struct, frozen=True):
    """A robot, as others see it."""

    level: Level


class TimeoutView(msgspec.Struct, frozen=True):
    """What happens when a turn's time is over: the robot makes the move, and takes the seat after so many such turns in a row."""

    robot: RobotRef
    takes_seat_after: TurnCount


class PresenceView(msgspec.Struct, frozen=True):
    """Whether a player is connected now, and when they were last heard of."""

    connected: bool
    last_seen: Moment


class SeatView(msgspec.Struct, frozen=True):
    """A seat with its occupant: a player, a robot, or none. A robot plays for the player who is `away`, until they come back.

    A free seat may be kept, until `kept_until`, for a player of the game before. A player may let the service make moves (`auto_play`).
    """

    seat: Seat
    player: PlayerRef | UnsetType = UNSET
    robot: RobotRef | UnsetType = UNSET
    away: PlayerRef | UnsetType = UNSET
    presence: PresenceView | UnsetType = UNSET
    kept_until: Moment | UnsetType = UNSET
    auto_play: AutoPlay | UnsetType = UNSET


class SeatBid(msgspec.Struct, frozen=True):
    """A bid, and whose."""

    seat: Seat
    bid: Tricks


class SeatCall(msgspec.Struct, frozen=True):
    """What a seat said in the auction of trump: a number of tricks, or that it passed."""

    seat: Seat
    passed: bool
    bid: Tricks | UnsetType = UNSET


class SeatCards(msgspec.Struct, frozen=True):
    """Cards that a seat holds."""

    seat: Seat
    cards: tuple[Card, ...]


class SeatCard(msgspec.Struct, frozen=True):
    """A card on the table, and whose."""

    seat: Seat
    card: Card


class LastTrick(msgspec.Struct, frozen=True):
    """The trick before this one, in play order, and who took it."""

    winner: Seat
    plays: tuple[SeatCard, ...]


class HandView(msgspec.Struct, frozen=True):
    """The hand being bid or played: number `number` of `of`, `cards` each. `tricks_won` is listed by seat.

    `my_cards` are for their holder alone. In india hands a seat has `seen_cards` instead: those of all others. Before a blind pick no
    cards are visible.
    """

    number: HandNumber
    of: HandNumber
    kind: HandKind
    cards: Cards
    dealer: Seat
    mano: Seat
    multiplier: Multiplier
    stock_count: CardCount
    bids: tuple[SeatBid, ...]
    tricks_won: tuple[Tricks, ...]
    trick: tuple[SeatCard, ...]
    trump: Suit | UnsetType = UNSET
    turn_up: Card | UnsetType = UNSET
    my_cards: tuple[Card, ...] | UnsetType = UNSET
    seen_cards: tuple[SeatCards, ...] | UnsetType = UNSET
    auction: tuple[SeatCall, ...] | UnsetType = UNSET
    last_trick: LastTrick | UnsetType = UNSET


class BidTurn(msgspec.Struct, frozen=True, tag_field="action", tag="bid"):
    """The viewer is to bid; `forbidden_bid` is what the hook forbids, if anything."""

    seat: Seat
    legal_bids: tuple[Tricks, ...]
    forbidden_bid: Tricks | UnsetType = UNSET
    deadline: Moment | UnsetType = UNSET


class PlayTurn(msgspec.Struct, frozen=True, tag_field="action", tag="play"):
    """The viewer is to play a card."""

    seat: Seat
    legal_cards: tuple[Card, ...]
    deadline: Moment | UnsetType = UNSET


class AuctionTurn(msgspec.Struct, frozen=True, tag_field="action", tag="auction_bid"):
    """The viewer is to bid in the auction of trump, or to pass where that is legal; no bid is legal where only a pass is left.

    `forbidden_bid` is what the hook forbids, if anything.
    """

    seat: Seat
    legal_bids: tuple[Tricks, ...]
    may_pass: bool
    forbidden_bid: Tricks | UnsetType = UNSET
    deadline: Moment | UnsetType = UNSET


class ChooseTrumpTurn(msgspec.Struct, frozen=True, tag_field="action", tag="choose_trump"):
    """The viewer has won the auction and is to name trump."""

    seat: Seat
    legal_suits: tuple[Suit, ...]
    deadline: Moment | UnsetType = UNSET


class BlindPickTurn(msgspec.Struct, frozen=True, tag_field="action", tag="blind_pick"):
    """The viewer deals and is to point at a face-down card of the own, which marks trump."""

    seat: Seat
    positions: tuple[Position, ...]
    deadline: Moment | UnsetType = UNSET


class WaitTurn(msgspec.Struct, frozen=True, tag_field="action", tag="wait"):
    """Another seat is on turn; `awaits` is what it has to do."""

    seat: Seat
    awaits: Action
    deadline: Moment | UnsetType = UNSET


OwnTurn = BidTurn | PlayTurn | AuctionTurn | ChooseTrumpTurn | BlindPickTurn
TurnView = OwnTurn | WaitTurn
"""The seat on turn, and its deadline. `action` is what the viewer has to do; only the seat on turn gets the legal moves."""


class Score(msgspec.Struct, frozen=True):
    """A seat's points so far, its hands bid exactly and missed, and its rank."""

    seat: Seat
    points: Total
    exact: HandCount
    missed: HandCount
    rank: Rank


class Result(msgspec.Struct, frozen=True):
    """How the game ended: the winning seats, several when a tie stayed unbroken."""

    winners: tuple[Seat, ...]


class GameView(msgspec.Struct, frozen=True):
    """A game as one viewer may see it, at one version. Without `turn_seconds`, turns have no limit."""

    game_id: Id
    version: Version
    status: Status
    ruleset: RulesetRef
    players: Players
    visibility: Visibility
    created_at: Moment
    server_time: Moment
    seats: tuple[SeatView, ...]
    scores: tuple[Score, ...]
    commitment: Commitment
    invite_code: str | UnsetType = UNSET
    my_seat: Seat | UnsetType = UNSET
    hand: HandView | UnsetType = UNSET
    turn: TurnView | UnsetType = UNSET
    result: Result | UnsetType = UNSET
    turn_seconds: TurnSeconds | UnsetType = UNSET
    on_timeout: TimeoutView | UnsetType = UNSET
    robot_seconds: RobotSeconds | UnsetType = UNSET


class _EventView(msgspec.Struct, frozen=True, tag_field="type", kw_only=True):
    """Base of the events as viewers see them: the version whose commit they belong to, and when it was made."""

    version: Version
    at: Moment


class GameCreatedEvent(_EventView, frozen=True, tag="game_created"):
    """A table was made. Without `turn_seconds`, turns have no limit."""

    ruleset: RulesetRef
    players: Players
    visibility: Visibility
    commitment: Commitment
    turn_seconds: TurnSeconds | UnsetType = UNSET
    on_timeout: TimeoutView | UnsetType = UNSET
    robot_seconds: RobotSeconds | UnsetType = UNSET


class SeatTakenEvent(_EventView, frozen=True, tag="seat_taken"):
    """A player sat down, or in a started game came back, and gave `client_seed` to the shuffle, if any."""

    seat: Seat
    player: PlayerRef
    client_seed: str | UnsetType = UNSET


class SeatLeftEvent(_EventView, frozen=True, tag="seat_left"):
    """A player got up; in a started game a robot takes over at once (`robot_seated`)."""

    seat: Seat
    player: PlayerRef


class SeatClearedEvent(_EventView, frozen=True, tag="seat_cleared"):
    """Before the start, the host removed the player or, without `player`, the robot of a seat, which is free now."""

    seat: Seat
    player: PlayerRef | UnsetType = UNSET


class RobotSeatedEvent(_EventView, frozen=True, tag="robot_seated"):
    """The service plays this seat from now on."""

    seat: Seat
    robot: RobotRef


class GameStartedEvent(_EventView, frozen=True, tag="game_started"):
    """All seats are taken, as listed; `dealer` deals the first of `hands` scheduled hands."""

    seats: tuple[SeatView, ...]
    dealer: Seat
    hands: HandNumber


class HandDealtEvent(_EventView, frozen=True, tag="hand_dealt"):
    """A hand was dealt. `my_cards` are for their holder alone; in india hands each seat has `seen_cards` of all others instead.

    With `face_down`, no player has seen a card yet: the dealer picks the one that decides trump.
    """

    number: HandNumber
    kind: HandKind
    cards: Cards
    dealer: Seat
    mano: Seat
    multiplier: Multiplier
    stock_count: CardCount
    trump: Suit | UnsetType = UNSET
    turn_up: Card | UnsetType = UNSET
    my_cards: tuple[Card, ...] | UnsetType = UNSET
    seen_cards: tuple[SeatCards, ...] | UnsetType = UNSET
    face_down: Literal[True] | UnsetType = UNSET


class BlindPickMadeEvent(_EventView, frozen=True, tag="blind_pick_made"):
    """The dealer's `card` was turned up: the one pointed at, or without `position` the last one dealt. Now `my_cards` may be looked at."""

    seat: Seat
    card: Card
    trump: Suit
    multiplier: Multiplier
    position: Position | UnsetType = UNSET
    my_cards: tuple[Card, ...] | UnsetType = UNSET


class AuctionBidMadeEvent(_EventView, frozen=True, tag="auction_bid_made"):
    """A seat said how many tricks it would take if it could name trump."""

    seat: Seat
    bid: Tricks


class AuctionPassedEvent(_EventView, frozen=True, tag="auction_passed"):
    """A seat left the naming of trump to others."""

    seat: Seat


class AuctionWonEvent(_EventView, frozen=True, tag="auction_won"):
    """All have spoken: `seat` names trump. With `locked`, `bid` is its bid for the hand as well."""

    seat: Seat
    bid: Tricks
    locked: bool


class TrumpChosenEvent(_EventView, frozen=True, tag="trump_chosen"):
    """The auction's winner named trump."""

    seat: Seat
    suit: Suit
    multiplier: Multiplier


class BidMadeEvent(_EventView, frozen=True, tag="bid_made"):
    """A seat said how many tricks it will take."""

    seat: Seat
    bid: Tricks


class CardPlayedEvent(_EventView, frozen=True, tag="card_played"):
    """A seat played a card."""

    seat: Seat
    card: Card


class TrickTakenEvent(_EventView, frozen=True, tag="trick_taken"):
    """A trick was completed, and `seat` took it with `card`."""

    seat: Seat
    card: Card


class SeatScore(msgspec.Struct, frozen=True):
    """What a seat had bid, took, and gained or lost in a hand, and its total and rank after it."""

    seat: Seat
    bid: Tricks
    tricks: Tricks
    points: Total
    total: Total
    rank: Rank


class HandScoredEvent(_EventView, frozen=True, tag="hand_scored"):
    """A hand is over."""

    number: HandNumber
    scores: tuple[SeatScore, ...]


class RenuncioClaimedEvent(_EventView, frozen=True, tag="renuncio_claimed"):
    """A rival said that `seat` played an illegal card to a trick, and the log said whether it was so.

    `penalty`, in points, was lost by `seat` when the claim was proven, else by `claimant`. `totals` and `ranks`, by seat, are those
    after it.
    """

    claimant: Seat
    seat: Seat
    hand: HandNumber
    trick: Cards
    card: Card
    proven: bool
    penalty: Total
    totals: tuple[Total, ...]
    ranks: tuple[Rank, ...]


class GameOverEvent(_EventView, frozen=True, tag="game_over"):
    """The game is over."""

    result: Result


class GameAbandonedEvent(_EventView, frozen=True, tag="game_abandoned"):
    """The game was abandoned: the last player left before the start, there was no activity for too long, or the host ended it."""


class AutoPlayChosenEvent(_EventView, frozen=True, tag="auto_play_chosen"):
    """The player of `seat` chose which of their moves the service makes."""

    seat: Seat
    auto_play: AutoPlay


class TurnExpiredEvent(_EventView, frozen=True, tag="turn_expired"):
    """The time of `seat` was over, `in_a_row` times now without a move of its own: a robot makes this one."""

    seat: Seat
    in_a_row: TurnCount


EventView = (
    GameCreatedEvent
    | SeatTakenEvent
    | SeatLeftEvent
    | SeatClearedEvent
    | RobotSeatedEvent
    | GameStartedEvent
    | HandDealtEvent
    | BlindPickMadeEvent
    | AuctionBidMadeEvent
    | AuctionPassedEvent
    | AuctionWonEvent
    | TrumpChosenEvent
    | BidMadeEvent
    | CardPlayedEvent
    | TrickTakenEvent
    | HandScoredEvent
    | RenuncioClaimedEvent
    | GameOverEvent
    | GameAbandonedEvent
    | AutoPlayChosenEvent
    | TurnExpiredEvent
)
