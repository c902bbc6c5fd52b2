"""What is kept of players apart from their games: the names under which others see them."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Protocol

import msgspec


class Profile(msgspec.Struct, frozen=True, kw_only=True):
    """The player of an id (a UUID in text form), of one tenant, and the name shown to others, since `named_at` (UTC).

    A chosen name stays whatever the player's credential says; another one follows the credential. A deleted player has no name, and
    never gets one again.
    """

    player_id: str
    tenant: str
    display_name: str
    is_chosen: bool = False
    named_at: datetime
    deleted_at: datetime | None = None


class Profiles(Protocol):
    """The profiles of players. Every method may raise `StoreUnavailable`."""

    async def profiles(self, player_ids: Sequence[str]) -> Sequence[Profile]:
        """Return the profiles of these players, in any order, without missing ones."""
        ...

    async def keep_profile(self, profile: Profile) -> Profile:
        """Keep the profile, and return the player's profile after that.

        A name that is not chosen does not replace a chosen one, and none replaces that of a deleted player.
        """
        ...

    async def changed_profiles(self, after: datetime | None) -> tuple[Sequence[Profile], datetime]:
        """Return the profiles that were replaced or deleted after a time, and the time for the next call; without a time, only that time.

        A change may be returned by several calls; each that is older than a minute was returned by one.
        """
        ...

    async def delete_profile(self, player_id: str, tenant: str, now: datetime, erase_at: datetime) -> Profile:
        """Delete the name, and keep that the player is deleted, since `now` or an earlier time; return that.

        From `erase_at` on the player is among those of `claim_erasures`.
        """
        ...

    async def deleted_players(self) -> Mapping[str, datetime]:
        """Return when each of the deleted players was deleted."""
        ...

    async def claim_erasures(self, now: datetime, until: datetime, limit: int) -> Sequence[Profile]:
        """Claim at most `limit` deleted players who are due at `now`, since something may be left of them elsewhere.

        They are due again at `until`. Of concurrent callers one gets each.
        """
        ...

    async def put_erasure_off(self, player_id: str, erase_at: datetime | None) -> None:
        """Let a deleted player be due at `erase_at`; None: nothing is left."""
        ...
