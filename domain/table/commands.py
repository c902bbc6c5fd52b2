"""Commands to a table, by players and the service."""

from datetime import datetime

import msgspec

from domain.table.table import AutoPlay, Level, Player


class TakeSeat(msgspec.Struct, frozen=True):
    """Sit down at `seat`, or at the first free one; in a started game, come back to the own seat.

    At a private table a player who never sat there must be `invited`: the application has compared the invite code. `asked_at` (UTC)
    says which seats are kept for others; without it, all of `Table.kept` still are.
    """

    player: Player
    seat: int | None = None
    client_seed: str | None = None
    invited: bool = False
    asked_at: datetime | None = None


class LeaveSeat(msgspec.Struct, frozen=True):
    """Get up from `seat`; before the start, the host may also clear the seat of another player or of a robot."""

    player_id: str
    seat: int


class SeatRobot(msgspec.Struct, frozen=True):
    """Let the service play the free `seat`; only the host may ask."""

    player_id: str
    seat: int
    level: Level


class ChooseAutoPlay(msgspec.Struct, frozen=True):
    """Let the service make such moves of the own `seat` of a started game, until another choice, or a robot has the seat."""

    player_id: str
    seat: int
    auto_play: AutoPlay


class ExpireTurn(msgspec.Struct, frozen=True):
    """End the turn of `seat`: its time is over, and a robot makes the move. The caller has compared the clock."""

    seat: int


class AbandonGame(msgspec.Struct, frozen=True):
    """Abandon the table."""
