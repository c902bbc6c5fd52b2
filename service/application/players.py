"""Use cases of players: the names under which others see them."""

from msgspec.structs import replace

from domain.table.table import Player
from service.application.caller import Caller
from service.application.display_names import clean_name
from service.application.ports import ChosenNames


class Players:
    """The display names of players: the one that a player chose last, else that of the credential.

    A name is shown at the tables where the player takes a seat from then on; the events of other tables keep the one before.
    """

    def __init__(self, names: ChosenNames) -> None:
        self._names = names

    async def named(self, caller: Caller) -> Caller:
        """Return the caller, a player under the name chosen last."""
        if caller.player is None:
            return caller
        name = await self._names.chosen_name(caller.player.player_id)
        return caller if name is None else replace(caller, player=replace(caller.player, display_name=name))

    async def rename(self, caller: Caller, name: str) -> Player:
        """Give the calling player a name, and return the player.

        Raises:
            PlayerRequired: the caller is an app.
            InvalidName: the name cannot be shown.
        """
        player = replace(caller.require_player(), display_name=clean_name(name))
        await self._names.choose_name(player.player_id, player.display_name)
        return player

    async def name_by_app(self, player: Player) -> None:
        """Forget the name that the player chose: the player's app has given `player` another one."""
        if await self._names.chosen_name(player.player_id) is not None:
            await self._names.forget_name(player.player_id)
