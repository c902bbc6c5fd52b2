"""`evolve`: from an event to a state. It decides nothing, since events carry conclusions."""

from collections.abc import Iterable
from typing import assert_never

from domain.pocha.behaviour import auctioning, bidding, claiming, dealing, playing, seating
from domain.pocha.model.events import (
    AuctionBidMade,
    AuctionPassed,
    AuctionWon,
    AutoPlayChosen,
    BidMade,
    BlindPickMade,
    CardPlayed,
    Event,
    GameAbandoned,
    GameCreated,
    GameOver,
    GameStarted,
    HandDealt,
    HandScored,
    RenuncioClaimed,
    RobotSeated,
    SeatCleared,
    SeatLeft,
    SeatTaken,
    TrickTaken,
    TrumpChosen,
    TurnExpired,
)
from domain.pocha.model.state import State


def fold(state: State, events: Iterable[Event]) -> State:
    """Return `state` after all `events`, in order."""
    for event in events:
        state = evolve(state, event)
    return state


def evolve(state: State, event: Event) -> State:
    """Return `state` after `event`.

    Raises:
        ImpossibleEvent: the event cannot follow this state.
    """
    match event:
        case CardPlayed():
            return playing.card_played(state, event)
        case TrickTaken():
            return playing.trick_taken(state, event)
        case BidMade():
            return bidding.bid_made(state, event)
        case HandDealt():
            return dealing.hand_dealt(state, event)
        case HandScored():
            return playing.hand_scored(state, event)
        case AuctionBidMade():
            return auctioning.auction_bid_made(state, event)
        case AuctionPassed():
            return auctioning.auction_passed(state, event)
        case AuctionWon():
            return auctioning.auction_won(state, event)
        case TrumpChosen():
            return auctioning.trump_chosen(state, event)
        case BlindPickMade():
            return dealing.blind_pick_made(state, event)
        case RenuncioClaimed():
            return claiming.renuncio_claimed(state, event)
        case GameOver():
            return playing.game_over(state, event)
        case GameCreated():
            return seating.game_created(state, event)
        case GameStarted():
            return seating.game_started(state, event)
        case (
            SeatTaken()
            | SeatLeft()
            | SeatCleared()
            | RobotSeated()
            | AutoPlayChosen()
            | TurnExpired()
            | GameAbandoned()
        ):
            return seating.table_changed(state, event)
        case _:
            assert_never(event)
