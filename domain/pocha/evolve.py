"""How the game stands after an event: one short case each, deciding nothing."""

from collections.abc import Iterable
from typing import TypeVar

from msgspec.structs import replace

from domain.pocha.events import (
    BidMade,
    CardPlayed,
    Event,
    GameAbandoned,
    GameCreated,
    GameOver,
    GameStarted,
    HandDealt,
    HandScored,
    RobotSeated,
    SeatLeft,
    SeatTaken,
    TrickTaken,
)
from domain.pocha.schedule import HandPlan
from domain.pocha.state import (
    Abandoned,
    Bidding,
    Deal,
    Dealing,
    Finished,
    HandResult,
    Match,
    NotCreated,
    Playing,
    State,
    TakenTrick,
    Trick,
    Waiting,
)
from domain.pocha.table import Occupant, Robot, Table

T = TypeVar("T")


class ImpossibleEvent(Exception):
    """An event that cannot follow this state: the log is damaged, or was written by other rules code."""


def fold(state: State, events: Iterable[Event]) -> State:
    """Return `state` after all `events`, in order."""
    for event in events:
        state = evolve(state, event)
    return state


def evolve(state: State, event: Event) -> State:
    """Return `state` after `event`.

    Raises:
        ImpossibleEvent: it cannot have happened here.
    """
    match state, event:
        case Playing(), CardPlayed():
            return _card_played(state, event)
        case Playing(), TrickTaken():
            return _trick_taken(state, event)
        case Bidding(), BidMade():
            return _bid_made(state, event)
        case Playing(), HandScored():
            return _hand_scored(state, event)
        case Dealing(), HandDealt():
            return _hand_dealt(state, event)
        case Dealing(), GameOver():
            return Finished(state.match, event.winners)
        case NotCreated(), GameCreated():
            return _game_created(event)
        case Waiting(), GameStarted():
            return _game_started(state, event)
        case Waiting(), GameAbandoned():
            return Abandoned(state.table)
        case _, SeatTaken(seat=seat, player=player):
            return _seated(state, seat, player)
        case _, SeatLeft(seat=seat):
            return _seated(state, seat, None)
        case _, RobotSeated(seat=seat, level=level):
            return _seated(state, seat, Robot(level))
        case _:
            raise ImpossibleEvent(f"{type(event).__name__} cannot follow {type(state).__name__}")


def _game_created(event: GameCreated) -> Waiting:
    return Waiting(
        Table(
            ruleset=event.ruleset,
            host=event.host,
            seats=(None,) * event.players,
            visibility=event.visibility,
            seed=event.seed,
            commitment=event.commitment,
            invite_code=event.invite_code,
        )
    )


def _seated(state: State, seat: int, occupant: Occupant | None) -> State:
    match state:
        case Waiting(table=table):
            return Waiting(_with_occupant(table, seat, occupant))
        case Dealing(match=match) | Bidding(match=match) | Playing(match=match):
            return replace(state, match=replace(match, table=_with_occupant(match.table, seat, occupant)))
        case _:
            raise ImpossibleEvent(f"nobody sits down or gets up in {type(state).__name__}")


def _with_occupant(table: Table, seat: int, occupant: Occupant | None) -> Table:
    return replace(table, seats=_changed(table.seats, seat, occupant))


def _game_started(state: Waiting, event: GameStarted) -> Dealing:
    none = (0,) * len(event.seats)
    return Dealing(
        Match(
            table=replace(state.table, seats=event.seats),
            schedule=event.schedule,
            first_dealer=event.dealer,
            results=(),
            totals=none,
            missed=none,
            ranks=(1,) * len(event.seats),
        )
    )


def _hand_dealt(state: Dealing, event: HandDealt) -> Bidding:
    deal = Deal(
        number=event.number,
        plan=HandPlan(event.kind, event.cards),
        dealer=event.dealer,
        trump=event.trump,
        turn_up=event.turn_up,
        multiplier=event.multiplier,
        stock=event.stock,
    )
    return Bidding(state.match, deal, event.hands)


def _bid_made(state: Bidding, event: BidMade) -> Bidding | Playing:
    bids = (*state.bids, event.bid)
    players = state.match.players
    if len(bids) < players:
        return replace(state, bids=bids)
    mano = state.deal.mano(players)
    by_seat = tuple(bids[(seat - mano) % players] for seat in range(players))
    return Playing(state.match, state.deal, state.hands, by_seat, (0,) * players, Trick(mano))


def _card_played(state: Playing, event: CardPlayed) -> Playing:
    left = tuple(card for card in state.hands[event.seat] if card is not event.card)
    return Playing(
        state.match,
        state.deal,
        _changed(state.hands, event.seat, left),
        state.bids,
        state.tricks_won,
        Trick(state.trick.leader, (*state.trick.cards, event.card)),
        state.last_trick,
    )


def _trick_taken(state: Playing, event: TrickTaken) -> Playing:
    return Playing(
        state.match,
        state.deal,
        state.hands,
        state.bids,
        _changed(state.tricks_won, event.seat, state.tricks_won[event.seat] + 1),
        Trick(event.seat),
        TakenTrick(event.seat, state.trick),
    )


def _hand_scored(state: Playing, event: HandScored) -> Dealing:
    deal = state.deal
    result = HandResult(
        plan=deal.plan,
        dealer=deal.dealer,
        trump=deal.trump,
        turn_up=deal.turn_up,
        multiplier=deal.multiplier,
        bids=event.bids,
        tricks=event.tricks,
        points=event.points,
    )
    match = state.match
    return Dealing(
        replace(match, results=(*match.results, result), totals=event.totals, missed=event.missed, ranks=event.ranks)
    )


def _changed(items: tuple[T, ...], index: int, item: T) -> tuple[T, ...]:
    return (*items[:index], item, *items[index + 1 :])
