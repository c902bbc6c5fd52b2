"""Hints between the processes of one service."""

from collections.abc import Callable
from datetime import datetime
from typing import Protocol
from uuid import UUID

import msgspec

from domain.table.table import Reaction


class VersionHint(msgspec.Struct, frozen=True, tag_field="kind", tag="version"):
    """A game has reached `version` or a later one."""

    game_id: UUID
    version: int


class PresenceBeacon(msgspec.Struct, frozen=True, tag_field="kind", tag="sighting"):
    """A player was active at `seen_at`, and counts as connected until `connected_until`, if that is given."""

    player_id: str
    seen_at: datetime
    connected_until: datetime | None = None


class ReactionHint(msgspec.Struct, frozen=True, tag_field="kind", tag="reaction"):
    """A player at a table has said something to the others. A repetition of one request has the same `reaction_id`."""

    game_id: UUID
    reaction_id: UUID
    seat: int
    player_id: str
    reaction: Reaction
    at: datetime


class PlayerHint(msgspec.Struct, frozen=True, tag_field="kind", tag="player"):
    """The profile of a player has changed."""

    player_id: str


Hint = VersionHint | PresenceBeacon | ReactionHint | PlayerHint


class Notifier(Protocol):
    """Sends hints to the other processes. A hint may be late, lost or repeated: nothing may depend on its arrival."""

    def publish(self, hint: Hint) -> None:
        """Send `hint` to all other processes soon. Never blocks; a newer hint replaces an unsent one of the same game or player."""
        ...

    def subscribe(self, on_hint: Callable[[Hint], None], on_gap: Callable[[], None]) -> None:
        """Call `on_hint` with every hint of other processes from now on, and `on_gap` whenever some may have been missed."""
        ...

    async def close(self) -> None:
        """Stop sending and receiving."""
        ...
