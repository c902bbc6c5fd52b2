"""Players as others see them: by the name that they have now, or as deleted ones, in the words of the reader's language."""

from collections.abc import Mapping

from msgspec import UNSET

from domain.pocha.view.parts import Shown
from domain.pocha.view.schema import PlayerRef
from service.application.names import Name
from service.rest.i18n import Language, messages_in


def shown_by(names: Mapping[str, Name], language: Language) -> Shown:
    """Return how the players of these names are shown to a reader of `language`."""

    def shown(player_id: str) -> PlayerRef:
        name = names.get(player_id)
        if name is None or name.text is None:
            return PlayerRef(player_id, messages_in(language).deleted_player, deleted=True)
        return PlayerRef(player_id, name.text, UNSET)

    return shown
