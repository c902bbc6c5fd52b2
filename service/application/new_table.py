"""Tables that somebody wants to make."""

import msgspec

from domain.pocha.model.refusals import Reason, Refused
from domain.pocha.model.state import Abandoned, Finished, State, table_of
from domain.pocha.rules import house_rules, presets
from domain.pocha.rules.house_rules import HouseRules
from domain.pocha.rules.ruleset import Ruleset
from domain.table.refusals import RefusedByTable
from domain.table.rematch import rematch
from domain.table.table import Level, Player, Visibility


class GameNotOver(Exception):
    """The game goes on; what was asked comes after its end."""


class TableSpec(msgspec.Struct, frozen=True):
    """The table to be made; a turn there may take `turn_seconds` (none: as long as one likes), and `stand_in` plays for absent players."""

    ruleset: Ruleset
    players: int
    robots: tuple[Level, ...]
    visibility: Visibility
    client_seed: str | None = None
    turn_seconds: int | None = None
    stand_in: Level = Level.EASY


def resolve_ruleset(ruleset_id: str, house: HouseRules | None) -> Ruleset:
    """Return the preset of that name, with the house rules, if any.

    Raises:
        Refused: there is no such preset.
        ContradictoryRuleset: the whole cannot be played.
    """
    if ruleset_id not in presets.PRESETS:
        raise Refused(Reason.UNKNOWN_RULESET)
    preset = presets.PRESETS[ruleset_id]
    return preset if house in (None, HouseRules()) else house_rules.apply(house, preset)


def rematch_spec(state: State, player: Player, client_seed: str | None) -> TableSpec:
    """Return the same table once more, for those who were there to the end and those who were away.

    Raises:
        GameNotOver: the game is not over, or never began.
        Refused: the player did not sit there.
    """
    if not isinstance(state, (Finished, Abandoned)) or state.progress is None:
        raise GameNotOver
    try:
        setup = rematch(table_of(state), player.player_id)
    except RefusedByTable as refused:
        raise Refused(Reason(refused.reason.value)) from None
    return TableSpec(
        ruleset=state.progress.ruleset,
        players=setup.players,
        robots=setup.robots,
        visibility=setup.visibility,
        client_seed=client_seed,
        turn_seconds=setup.turn_seconds,
        stand_in=setup.stand_in,
    )
