"""Where a game stands: one record a phase, so that a wrong moment cannot be represented."""

from typing import assert_never

import msgspec

from domain.cards import Card, Suit
from domain.pocha.rules import ruleset, standings
from domain.pocha.rules.auction import Call
from domain.pocha.rules.ruleset import Ruleset
from domain.pocha.rules.schedule import HandPlan
from domain.seats import from_seat, next_seat
from domain.table.table import Table


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


class PlayedHand(msgspec.Struct, frozen=True):
    """A hand's deal and the tricks played in it."""

    deal: Deal
    tricks: tuple[Trick, ...]


class Progress(msgspec.Struct, frozen=True):
    """A started game between its hands: the schedule, and what was scored, extra hands included. Totals are listed by seat.

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
        """How many play."""
        return len(self.table.seats)


class NotCreated(msgspec.Struct, frozen=True):
    """There is no such game yet."""


class Waiting(msgspec.Struct, frozen=True):
    """Seats are being taken; with none free the game is about to start."""

    table: Table
    ruleset: Ruleset


class Dealing(msgspec.Struct, frozen=True):
    """The next hand, number `len(match.results) + 1`, is about to be dealt."""

    progress: Progress


class PickingBlind(msgspec.Struct, frozen=True):
    """All cards are dealt, face down; the dealer is to point at one of the own to mark trump."""

    progress: Progress
    deal: Deal


class Auctioning(msgspec.Struct, frozen=True):
    """The naming of trump is being auctioned; `calls` are in order from the mano."""

    progress: Progress
    deal: Deal
    calls: tuple[Call, ...] = ()


class ChoosingTrump(msgspec.Struct, frozen=True):
    """The auction is over, and its winner is to name trump."""

    progress: Progress
    deal: Deal
    auction: Auction


class Bidding(msgspec.Struct, frozen=True):
    """Bids are being made; `bids` are in the order of `deal.bidders`."""

    progress: Progress
    deal: Deal
    bids: tuple[int, ...] = ()


class Playing(msgspec.Struct, frozen=True):
    """Every bid is made, and tricks are played. `hands`, `bids` and `tricks_won` are listed by seat; `taken` are the tricks so far."""

    progress: Progress
    deal: Deal
    hands: tuple[tuple[Card, ...], ...]
    bids: tuple[int, ...]
    tricks_won: tuple[int, ...]
    trick: Trick
    taken: tuple[TakenTrick, ...] = ()


class Finished(msgspec.Struct, frozen=True):
    """The game is over."""

    progress: Progress
    winners: tuple[int, ...]


class Abandoned(msgspec.Struct, frozen=True):
    """The table was given up: before the start, or with the `match` as it stood."""

    table: Table
    ruleset: Ruleset
    progress: Progress | None = None


InHand = PickingBlind | Auctioning | ChoosingTrump | Bidding | Playing
Started = Dealing | InHand | Finished
State = NotCreated | Waiting | Started | Abandoned


def table_of(state: State) -> Table:
    """Return the table of a game that was created.

    Raises:
        ValueError: it was not.
    """
    if isinstance(state, Started):
        return state.progress.table
    match state:
        case Waiting(table=table) | Abandoned(table=table):
            return table
        case NotCreated():
            raise ValueError("the game was not created")
        case _:
            assert_never(state)


def ruleset_of(state: State) -> Ruleset:
    """Return the ruleset of a game that was created.

    Raises:
        ValueError: it was not.
    """
    if isinstance(state, Started):
        return state.progress.ruleset
    match state:
        case Waiting(ruleset=rules) | Abandoned(ruleset=rules):
            return rules
        case NotCreated():
            raise ValueError("the game was not created")
        case _:
            assert_never(state)


def progress_of(state: State) -> Progress | None:
    """Return the match, if the game has started."""
    return state.progress if isinstance(state, Started | Abandoned) else None


def turn_of(state: InHand) -> int:
    """Return the seat that has to move."""
    match state:
        case PickingBlind(deal=deal):
            return deal.dealer
        case Auctioning(deal=deal, calls=calls):
            return (deal.mano + len(calls)) % len(deal.hands)
        case ChoosingTrump(auction=auction):
            return auction.winner
        case Bidding(deal=deal, bids=bids):
            return deal.bidders[len(bids)]
        case Playing(trick=trick, hands=hands):
            return (trick.leader + len(trick.cards)) % len(hands)
        case _:
            assert_never(state)


def next_hand(progress: Progress) -> HandPlan | None:
    """Return the hand to be dealt next: the next scheduled one, then what a tie for the win calls for; none when the game is over."""
    played = len(progress.results)
    if played < len(progress.schedule):
        return progress.schedule[played]
    rules = progress.ruleset
    tied = len(standings.winners(progress.ranks))
    most = ruleset.most_cards(rules, progress.players)
    return standings.extra_hand(tied, most, played - len(progress.schedule), rules.tiebreak)
