"""Tables to be created."""

from datetime import datetime
from uuid import UUID

import msgspec

from domain.pocha.model.commands import CreateGame
from domain.pocha.model.refusals import Reason, Refused
from domain.pocha.model.state import Abandoned, Finished, State, table_of
from domain.pocha.rules import house_rules, presets
from domain.pocha.rules.house_rules import HouseRules, PatchedRuleset
from domain.pocha.rules.ruleset import Contradiction, ContradictoryRuleset, Ruleset
from domain.table.refusals import RefusedByTable
from domain.table.rematch import rematch
from domain.table.table import KeptSeats, Level, Player, Visibility
from service.application import invitations, shuffle
from service.application.caller import Caller
from service.application.validation_errors import pointer_and_message


class GameNotOver(Exception):
    """The game is not over; the operation comes after its end."""


class TableSpec(msgspec.Struct, frozen=True):
    """Specification of a table. `turn_seconds` limits a turn (None: no limit); robots of level `stand_in` play for absent players.

    `kept` are the seats of a rematch. `commitment` is one of the `Commitments` to the host; None for a new seed. Robots take
    `robot_seconds` for a move.
    """

    ruleset: Ruleset
    players: int
    robots: tuple[Level, ...]
    visibility: Visibility
    client_seed: str | None = None
    turn_seconds: int | None = None
    stand_in: Level = Level.EASY
    kept: KeptSeats | None = None
    commitment: str | None = None
    robot_seconds: int = 0


def resolve_ruleset(ruleset_id: str, house: HouseRules | None) -> Ruleset:
    """Return a preset, with house rules if there are any.

    Raises:
        Refused: there is no such preset.
        ContradictoryRuleset: the house rules do not fit a ruleset, or contradict the preset or each other.
    """
    if ruleset_id not in presets.PRESETS:
        raise Refused(Reason.UNKNOWN_RULESET)
    preset = presets.PRESETS[ruleset_id]
    if not house:
        return preset
    try:
        return house_rules.apply(house, preset)
    except msgspec.ValidationError as error:
        raise ContradictoryRuleset((Contradiction(*pointer_and_message(error, PatchedRuleset)),)) from None


def create_command(spec: TableSpec, host: Caller, game_id: UUID, seed: bytes) -> CreateGame:
    """Return the command to create the table in the host's tenant, with the server's seed and, for a private table, an invite code.

    Raises:
        PlayerRequired: the host is an app.
    """
    return CreateGame(
        ruleset=spec.ruleset,
        players=spec.players,
        host=host.require_player(),
        robots=spec.robots,
        visibility=spec.visibility,
        seed=seed,
        commitment=shuffle.commitment(seed),
        invite_code=invitations.new_invite_code() if spec.visibility is Visibility.PRIVATE else None,
        client_seed=spec.client_seed,
        turn_seconds=spec.turn_seconds,
        stand_in=spec.stand_in,
        tenant=host.tenant,
        kept=spec.kept,
        game_id=str(game_id),
        robot_seconds=spec.robot_seconds,
    )


def rematch_spec(state: State, player: Player, client_seed: str | None, kept_until: datetime) -> TableSpec:
    """Return the table of a game's rematch. Its robots are those of the game, without those that played for absent players.

    Everybody who played, present or absent, has a seat kept until `kept_until`.

    Raises:
        GameNotOver: the game is not over, or never started.
        Refused: the player had no seat at the end, present or absent.
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
        robot_seconds=setup.robot_seconds,
        kept=KeptSeats(setup.players_before, kept_until),
    )
