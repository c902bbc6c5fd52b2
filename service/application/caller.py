"""Callers, each of one tenant: what one tenant makes does not exist for the others."""

import msgspec

from domain.table.table import Player
from service.application import idempotency

GUEST_TENANT = ""
"""The tenant of the open service: anybody may become a guest there."""


class InvalidCredential(Exception):
    """What was shown is not good: made by nobody we trust, damaged, of the wrong kind, revoked, or its time is over or yet to come.

    It says no more than that, so that nobody learns by trying.
    """


class PlayerRequired(Exception):
    """That can only be done by somebody who sits at a table, and an app itself never does."""


class AppRequired(Exception):
    """That can only be done by the app that the table belongs to."""


class Caller(msgspec.Struct, frozen=True):
    """Whoever sent a request: a player, or without one the app that `tenant` is."""

    tenant: str
    player: Player | None = None

    @property
    def id(self) -> str:
        """What tells this caller from all others, of any tenant: a player's id, or an app's tenant, which is no UUID."""
        return self.player.player_id if self.player else self.tenant

    @property
    def is_app(self) -> bool:
        """Tell whether an app itself calls."""
        return self.player is None

    def require_player(self) -> Player:
        """Return the player who calls.

        Raises:
            OnlyPlayers: it is an app.
        """
        if self.player is None:
            raise PlayerRequired
        return self.player


def guest_caller(player: Player) -> Caller:
    """Return a player of the open service as a caller."""
    return Caller(GUEST_TENANT, player)


def app_tenant(name: str) -> str:
    """Return the tenant that an app is."""
    return f"app:{name}"


def issuer_tenant(issuer: str) -> str:
    """Return the tenant that all players of an issuer of tokens are of."""
    return f"issuer:{issuer}"


def external_player_id(tenant: str, external_id: str) -> str:
    """Return the id of the player whom `tenant` knows as `external_id`: always the same, and nobody else's.

    It is 122 bits of a SHA-256 over both, marked as a UUID of version 8, and so never a guest's, which are of version 4.
    """
    return str(idempotency.of_player(tenant, external_id))
