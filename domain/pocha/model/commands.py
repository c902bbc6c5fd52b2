"""Commands to a game. Chance arrives in them as data: the drawn seats and dealer, the shuffled pack."""

import msgspec

from domain.cards import Card, Suit
from domain.pocha.rules.ruleset import Ruleset
from domain.table.commands import AbandonGame, ChooseAutoPlay, ExpireTurn, LeaveSeat, SeatRobot, TakeSeat
from domain.table.table import KeptSeats, Level, Player, Visibility


class CreateGame(msgspec.Struct, frozen=True):
    """Make a table for `players`: `host` takes seat 0, `robots` the last seats. A turn lasts `turn_seconds`; none: for ever.

    `stand_in` plays for absent players. `tenant` is whose table it will be (`Table.tenant`), `kept` the seats of a rematch.
    `game_id` is the game's own id, for the shuffle.
    Robots take `robot_seconds` for a move.
    """

    ruleset: Ruleset
    players: int
    host: Player
    robots: tuple[Level, ...]
    visibility: Visibility
    seed: bytes
    commitment: str
    invite_code: str | None = None
    client_seed: str | None = None
    turn_seconds: int | None = None
    stand_in: Level = Level.EASY
    tenant: str = ""
    kept: KeptSeats | None = None
    game_id: str | None = None
    robot_seconds: int = 0


class StartGame(msgspec.Struct, frozen=True):
    """Begin, all seats taken. `order` lists the present seats in the order in which they will sit; `dealer` is a new seat."""

    order: tuple[int, ...]
    dealer: int


class DealHand(msgspec.Struct, frozen=True):
    """Deal the next hand from the shuffled `deck`, first card first."""

    deck: tuple[Card, ...]


class MakeBid(msgspec.Struct, frozen=True):
    """Say how many tricks `seat` will take."""

    seat: int
    bid: int


class PlayCard(msgspec.Struct, frozen=True):
    """Play `card` from the hand of `seat`."""

    seat: int
    card: Card


class PickBlind(msgspec.Struct, frozen=True):
    """Point at the own face-down card at `position`, counted from 0 as dealt, to mark trump; at none: the last one dealt does."""

    seat: int
    position: int | None = None


class MakeAuctionBid(msgspec.Struct, frozen=True):
    """Say how many tricks `seat` would take if it could name trump."""

    seat: int
    bid: int


class PassAuction(msgspec.Struct, frozen=True):
    """Leave the naming of trump to others."""

    seat: int


class ChooseTrump(msgspec.Struct, frozen=True):
    """Name trump; the auction's winner may."""

    seat: int
    suit: Suit


class ClaimRenuncio(msgspec.Struct, frozen=True):
    """Say that `seat` played an illegal card to trick `trick` (from 1) of the hand being played, or of the one just scored."""

    claimant: int
    seat: int
    trick: int


Move = PlayCard | MakeBid | MakeAuctionBid | PassAuction | ChooseTrump | PickBlind
"""The commands of the seat on turn."""

Command = (
    Move
    | DealHand
    | ClaimRenuncio
    | CreateGame
    | StartGame
    | TakeSeat
    | LeaveSeat
    | SeatRobot
    | ChooseAutoPlay
    | ExpireTurn
    | AbandonGame
)
