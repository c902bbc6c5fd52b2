"""The state of a game: one record a phase, so that a bidding hand has no trick, and a playing hand has every bid."""

from enum import StrEnum
from typing import ClassVar, assert_never

import msgspec

from domain.cards import Card, Suit
from domain.pocha.rules import ruleset, standings
from domain.pocha.rules.auction import Call
from domain.pocha.rules.ruleset import Ruleset
from domain.pocha.rules.schedule import HandPlan
from domain.seats import from_seat, next_seat, seat_at
from domain.table.table import Table


class Phase(StrEnum):
    """The phases of a game, as refusals name them."""

    NOT_CREATED = "not-created"
    WAITING = "waiting"
    DEALING = "dealing"
    PICKING_BLIND = "picking-blind"
    AUCTIONING = "auctioning"
    CHOOSING_TRUMP = "choosing-trump"
    BIDDING = "bidding"
    PLAYING = "playing"
    FINISHED = "finished"
    ABANDONED = "abandoned"


class HandResult(msgspec.Struct, frozen=True):
    """A row of the score sheet. Bids, tricks and points are listed by seat."""

    plan: HandPlan
    dealer: int
    trump: Suit | None
    turn_up: Card | None
    multiplier: int
    bids: tuple[int, ...]
    tricks: tuple[int, ...]
    points: tuple[int, ...]


class Auction(msgspec.Struct, frozen=True):
    """How the naming of trump was settled: all `calls` in order from the mano, who won it, and with what bid.

    With `locked`, that is the winner's bid for the hand.
    """

    calls: tuple[Call, ...]
    winner: int
    bid: int
    locked: bool


class Deal(msgspec.Struct, frozen=True):
    """What is settled of the present hand before its bids.

    `hands` are the cards as dealt, by seat; `stock` those that stay out of play, the turn-up not among them.
    """

    number: int
    plan: HandPlan
    dealer: int
    trump: Suit | None
    turn_up: Card | None
    multiplier: int
    hands: tuple[tuple[Card, ...], ...]
    stock: tuple[Card, ...]
    auction: Auction | None = None

    @property
    def mano(self) -> int:
        """The eldest hand, who bids and leads first: the dealer's right-hand neighbour."""
        return next_seat(self.dealer, len(self.hands))

    @property
    def bidders(self) -> tuple[int, ...]:
        """The seats that bid, in their order: all from the mano, but for one whose bid the auction has locked."""
        order = from_seat(self.mano, len(self.hands))
        if self.auction is None or not self.auction.locked:
            return order
        return tuple(seat for seat in order if seat != self.auction.winner)


class Trick(msgspec.Struct, frozen=True):
    """The cards on the table in play order, and who led."""

    leader: int
    cards: tuple[Card, ...] = ()


class TakenTrick(msgspec.Struct, frozen=True):
    """A trick that is over, and who took it."""

    winner: int
    trick: Trick


class Claim(msgspec.Struct, frozen=True):
    """A renuncio that `claimant` saw in the play of `seat` to trick `trick` of hand `hand` (both from 1), and what came of it."""

    claimant: int
    seat: int
    hand: int
    trick: int
    proven: bool
    penalty: int

    @property
    def loser(self) -> int:
        """The seat that pays the penalty."""
        return self.seat if self.proven else self.claimant


class PlayedHand(msgspec.Struct, frozen=True):
    """A hand's deal and the tricks played in it."""

    deal: Deal
    tricks: tuple[Trick, ...]


class Progress(msgspec.Struct, frozen=True):
    """How far a started game has come: its schedule, and what was scored, extra hands included. Totals are listed by seat.

    `order` are the earlier seats of those who sit now at 0, 1, 2 and so on, if the seats were drawn; `last_hand` is the one scored last.
    """

    table: Table
    ruleset: Ruleset
    schedule: tuple[HandPlan, ...]
    first_dealer: int
    order: tuple[int, ...]
    results: tuple[HandResult, ...]
    claims: tuple[Claim, ...]
    totals: tuple[int, ...]
    missed: tuple[int, ...]
    ranks: tuple[int, ...]
    last_hand: PlayedHand | None = None

    @property
    def players(self) -> int:
        """The number of players."""
        return len(self.totals)

    @property
    def next_number(self) -> int:
        """The number of the hand to be dealt next."""
        return len(self.results) + 1

    @property
    def next_dealer(self) -> int:
        """The seat that deals the next hand."""
        return seat_at(self.first_dealer, len(self.results), self.players)

    @property
    def next_hand(self) -> HandPlan | None:
        """The hand to be dealt next: a scheduled one, then what a tie for the win calls for; none when the game is over."""
        played = len(self.results)
        if played < len(self.schedule):
            return self.schedule[played]
        tied = len(standings.winners(self.ranks))
        most = ruleset.most_cards(self.ruleset, self.players)
        return standings.extra_hand(tied, most, played - len(self.schedule), self.ruleset.tiebreak)


class NotCreated(msgspec.Struct, frozen=True):
    """There is no such game yet."""

    phase: ClassVar[Phase] = Phase.NOT_CREATED


class Waiting(msgspec.Struct, frozen=True):
    """Seats are being taken; with none free the game is about to start."""

    phase: ClassVar[Phase] = Phase.WAITING
    table: Table
    ruleset: Ruleset


class Dealing(msgspec.Struct, frozen=True):
    """The next hand is about to be dealt."""

    phase: ClassVar[Phase] = Phase.DEALING
    progress: Progress


class InHand(msgspec.Struct, frozen=True):
    """Base of the phases of a hand: `turn` is the seat that has to move."""

    phase: ClassVar[Phase]
    progress: Progress
    deal: Deal
    turn: int


class PickingBlind(InHand, frozen=True):
    """All cards are dealt, face down; the dealer is to point at one of their own to mark trump."""

    phase: ClassVar[Phase] = Phase.PICKING_BLIND


class Auctioning(InHand, frozen=True):
    """The naming of trump is being auctioned; `calls` are in order from the mano."""

    phase: ClassVar[Phase] = Phase.AUCTIONING
    calls: tuple[Call, ...] = ()


class ChoosingTrump(InHand, frozen=True):
    """The auction is over, and its winner is to name trump."""

    phase: ClassVar[Phase] = Phase.CHOOSING_TRUMP
    auction: Auction


class Bidding(InHand, frozen=True):
    """Bids are being made; `bids` are in the order of `deal.bidders`."""

    phase: ClassVar[Phase] = Phase.BIDDING
    bids: tuple[int, ...] = ()


class Playing(InHand, frozen=True):
    """Every bid is made, and tricks are played. `hands`, `bids` and `tricks_won` are listed by seat; `taken` are the tricks so far."""

    phase: ClassVar[Phase] = Phase.PLAYING
    hands: tuple[tuple[Card, ...], ...]
    bids: tuple[int, ...]
    tricks_won: tuple[int, ...]
    trick: Trick
    taken: tuple[TakenTrick, ...] = ()


class Finished(msgspec.Struct, frozen=True):
    """The game is over."""

    phase: ClassVar[Phase] = Phase.FINISHED
    progress: Progress
    winners: tuple[int, ...]


class Abandoned(msgspec.Struct, frozen=True):
    """The table was abandoned: before the start, or with the `progress` made by then."""

    phase: ClassVar[Phase] = Phase.ABANDONED
    table: Table
    ruleset: Ruleset
    progress: Progress | None = None


HandState = PickingBlind | Auctioning | ChoosingTrump | Bidding | Playing
"""The phases of a hand, one by one: what a `match` on an `InHand` has to name."""

State = NotCreated | Waiting | Dealing | HandState | Finished | Abandoned


def table_of(state: State) -> Table:
    """Return the table of a game that was created.

    Raises:
        ValueError: it was not.
    """
    match state:
        case InHand() | Dealing() | Finished():
            return state.progress.table
        case Waiting() | Abandoned():
            return state.table
        case NotCreated():
            raise ValueError("the game was not created")
        case _:
            assert_never(state)


def ruleset_of(state: State) -> Ruleset:
    """Return the ruleset of a game that was created.

    Raises:
        ValueError: it was not.
    """
    match state:
        case InHand() | Dealing() | Finished():
            return state.progress.ruleset
        case Waiting() | Abandoned():
            return state.ruleset
        case NotCreated():
            raise ValueError("the game was not created")
        case _:
            assert_never(state)


def progress_of(state: State) -> Progress | None:
    """Return how far the game has come, if it has started."""
    match state:
        case InHand() | Dealing() | Finished() | Abandoned():
            return state.progress
        case NotCreated() | Waiting():
            return None
        case _:
            assert_never(state)
