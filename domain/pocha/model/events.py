"""Events of a game. They carry conclusions, so that an old log reads the same under newer rules code.

These are what the log keeps, secrets and all; `domain.pocha.view.event_view` makes of them what a viewer may know.
Points and tricks are listed by seat.
"""

from collections.abc import Iterable

import msgspec

from domain.cards import Card, Suit
from domain.pocha.rules.ruleset import Ruleset
from domain.pocha.rules.schedule import HandKind, HandPlan
from domain.table.events import (
    AutoPlayChosen,
    GameAbandoned,
    RobotSeated,
    SeatCleared,
    SeatLeft,
    SeatTaken,
    TurnExpired,
)
from domain.table.table import KeptSeats, Occupant, OnTimeout, Player, Visibility


class _Event(msgspec.Struct, frozen=True, tag_field="type", omit_defaults=True):
    """Base of all events; `type` on disk is the tag."""


class GameCreated(_Event, frozen=True, tag="game_created"):
    """A table was made; its creator has yet to take seat 0. The ruleset is kept whole, for life.

    With `turn_seconds`, `on_timeout` says what happens when a turn has lasted so long. `tenant` is whose table it is (`Table.tenant`),
    `kept` the seats of a rematch. Without `game_id`, the shuffle is that of before (`Table.game_id`). Robots take `robot_seconds` for a
    move.
    """

    ruleset: Ruleset
    players: int
    host: Player
    visibility: Visibility
    seed: bytes
    commitment: str
    invite_code: str | None = None
    turn_seconds: int | None = None
    on_timeout: OnTimeout | None = None
    tenant: str = ""
    kept: KeptSeats | None = None
    game_id: str | None = None
    robot_seconds: int = 0


class GameStarted(_Event, frozen=True, tag="game_started"):
    """The last seat was taken. `seats` is who sits where from now on, `dealer` deals the first hand of the `schedule`.

    `order` lists the earlier seats in the order in which they sit now; empty when they were not drawn anew.
    """

    seats: tuple[Occupant, ...]
    dealer: int
    schedule: tuple[HandPlan, ...]
    order: tuple[int, ...] = ()


class HandDealt(_Event, frozen=True, tag="hand_dealt"):
    """A hand was dealt. `hands` are the cards by seat; `turn_up` marks trump, and is the dealer's own where no `stock` is left.

    With `face_down`, no player has seen a card yet: the dealer picks the one that decides trump.
    """

    number: int
    kind: HandKind
    cards: int
    dealer: int
    hands: tuple[tuple[Card, ...], ...]
    stock: tuple[Card, ...]
    multiplier: int
    trump: Suit | None = None
    turn_up: Card | None = None
    face_down: bool = False


class BlindPickMade(_Event, frozen=True, tag="blind_pick_made"):
    """The dealer's `card` was turned up and marks trump: the one pointed at, or without `position` the last one dealt.

    Now everybody looks at their cards: `hands`, by seat.
    """

    seat: int
    card: Card
    multiplier: int
    hands: tuple[tuple[Card, ...], ...]
    position: int | None = None

    @property
    def trump(self) -> Suit:
        """The suit that the card marks."""
        return self.card.suit


class AuctionBidMade(_Event, frozen=True, tag="auction_bid_made"):
    """A seat said how many tricks it would take if it could name trump."""

    seat: int
    bid: int


class AuctionPassed(_Event, frozen=True, tag="auction_passed"):
    """A seat left the naming of trump to others."""

    seat: int


class AuctionWon(_Event, frozen=True, tag="auction_won"):
    """All have spoken: `seat` names trump. With `locked`, `bid` is its bid for the hand as well."""

    seat: int
    bid: int
    locked: bool = False


class TrumpChosen(_Event, frozen=True, tag="trump_chosen"):
    """The auction's winner named trump."""

    seat: int
    suit: Suit
    multiplier: int


class BidMade(_Event, frozen=True, tag="bid_made"):
    """A seat said how many tricks it will take."""

    seat: int
    bid: int


class CardPlayed(_Event, frozen=True, tag="card_played"):
    """A seat played a card."""

    seat: int
    card: Card


class TrickTaken(_Event, frozen=True, tag="trick_taken"):
    """The trick is complete, and `seat` took it with `card`."""

    seat: int
    card: Card


class HandScored(_Event, frozen=True, tag="hand_scored"):
    """The hand is over: what each seat had bid, took, and gained or lost; totals, hands missed and ranks after it."""

    number: int
    bids: tuple[int, ...]
    tricks: tuple[int, ...]
    points: tuple[int, ...]
    totals: tuple[int, ...]
    missed: tuple[int, ...]
    ranks: tuple[int, ...]


class RenuncioClaimed(_Event, frozen=True, tag="renuncio_claimed"):
    """A rival said that `seat` played an illegal card to trick `trick` of hand `hand`, and the log said whether it was so.

    `penalty`, in points, is lost by `seat` when the claim was proven, else by `claimant`. Totals and ranks are those after it.
    """

    claimant: int
    seat: int
    hand: int
    trick: int
    card: Card
    proven: bool
    penalty: int
    totals: tuple[int, ...]
    ranks: tuple[int, ...]


class GameOver(_Event, frozen=True, tag="game_over"):
    """The game has winners: more than one when a tie stays unbroken. A seat whose player is away at the end is none of them."""

    winners: tuple[int, ...]


Event = (
    GameCreated
    | SeatTaken
    | SeatLeft
    | SeatCleared
    | RobotSeated
    | GameStarted
    | HandDealt
    | BlindPickMade
    | AuctionBidMade
    | AuctionPassed
    | AuctionWon
    | TrumpChosen
    | BidMade
    | CardPlayed
    | TrickTaken
    | HandScored
    | RenuncioClaimed
    | GameOver
    | GameAbandoned
    | AutoPlayChosen
    | TurnExpired
)

TURN_EVENTS = (
    CardPlayed,
    BidMade,
    HandDealt,
    BlindPickMade,
    AuctionBidMade,
    AuctionPassed,
    AuctionWon,
    TrumpChosen,
)
"""The events by which a turn passes: after each of them another turn has begun, of whichever seat, or the hand is over."""


def passes_turn(events: Iterable[Event]) -> bool:
    """Tell whether a turn passed in `events`."""
    return any(isinstance(event, TURN_EVENTS) for event in events)
