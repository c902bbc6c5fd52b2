"""Events of a table. Each event's tag is its `type` in the log."""

import msgspec

from domain.table.table import AutoPlay, Level, Player


class _Event(msgspec.Struct, frozen=True, tag_field="type", omit_defaults=True):
    """Base of the table's events."""


class SeatTaken(_Event, frozen=True, tag="seat_taken"):
    """A player sat down; in a started game, came back."""

    seat: int
    player: Player
    client_seed: str | None = None


class SeatLeft(_Event, frozen=True, tag="seat_left"):
    """A player got up; before the start the seat is free again, after it a robot's (`robot_seated` follows)."""

    seat: int
    player: Player


class SeatCleared(_Event, frozen=True, tag="seat_cleared"):
    """Before the start, the host removed the `player` of the seat, who may not come back, or (none) its robot. The seat is free."""

    seat: int
    player: Player | None = None


class RobotSeated(_Event, frozen=True, tag="robot_seated"):
    """The service plays this seat from now on."""

    seat: int
    level: Level


class AutoPlayChosen(_Event, frozen=True, tag="auto_play_chosen"):
    """The player of `seat` chose which of their moves the service makes."""

    seat: int
    auto_play: AutoPlay


class TurnExpired(_Event, frozen=True, tag="turn_expired"):
    """The time of `seat` was over, for the `in_a_row`-th turn without a move of its own; a robot makes this move."""

    seat: int
    in_a_row: int


class GameAbandoned(_Event, frozen=True, tag="game_abandoned"):
    """The table was abandoned: before the start the last player left, the host closed it or was gone; it was idle; or its app ended it."""


TableEvent = SeatTaken | SeatLeft | SeatCleared | RobotSeated | AutoPlayChosen | TurnExpired | GameAbandoned
