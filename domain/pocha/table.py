"""The table around the game: who sits where, and what was agreed when it was made."""

from enum import StrEnum
from hmac import compare_digest

import msgspec

from domain.pocha.ruleset import Ruleset


class Level(StrEnum):
    """How well a robot plays."""

    EASY = "easy"


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


class Table(msgspec.Struct, frozen=True):
    """What stays the same for the life of a game, but for the occupants of the `seats` (none: free).

    `seed` is secret until the game is over; `commitment` is its SHA-256 in hexadecimal. `client_seeds`, by seat, are what players gave to
    the shuffle (none: nothing); they are public, and settled when the game starts.
    """

    ruleset: Ruleset
    host: Player
    seats: tuple[Occupant | None, ...]
    visibility: Visibility
    seed: bytes
    commitment: str
    invite_code: str | None = None
    client_seeds: tuple[str | None, ...] = ()

    def seat_of(self, player_id: str) -> int | None:
        """Return the seat where the player sits, if any."""
        for seat, occupant in enumerate(self.seats):
            if isinstance(occupant, Player) and occupant.player_id == player_id:
                return seat
        return None

    def admits(self, player_id: str, invite_code: str | None = None) -> bool:
        """Tell whether the player may know of this table: it is public, they sit there, or they have its invite code."""
        if self.visibility is Visibility.PUBLIC or self.seat_of(player_id) is not None:
            return True
        return self.invite_code is not None and compare_digest(_bytes(invite_code or ""), _bytes(self.invite_code))

    def is_hosted_by(self, player_id: str) -> bool:
        """Tell whether the player speaks for the table: who made it, or once they have left, who sits at the lowest seat."""
        seated = [occupant.player_id for occupant in self.seats if isinstance(occupant, Player)]
        return player_id == self.host.player_id if self.host.player_id in seated else player_id in seated[:1]

    def free_seats(self) -> tuple[int, ...]:
        """Return the seats that nobody has taken."""
        return tuple(seat for seat, occupant in enumerate(self.seats) if occupant is None)


def _bytes(code: str) -> bytes:
    """`compare_digest` takes no text beyond ASCII, and people may write anything."""
    return code.encode(errors="surrogatepass")
