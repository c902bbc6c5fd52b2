"""The table: its seats, its host, and what was agreed when it was made."""

from datetime import datetime
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


class AutoPlay(StrEnum):
    """Which moves of a player the service makes: none, or those without a choice, where one action alone is legal."""

    OFF = "off"
    FORCED = "forced"


class Reaction(StrEnum):
    """What a player may say to the others at the table."""

    HELLO = "hello"
    GOOD_LUCK = "good-luck"
    WELL_PLAYED = "well-played"
    WOW = "wow"
    OOPS = "oops"
    SORRY = "sorry"
    THANKS = "thanks"
    HURRY_UP = "hurry-up"
    GOOD_BYE = "good-bye"


class Player(msgspec.Struct, frozen=True, tag_field="kind", tag="player"):
    """A person, or the program of one. Names are no part of a game: they are joined where a game is shown."""

    player_id: str


class Robot(msgspec.Struct, frozen=True, tag_field="kind", tag="robot"):
    """A seat that the service plays."""

    level: Level


Occupant = Player | Robot


class Seat(msgspec.Struct, frozen=True):
    """A seat: its occupant (none: free), and the player who is away from it and may come back.

    `expired_turns` counts the turns in a row that expired without a move by the occupant. `client_seed` is what the player gave to the
    shuffle; it is public. `auto_play` is the player's choice.
    """

    occupant: Occupant | None = None
    away: Player | None = None
    expired_turns: int = 0
    client_seed: str | None = None
    auto_play: AutoPlay = AutoPlay.OFF


class OnTimeout(msgspec.Struct, frozen=True):
    """What happens when a turn's time is over: a robot of `level` makes the move, and takes the seat after so many such turns in a row.

    It takes the seats of players who leave a started game as well.
    """

    level: Level = Level.EASY
    takes_seat_after: int = 3


class KeptSeats(msgspec.Struct, frozen=True):
    """Until `until` (UTC), each of these players finds a free seat: nobody else takes the last ones."""

    player_ids: tuple[str, ...]
    until: datetime


_ON_TIMEOUT = OnTimeout()


class Table(msgspec.Struct, frozen=True):
    """A table: the agreements stay for the life of a game, the seats change hands.

    `seed` is secret until the game is over; `commitment` is its SHA-256 in hexadecimal. A turn lasts `turn_seconds` (none: without limit);
    after it the table does what `on_timeout` says. `covered` is the seat whose present move a robot makes because its turn expired.
    Robots take `robot_seconds` for each move of their own seats.

    `tenant` is the owner of the table: an app, a trusted issuer of tokens, or, empty, the open service and its guests. The rules do not
    use it; callers of another tenant cannot find the table.

    Before the start, `kept` are the seats of a rematch for those who played before, and `removed` are the ids of the players whom the
    host has removed: they may not take a seat. `game_id` is part of the shuffle; it is None for a table of `pocha-shuffle-1`, the
    algorithm of before.
    """

    host: Player
    seats: tuple[Seat, ...]
    visibility: Visibility
    seed: bytes
    commitment: str
    invite_code: str | None = None
    turn_seconds: int | None = None
    on_timeout: OnTimeout = _ON_TIMEOUT
    covered: int | None = None
    tenant: str = ""
    kept: KeptSeats | None = None
    game_id: str | None = None
    removed: tuple[str, ...] = ()
    robot_seconds: int = 0

    @property
    def occupants(self) -> tuple[Occupant | None, ...]:
        """The occupants by seat."""
        return tuple(seat.occupant for seat in self.seats)

    @property
    def seated_players(self) -> tuple[Player, ...]:
        """The players who sit at the table, in the order of their seats."""
        return tuple(seat.occupant for seat in self.seats if isinstance(seat.occupant, Player))

    @property
    def players(self) -> tuple[Player, ...]:
        """The players of the table: those who sit there, and those who are away from a seat and may come back."""
        return (*self.seated_players, *(seat.away for seat in self.seats if seat.away is not None))

    @property
    def is_unattended(self) -> bool:
        """Tell whether no player sits at the table."""
        return not any(isinstance(seat.occupant, Player) for seat in self.seats)

    @property
    def client_seeds(self) -> tuple[str | None, ...]:
        """What players gave to the shuffle, by seat."""
        return tuple(seat.client_seed for seat in self.seats)

    @property
    def free_seats(self) -> tuple[int, ...]:
        """The seats without an occupant."""
        return tuple(number for number, seat in enumerate(self.seats) if seat.occupant is None)

    @property
    def away_seats(self) -> tuple[int, ...]:
        """The seats whose players are away."""
        return tuple(number for number, seat in enumerate(self.seats) if seat.away is not None)

    @property
    def kept_seats(self) -> tuple[int, ...]:
        """The free seats that are kept, until `kept.until`, for players who have yet to come: the last ones."""
        expected = () if self.kept is None else self.kept.player_ids
        missing = sum(self.seat_of(player_id) is None and player_id not in self.removed for player_id in expected)
        return self.free_seats[-missing:] if missing else ()

    def seats_open_to(self, player_id: str, now: datetime) -> tuple[int, ...]:
        """Return the free seats that the player may take: all but those that are kept for others."""
        if self.kept is None or now >= self.kept.until or player_id in self.kept.player_ids:
            return self.free_seats
        kept = self.kept_seats
        return tuple(seat for seat in self.free_seats if seat not in kept)

    def seat_of(self, player_id: str) -> int | None:
        """Return the seat where the player sits, if any."""
        for number, seat in enumerate(self.seats):
            if isinstance(seat.occupant, Player) and seat.occupant.player_id == player_id:
                return number
        return None

    def away_seat_of(self, player_id: str) -> int | None:
        """Return the seat to which the player may come back, if any."""
        for number, seat in enumerate(self.seats):
            if seat.away is not None and seat.away.player_id == player_id:
                return number
        return None

    def robot_at(self, seat: int) -> Level | None:
        """Return the level of the robot that makes the next move of the seat; none when a player makes it, or the seat is free."""
        occupant = self.seats[seat].occupant
        if isinstance(occupant, Robot):
            return occupant.level
        return self.on_timeout.level if seat == self.covered else None

    def is_paced(self, seat: int) -> bool:
        """Tell whether the next move of the seat is that of a robot which takes its time."""
        return self.robot_seconds > 0 and isinstance(self.seats[seat].occupant, Robot)

    def plays_forced_moves(self, seat: int) -> bool:
        """Tell whether a player has the seat who lets the service make the moves without a choice."""
        chosen = self.seats[seat]
        return isinstance(chosen.occupant, Player) and chosen.auto_play is AutoPlay.FORCED

    def admits(self, player_id: str) -> bool:
        """Tell whether the player may know of this table without an invitation: it is public, or they sit or sat there."""
        if self.visibility is Visibility.PUBLIC:
            return True
        return self.seat_of(player_id) is not None or self.away_seat_of(player_id) is not None

    @property
    def seated_host(self) -> Player | None:
        """The player who speaks for the table: its creator, or once they have left, the player at the lowest seat; none where none sits."""
        seated = self.seated_players
        creator = (player for player in seated if player.player_id == self.host.player_id)
        return next(creator, seated[0] if seated else None)

    def is_hosted_by(self, player_id: str) -> bool:
        """Tell whether the player speaks for the table."""
        host = self.seated_host
        return host is not None and host.player_id == player_id
