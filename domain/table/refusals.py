"""Refusals of commands to a table."""

from enum import StrEnum


class TableReason(StrEnum):
    """The table's reasons; the game that is played there lists them among its own."""

    NOT_INVITED = "not-invited"
    NO_SUCH_SEAT = "no-such-seat"
    SEAT_TAKEN = "seat-taken"
    ALREADY_SEATED = "already-seated"
    GAME_FULL = "game-full"
    REMOVED_BY_HOST = "removed-by-host"
    NOT_YOUR_SEAT = "not-your-seat"
    NOT_THE_HOST = "not-the-host"


class RefusedByTable(Exception):
    """The command may not be carried out; nothing happened."""

    def __init__(self, reason: TableReason) -> None:
        super().__init__(reason.value)
        self.reason = reason
