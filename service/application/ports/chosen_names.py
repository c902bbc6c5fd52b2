"""The display names that players chose after they got their token."""

from typing import Protocol


class ChosenNames(Protocol):
    """Display names by player. Every method may raise `StoreUnavailable`."""

    async def chosen_name(self, player_id: str) -> str | None:
        """Return the name that the player chose last; None if the player chose none."""
        ...

    async def choose_name(self, player_id: str, name: str) -> None:
        """Keep `name` as the player's."""
        ...

    async def forget_name(self, player_id: str) -> None:
        """Forget the name that the player chose, if any."""
        ...
