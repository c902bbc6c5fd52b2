"""Schema of the document with everything that is kept about a player."""

import msgspec
from msgspec import UNSET, UnsetType

from domain.pocha.view.schema import EventView, Id, Moment
from service.rest.schemas.matches import Match
from service.rest.schemas.responses import MyGame
from service.rest.schemas.score_keepers import ScoreKeeper, ScoreKeeperEntry


class ExportedPlayer(msgspec.Struct, frozen=True):
    """The player: whose user it is, and the name; `named_at` is missing where the name is kept in the token alone."""

    player_id: Id
    tenant: str
    display_name: str
    named_at: Moment | UnsetType = UNSET


class ExportedGame(msgspec.Struct, frozen=True):
    """A game, and the events of what the player did in it: seats taken and left, bids, plays and the like."""

    game: MyGame
    moves: tuple[EventView, ...]


class ExportedSheet(msgspec.Struct, frozen=True):
    """A score sheet, and the entries that the player made."""

    sheet: ScoreKeeper
    entries: tuple[ScoreKeeperEntry, ...]


class MyExport(msgspec.Struct, frozen=True):
    """Everything that is kept about the caller."""

    exported_at: Moment
    player: ExportedPlayer
    matches: tuple[Match, ...]
    score_keepers: tuple[ExportedSheet, ...]
    games: tuple[ExportedGame, ...]
