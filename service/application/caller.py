"""Callers and tenants. The games of one tenant do not exist for the others."""

import msgspec

from domain.table.table import Player
from service.application import ids

GUEST_TENANT = ""
"""Tenant of the open service, where anyone may become a guest."""


class InvalidCredential(Exception):
    """The credential is not valid: untrusted, damaged, of the wrong kind, revoked, expired or not yet valid.

    It does not say which, so that nothing is learnt by trying.
    """


class PlayerRequired(Exception):
    """The operation needs a player; the caller is an app."""


class AppRequired(Exception):
    """The operation is for apps; the caller is a player."""


class Caller(msgspec.Struct, frozen=True):
    """Sender of a request: a player, or without one the app whose tenant it is. `display_name` is the name that the credential has."""

    tenant: str
    player: Player | None = None
    display_name: str = ""

    @property
    def id(self) -> str:
        """Unique id over all tenants: a player's id, or an app's tenant, which is not a UUID."""
        return self.player.player_id if self.player else self.tenant

    @property
    def is_app(self) -> bool:
        """Tell whether the caller is an app."""
        return self.player is None

    def require_player(self) -> Player:
        """Return the calling player.

        Raises:
            PlayerRequired: the caller is an app.
        """
        if self.player is None:
            raise PlayerRequired
        return self.player

    def require_app(self) -> None:
        """Require that the caller is an app.

        Raises:
            AppRequired: the caller is a player.
        """
        if not self.is_app:
            raise AppRequired


def player_caller(tenant: str, player_id: str, display_name: str) -> Caller:
    """Return a player as a caller."""
    return Caller(tenant, Player(player_id), display_name)


def app_tenant(name: str) -> str:
    """Return the tenant of an app."""
    return f"app:{name}"


def issuer_tenant(issuer: str) -> str:
    """Return the tenant of the players of a token issuer."""
    return f"issuer:{issuer}"


def external_player_id(tenant: str, external_id: str) -> str:
    """Return the id of the player that `tenant` calls `external_id`: the same each time, and unique over all tenants.

    It is a UUID of version 8, made of 122 bits of a SHA-256 over both; guests' ids are of version 4.
    """
    return str(ids.uuid_of("player", tenant, external_id))
