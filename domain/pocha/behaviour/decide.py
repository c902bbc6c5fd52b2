"""`decide`: from a command to events and a state."""

from typing import assert_never

from domain.pocha.behaviour import auctioning, bidding, claiming, dealing, playing, seating
from domain.pocha.behaviour.decision import Decision
from domain.pocha.model.commands import (
    AbandonGame,
    ChooseAutoPlay,
    ChooseTrump,
    ClaimRenuncio,
    Command,
    CreateGame,
    DealHand,
    ExpireTurn,
    LeaveSeat,
    MakeAuctionBid,
    MakeBid,
    PassAuction,
    PickBlind,
    PlayCard,
    SeatRobot,
    StartGame,
    TakeSeat,
)
from domain.pocha.model.state import State


def decide(state: State, command: Command) -> Decision:
    """Return the events that follow from `command` in `state`, and the state after them.

    Raises:
        Refused: the command may not be carried out here and now; nothing happens.
    """
    match command:
        case PlayCard():
            return playing.play_card(state, command)
        case MakeBid():
            return bidding.make_bid(state, command)
        case DealHand():
            return dealing.deal_hand(state, command)
        case MakeAuctionBid():
            return auctioning.make_auction_bid(state, command)
        case PassAuction():
            return auctioning.pass_auction(state, command)
        case ChooseTrump():
            return auctioning.choose_trump(state, command)
        case PickBlind():
            return dealing.pick_blind(state, command)
        case ClaimRenuncio():
            return claiming.claim_renuncio(state, command)
        case CreateGame():
            return seating.create(state, command)
        case StartGame():
            return seating.start(state, command)
        case TakeSeat() | LeaveSeat() | SeatRobot() | ChooseAutoPlay() | ExpireTurn() | AbandonGame():
            return seating.at_table(state, command)
        case _:
            assert_never(command)
