"""What players achieved: a projection of finished games, and the order in which they were counted."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Protocol
from uuid import UUID

import msgspec

from domain.table.table import Level


class HandTally(msgspec.Struct, frozen=True, array_like=True):
    """Hands of so many cards, and how many of them were bid exactly."""

    cards: int
    hands: int
    exact: int


class SeatFacts(msgspec.Struct, frozen=True, omit_defaults=True):
    """A seat of a finished game: its player (none: a robot's), who has `left` it to a robot or not, and what it achieved.

    `place` is that among all seats, 1 for the winners; who left comes after all who stayed.
    """

    place: int
    points: int
    hands: tuple[HandTally, ...]
    player_id: str | None = None
    level: Level | None = None
    has_left: bool = False


class GameFacts(msgspec.Struct, frozen=True):
    """What counts of a finished game. Ids only: names are not in it."""

    game_id: UUID
    finished_at: datetime
    tenant: str
    ruleset_id: str
    seats: tuple[SeatFacts, ...]


class TableTally(msgspec.Struct, frozen=True):
    """A player's finished games of one number of players. `points` is their sum."""

    players: int
    games: int
    wins: int
    points: int
    hands: tuple[HandTally, ...]


class PlayerRecord(msgspec.Struct, frozen=True):
    """What a player achieved in the games of one ruleset: the rating as mean `mu` and deviation `sigma`, and tallies by players."""

    tenant: str
    ruleset_id: str
    player_id: str
    mu: float
    sigma: float
    games: int
    tallies: tuple[TableTally, ...]

    @property
    def rating(self) -> float:
        """The strength that the player has at least, with great certainty; 0 before the first game."""
        return self.mu - 3 * self.sigma


class Position(msgspec.Struct, frozen=True):
    """How many games were counted, and in which generation of the records: each rebuilding makes a new one."""

    generation: int
    counted: int


class Statistics(Protocol):
    """The records of players, and the journal of counted games. Every method may raise `StoreUnavailable`."""

    async def position(self) -> Position:
        """Return the present position."""
        ...

    async def is_counted(self, game_id: UUID) -> bool:
        """Tell whether a game is in the journal."""
        ...

    async def records(self, generation: int, ruleset_id: str, player_ids: Sequence[str]) -> Mapping[str, PlayerRecord]:
        """Return the records of players for a ruleset, without those that there are not."""
        ...

    async def count(self, at: Position, facts: GameFacts, records: Sequence[PlayerRecord]) -> bool:
        """Write a game to the journal, and the records after it; return whether the game is in the journal now.

        Nothing is written if the position is not `at` any more, or the game is in the journal.
        """
        ...

    async def journal(self, after: int, limit: int) -> Sequence[GameFacts]:
        """Return at most `limit` counted games in the order of counting, without the first `after`."""
        ...

    async def add(self, generation: int, records: Sequence[PlayerRecord]) -> None:
        """Write records of a generation that is not the present one yet."""
        ...

    async def switch(self, at: Position, generation: int) -> bool:
        """Make a generation the present one and drop all others, unless the position is not `at` any more; return whether it is present."""
        ...

    async def of_player(self, tenant: str, player_id: str) -> Sequence[PlayerRecord]:
        """Return the records of a player of a tenant, by ruleset."""
        ...

    async def leaderboard(
        self, tenant: str, ruleset_id: str, after: tuple[float, str] | None, limit: int
    ) -> Sequence[PlayerRecord]:
        """Return at most `limit` records of a tenant's players, the best rating first, then by player; those after a rating and player."""
        ...

    async def forget(self, player_id: str) -> None:
        """Delete all records of a player."""
        ...
