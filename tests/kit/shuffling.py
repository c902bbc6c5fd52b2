"""Chance that is the same in every run, though the ids of games are not."""

from collections.abc import Sequence

from msgspec.structs import replace

from domain.cards import Card
from service.application.ports import Seeds
from service.application.shuffle import SeededShuffler


class SameForEveryGame(SeededShuffler):
    """Shuffles as the service does, but for the game's id, which is left out."""

    def first_dealer(self, seeds: Seeds, players: int) -> int:
        """Return the first dealer."""
        return super().first_dealer(_without_id(seeds), players)

    def seating(self, seeds: Seeds, players: int) -> tuple[int, ...]:
        """Return the seats."""
        return super().seating(_without_id(seeds), players)

    def deck(self, seeds: Seeds, hand_number: int, cards: Sequence[Card]) -> tuple[Card, ...]:
        """Return the deck."""
        return super().deck(_without_id(seeds), hand_number, cards)


def _without_id(seeds: Seeds) -> Seeds:
    return replace(seeds, game_id=None)
