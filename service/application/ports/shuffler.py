"""Chance, as data."""

from collections.abc import Sequence
from typing import Protocol
from uuid import UUID

import msgspec

from domain.cards import Card


class Seeds(msgspec.Struct, frozen=True):
    """The seeds of a game: the server's 32 secret bytes, the optional ASCII texts of the players, by seat, and the game's id.

    Without `game_id` the algorithm is that of before, `pocha-shuffle-1`.
    """

    server: bytes
    clients: tuple[str | None, ...] = ()
    game_id: UUID | None = None


class Shuffler(Protocol):
    """Everything that the rules leave to chance, each a function of a game's seeds (docs/fairness.md)."""

    def new_seed(self) -> bytes:
        """Return 32 fresh unpredictable bytes."""
        ...

    def first_dealer(self, seeds: Seeds, players: int) -> int:
        """Return the seat that deals the first hand."""
        ...

    def seating(self, seeds: Seeds, players: int) -> tuple[int, ...]:
        """Return all seats in random order."""
        ...

    def deck(self, seeds: Seeds, hand_number: int, cards: Sequence[Card]) -> tuple[Card, ...]:
        """Return `cards` in the order in which hand `hand_number` (from 1) is dealt."""
        ...

    def luck(self) -> int:
        """Return a random number, at least 0, that a robot may choose by."""
        ...
