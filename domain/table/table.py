"""The table: its seats, its host, and what was agreed when it was made."""

from enum import StrEnum

import msgspec


class Level(StrEnum):
    """How well a robot plays: as a beginner, well and counting cards, or by search."""

    EASY = "easy"
    NORMAL = "normal"
    HARD = "hard"


class Visibility(StrEnum):
    """Whether a table is listed and may be watched, or is only for those who have its invite code."""

    PUBLIC = "public"
    PRIVATE = "private"


class Player(msgspec.Struct, frozen=True, tag_field="kind", tag="player"):
    """A person, or the program of one."""

    player_id: str
    display_name: str


class Robot(msgspec.Struct, frozen=True, tag_field="kind", tag="robot"):
    """A seat that the service plays."""

    level: Level


Occupant = Player | Robot


class OnTimeout(msgspec.Struct, frozen=True):
    """What happens when a turn's time is over: a robot of `level` makes the move, and takes the seat after so many such turns in a row.

    It takes the seats of players who leave a started game as well.
    """

    level: Level = Level.EASY
    takes_seat_after: int = 3


_ON_TIMEOUT = OnTimeout()


class Table(msgspec.Struct, frozen=True):
    """What stays the same for the life of a game, but for who is there: the occupants of the `seats` (none: free), and who is `away`.

    `seed` is secret until the game is over; `commitment` is its SHA-256 in hexadecimal. `client_seeds`, by seat, are what players gave to
    the shuffle (none: nothing); they are public, and settled when the game starts.

    A turn lasts `turn_seconds` (none: for ever); then what `on_timeout` says is done. `away`, by seat, are the players who may come back
    there; empty while nobody ever went. `expired`, by seat, is how many turns in a row went by without a move of one's own; empty while
    none ever did. `covered` is the seat whose present move a robot makes, since its time was over.

    `tenant` names whom the table belongs to: an app, a trusted issuer of tokens, or, empty, the open service and its guests. The rules
    of the game do not ask for it; to the callers of another tenant there is no such table.
    """

    host: Player
    seats: tuple[Occupant | None, ...]
    visibility: Visibility
    seed: bytes
    commitment: str
    invite_code: str | None = None
    client_seeds: tuple[str | None, ...] = ()
    turn_seconds: int | None = None
    on_timeout: OnTimeout = _ON_TIMEOUT
    away: tuple[Player | None, ...] = ()
    expired: tuple[int, ...] = ()
    covered: int | None = None
    tenant: str = ""

    def seat_of(self, player_id: str) -> int | None:
        """Return the seat where the player sits, if any."""
        for seat, occupant in enumerate(self.seats):
            if isinstance(occupant, Player) and occupant.player_id == player_id:
                return seat
        return None

    def away_seat_of(self, player_id: str) -> int | None:
        """Return the seat to which the player may come back, if any."""
        for seat, player in enumerate(self.away):
            if player is not None and player.player_id == player_id:
                return seat
        return None

    def away_from(self, seat: int) -> Player | None:
        """Return the player who may come back to the seat, if any."""
        return self.away[seat] if self.away else None

    def robot_at(self, seat: int) -> Level | None:
        """Return the level of the robot that makes the next move of the seat; none when a player does, or nobody sits there."""
        occupant = self.seats[seat]
        if isinstance(occupant, Robot):
            return occupant.level
        return self.on_timeout.level if seat == self.covered else None

    def admits(self, player_id: str) -> bool:
        """Tell whether the player may know of this table without an invitation: it is public, or they sit or sat there."""
        return self.visibility is Visibility.PUBLIC or self._knows(player_id)

    def is_hosted_by(self, player_id: str) -> bool:
        """Tell whether the player speaks for the table: who made it, or once they have left, who sits at the lowest seat."""
        seated = [occupant.player_id for occupant in self.seats if isinstance(occupant, Player)]
        return player_id == self.host.player_id if self.host.player_id in seated else player_id in seated[:1]

    def free_seats(self) -> tuple[int, ...]:
        """Return the seats that nobody has taken."""
        return tuple(seat for seat, occupant in enumerate(self.seats) if occupant is None)

    def _knows(self, player_id: str) -> bool:
        return self.seat_of(player_id) is not None or self.away_seat_of(player_id) is not None
