"""The names of players, and who was deleted, in memory: to show a game, or to authenticate, reads nothing from the store.

Each game holds the names of its players; a name that changes, here or in another process, changes in all of them.
"""

import asyncio
import logging
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Final
from weakref import WeakValueDictionary

from cachetools import LRUCache

from service.application import ids
from service.application.caller import InvalidCredential
from service.application.outlasting import outlasting
from service.application.ports import Notifier, PlayerHint, Profile, Profiles
from service.application.wakeup import wait_for

POLL_SECONDS = 5.0
"""How often names changed by other processes are looked for, beside notifications, which may be lost."""
_MAX_RECENT = 10_000
_LOGGER = logging.getLogger(__name__)


class Name:
    """The name of a player, as it is now; None: the player was deleted, or nothing is kept. `is_chosen` as in `Profile`."""

    __slots__ = ("__weakref__", "is_chosen", "is_deleted", "player_id", "text")

    def __init__(self, player_id: str) -> None:
        self.player_id: Final = player_id
        self.text: str | None = None
        self.is_chosen = False
        self.is_deleted = False

    def would_change(self, profile: Profile) -> bool:
        """Tell whether the profile would give the player another name."""
        if self.is_deleted or (self.is_chosen and not profile.is_chosen):
            return False
        return (self.text, self.is_chosen) != (profile.display_name, profile.is_chosen)

    def read(self, profile: Profile) -> None:
        """Take over what the store has."""
        self.is_deleted = profile.deleted_at is not None
        self.text = None if self.is_deleted else profile.display_name
        self.is_chosen = profile.is_chosen


class Names:
    """The names of the players of cached games, and of those asked for last. All methods belong to one event loop."""

    def __init__(self, profiles: Profiles, notifier: Notifier, poll_seconds: float = POLL_SECONDS) -> None:
        self._profiles = profiles
        self._notifier = notifier
        self._poll_seconds = poll_seconds
        self._known: WeakValueDictionary[str, Name] = WeakValueDictionary()
        self._recent: LRUCache[str, Name] = LRUCache(_MAX_RECENT)
        self._read_until: datetime | None = None
        self._hint = asyncio.Event()
        self._deleted: dict[str, datetime] | None = None

    async def of(self, player_ids: Iterable[str]) -> Mapping[str, Name]:
        """Return the names of players, which stay up to date while they are held. Only unknown ones are read."""
        found = {player_id: self._remembered(player_id) for player_id in player_ids}
        unknown = [player_id for player_id, name in found.items() if name.text is None and not name.is_deleted]
        if unknown:
            for profile in await self._profiles.profiles(unknown):
                found[profile.player_id].read(profile)
        return found

    async def keep(self, profile: Profile) -> Name:
        """Keep a profile, unless it is known to be the same, and return the player's name after that."""
        name = self._remembered(profile.player_id)
        if not name.would_change(profile):
            return name
        may_be_known_elsewhere = profile.is_chosen or name.text is not None
        name.read(await self._profiles.keep_profile(profile))
        if may_be_known_elsewhere:
            self._notifier.publish(PlayerHint(profile.player_id))
        return name

    async def delete(self, player_id: str, tenant: str, now: datetime, erase_at: datetime) -> Profile:
        """Delete a player's name for good, and return what is left of the profile. The player's credentials are void from now on."""
        deleted = await self._profiles.delete_profile(player_id, tenant, now, erase_at)
        self._take(deleted)
        self._notifier.publish(PlayerHint(player_id))
        return deleted

    async def deleted_at(self, player_id: str) -> datetime | None:
        """Return when the player was deleted; None: the player is not. Only the first call reads the store."""
        if self._deleted is None:
            await self.follow()
        return (self._deleted or {}).get(player_id)

    async def living_id(self, player_id: str, issued_at: datetime | None = None) -> str:
        """Return the id for a credential of `player_id`, issued then (None: now): another one where that player was deleted.

        Raises:
            InvalidCredential: the credential was issued before the deletion.
        """
        while deleted_at := await self.deleted_at(player_id):
            if issued_at is not None and issued_at <= deleted_at:
                raise InvalidCredential
            player_id = str(ids.uuid_of("player after", player_id))
        return player_id

    def hear(self) -> None:
        """Look for changes at once: another process has made one, or a notification may be lost. Never blocks."""
        self._hint.set()

    async def run(self) -> None:
        """Follow the changes of other processes, until cancelled."""
        while True:
            self._hint.clear()
            with outlasting(_LOGGER, "failed to look for changed names"):
                await self.follow()
            await wait_for(self._hint, self._poll_seconds)

    async def follow(self) -> None:
        """Take over what other processes have changed since the last call."""
        if self._read_until is None:  # names read before the first call may have changed since
            _, began = await self._profiles.changed_profiles(None)
            self._deleted = {**await self._profiles.deleted_players(), **(self._deleted or {})}
            changed = await self._profiles.profiles(list(self._known))
            self._read_until = began
        else:
            changed, self._read_until = await self._profiles.changed_profiles(self._read_until)
        for profile in changed:
            self._take(profile)

    def _take(self, profile: Profile) -> None:
        if profile.deleted_at is not None and self._deleted is not None:
            self._deleted[profile.player_id] = profile.deleted_at
        name = self._known.get(profile.player_id)
        if name is not None:
            name.read(profile)

    def _remembered(self, player_id: str) -> Name:
        name = self._known.get(player_id)
        if name is None:
            name = self._known[player_id] = Name(player_id)
        self._recent[player_id] = name
        return name
