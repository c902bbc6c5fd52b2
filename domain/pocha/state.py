"""Where a game stands: one record a phase, so that a wrong moment cannot be represented."""

from typing import assert_never

import msgspec

from domain.cards import Card, Suit
from domain.pocha import ending, ruleset
from domain.pocha.schedule import HandPlan
from domain.pocha.table import Table


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


class Match(msgspec.Struct, frozen=True):
    """A started game between its hands: the schedule, and what was scored, extra hands included. Totals are listed by seat."""

    table: Table
    schedule: tuple[HandPlan, ...]
    first_dealer: int
    results: tuple[HandResult, ...]
    totals: tuple[int, ...]
    missed: tuple[int, ...]
    ranks: tuple[int, ...]

    @property
    def players(self) -> int:
        """How many play."""
        return len(self.table.seats)


class Deal(msgspec.Struct, frozen=True):
    """What the dealing of the present hand settled. `stock` are the cards that stay out of play, the turn-up not among them."""

    number: int
    plan: HandPlan
    dealer: int
    trump: Suit | None
    turn_up: Card | None
    multiplier: int
    stock: tuple[Card, ...]

    def mano(self, players: int) -> int:
        """Return the eldest hand, who bids and leads first: the dealer's right-hand neighbour."""
        return (self.dealer + 1) % players


class Trick(msgspec.Struct, frozen=True):
    """The cards on the table in play order, and who led."""

    leader: int
    cards: tuple[Card, ...] = ()


class TakenTrick(msgspec.Struct, frozen=True):
    """The trick before, and who took it."""

    winner: int
    trick: Trick


class NotCreated(msgspec.Struct, frozen=True):
    """There is no such game yet."""


class Waiting(msgspec.Struct, frozen=True):
    """Seats are being taken; with none free the game is about to start."""

    table: Table


class Dealing(msgspec.Struct, frozen=True):
    """The next hand, number `len(match.results) + 1`, is about to be dealt."""

    match: Match


class Bidding(msgspec.Struct, frozen=True):
    """Bids are being made; `bids` are in order from the mano, `hands` by seat."""

    match: Match
    deal: Deal
    hands: tuple[tuple[Card, ...], ...]
    bids: tuple[int, ...] = ()


class Playing(msgspec.Struct, frozen=True):
    """Every bid is made, and tricks are played. `hands`, `bids` and `tricks_won` are listed by seat."""

    match: Match
    deal: Deal
    hands: tuple[tuple[Card, ...], ...]
    bids: tuple[int, ...]
    tricks_won: tuple[int, ...]
    trick: Trick
    last_trick: TakenTrick | None = None


class Finished(msgspec.Struct, frozen=True):
    """The game is over."""

    match: Match
    winners: tuple[int, ...]


class Abandoned(msgspec.Struct, frozen=True):
    """The table was given up before the start."""

    table: Table


State = NotCreated | Waiting | Dealing | Bidding | Playing | Finished | Abandoned
InHand = Bidding | Playing


def table_of(state: State) -> Table:
    """Return the table of a game that was created.

    Raises:
        ValueError: it was not.
    """
    match state:
        case Waiting(table=table) | Abandoned(table=table):
            return table
        case Dealing(match=match) | Bidding(match=match) | Playing(match=match) | Finished(match=match):
            return match.table
        case NotCreated():
            raise ValueError("the game was not created")
        case _:
            assert_never(state)


def results_of(state: State) -> tuple[HandResult, ...]:
    """Return the hands that were scored."""
    match state:
        case Dealing(match=match) | Bidding(match=match) | Playing(match=match) | Finished(match=match):
            return match.results
        case NotCreated() | Waiting() | Abandoned():
            return ()
        case _:
            assert_never(state)


def seat_on_turn(state: State) -> int | None:
    """Return the seat that the game waits for, if it waits for one."""
    return turn_of(state) if isinstance(state, InHand) else None


def turn_of(state: InHand) -> int:
    """Return the seat that has to bid or play."""
    match state:
        case Bidding(match=match, deal=deal, bids=bids):
            return (deal.mano(match.players) + len(bids)) % match.players
        case Playing(match=match, trick=trick):
            return (trick.leader + len(trick.cards)) % match.players
        case _:
            assert_never(state)


def next_hand(match: Match) -> HandPlan | None:
    """Return the hand to be dealt next: the next scheduled one, then what a tie for the win calls for; none when the game is over."""
    played = len(match.results)
    if played < len(match.schedule):
        return match.schedule[played]
    rules = match.table.ruleset
    tied = len(ending.winners(match.ranks))
    most = ruleset.most_cards(rules, match.players)
    return ending.extra_hand(tied, most, played - len(match.schedule), rules.tiebreak)
