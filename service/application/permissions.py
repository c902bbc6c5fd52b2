"""Permissions of callers on games."""

from datetime import datetime

from domain.pocha.model.commands import AbandonGame, TakeSeat
from domain.pocha.model.refusals import Reason, Refused
from domain.pocha.model.state import InHand, table_of
from domain.table.table import Player
from service.application import invitations
from service.application.caller import Caller
from service.application.repository import Game


class NoSuchGame(Exception):
    """The game does not exist, or the caller may not know of it."""


class OwnerRequired(Exception):
    """Only the app that the table belongs to may do this."""


def require_known(game: Game, caller: Caller) -> None:
    """Return if the caller may know of the game.

    Raises:
        NoSuchGame: as the name says.
    """
    if not game.is_known_to(caller):
        raise NoSuchGame


def require_invited(game: Game, caller: Caller, invite_code: str | None) -> None:
    """Return if the caller may know of the game, has its invite code, or may take a seat that a rematch keeps for them.

    Raises:
        NoSuchGame: as the name says.
    """
    if not game.is_of_tenant(caller):
        raise NoSuchGame
    table = table_of(game.state)
    kept = () if table.kept is None else table.kept.player_ids
    if not invitations.is_invited(table, invite_code) and caller.id not in kept:
        require_known(game, caller)


def require_player(game: Game, caller: Caller) -> Player:
    """Return the calling player, who may know of the game.

    Raises:
        NoSuchGame, PlayerRequired: as the names say.
    """
    require_known(game, caller)
    return caller.require_player()


def require_seat(game: Game, caller: Caller) -> int:
    """Return the seat of the calling player.

    Raises:
        NoSuchGame, PlayerRequired: as the names say.
        Refused: the player has no seat in the game.
    """
    require_player(game, caller)
    seat = game.seat_of(caller)
    if seat is None:
        raise Refused(Reason.NOT_YOUR_SEAT)
    return seat


def join_command(
    game: Game, caller: Caller, *, seat: int | None, invite_code: str | None, client_seed: str | None, now: datetime
) -> TakeSeat:
    """Return the command to take a seat. The invite code admits to a private table, but not to another tenant's.

    Raises:
        NoSuchGame, PlayerRequired: as the names say.
    """
    if not game.is_of_tenant(caller):
        raise NoSuchGame
    invited = invitations.is_invited(table_of(game.state), invite_code)
    return TakeSeat(caller.require_player(), seat, client_seed, invited, now)


def abandon_command(game: Game, caller: Caller) -> AbandonGame:
    """Return the command to abandon the game: the owning app may at any time, the host before the start.

    Raises:
        NoSuchGame, OwnerRequired: as the names say.
        Refused: before the start, the player is not the host.
    """
    require_known(game, caller)
    if caller.player is None:
        return AbandonGame()
    if isinstance(game.state, InHand):
        raise OwnerRequired
    if not table_of(game.state).is_hosted_by(caller.player.player_id):
        raise Refused(Reason.NOT_THE_HOST)
    return AbandonGame()
