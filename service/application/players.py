"""Use cases of players: the names under which others see them."""

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from service.application.caller import Caller, InvalidCredential, external_player_id
from service.application.display_names import clean_name
from service.application.names import Name, Names
from service.application.ports import Clock, Profile


class Players:
    """The display names of players: the one that was chosen last, by the player or the player's app, else that of the credential."""

    def __init__(self, names: Names, clock: Clock) -> None:
        self._names = names
        self._clock = clock

    async def named(self, caller: Caller) -> Caller:
        """Return the caller, a player under the name that is shown to others."""
        if caller.player is None:
            return caller
        player_id = caller.player.player_id
        name = (await self._names.of([player_id]))[player_id]
        is_chosen = name.is_chosen and name.text is not None
        return replace(caller, display_name=name.text) if is_chosen else caller

    async def names_of(self, player_ids: Iterable[str]) -> Mapping[str, Name]:
        """Return the names of players."""
        return await self._names.of(player_ids)

    async def id_of(self, tenant: str, external_id: str) -> str:
        """Return the id of the player that `tenant` calls `external_id`; a new one after a deletion."""
        return await self._names.living_id(external_player_id(tenant, external_id))

    async def introduce(self, caller: Caller) -> None:
        """Keep the name of the caller's credential, unless another one is chosen, so that tables can show it.

        Raises:
            PlayerRequired: the caller is an app.
            InvalidCredential: the player was deleted meanwhile.
        """
        await self._keep(self._profile(caller))

    async def rename(self, caller: Caller, name: str) -> Caller:
        """Give the calling player a name, and return the caller under it.

        Raises:
            PlayerRequired: the caller is an app.
            InvalidName: the name cannot be shown.
        """
        renamed = replace(caller, display_name=clean_name(name))
        await self.name_by_app(renamed)
        return renamed

    async def name_by_app(self, player: Caller) -> None:
        """Give a player the name that its app has for it, in place of the one that the player chose."""
        await self._keep(self._profile(player, is_chosen=True))

    async def _keep(self, profile: Profile) -> None:
        if (await self._names.keep(profile)).is_deleted:
            raise InvalidCredential

    def _profile(self, caller: Caller, *, is_chosen: bool = False) -> Profile:
        return Profile(
            player_id=caller.require_player().player_id,
            tenant=caller.tenant,
            display_name=caller.display_name,
            is_chosen=is_chosen,
            named_at=self._clock.now(),
        )
