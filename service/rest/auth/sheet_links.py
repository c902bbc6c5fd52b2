"""Links that open the score sheet of one game without a header: signed, short-lived, and no token."""

import math
from datetime import timedelta
from uuid import UUID

import jwt
import msgspec

from domain.table.table import Player
from service.application.caller import Caller, InvalidCredential
from service.application.ports import Clock
from service.rest.auth.tokens import ALGORITHM, IssuedToken

LIFETIME = timedelta(minutes=15)
_AUDIENCE = "pocha-score-sheet"


class _Claims(msgspec.Struct, frozen=True, omit_defaults=True):
    """The claims of a link: the game, and who asked for it: a player of a tenant, or the app itself."""

    aud: str
    game: UUID
    tenant: str
    exp: int
    sub: str = ""


class SheetLinks:
    """Issues links signed with `secret`, and reads them, and those signed with the `previous` secret."""

    def __init__(self, clock: Clock, secret: bytes, previous: bytes | None = None) -> None:
        self._clock = clock
        self._secret = secret
        self._accepted = [secret] if previous is None else [secret, previous]

    def issue(self, game_id: UUID, caller: Caller) -> IssuedToken:
        """Return a link for `caller`, who may know of the game."""
        expires_at = self._clock.now() + LIFETIME
        player_id = caller.player.player_id if caller.player else ""
        claims = _Claims(_AUDIENCE, game_id, caller.tenant, math.ceil(expires_at.timestamp()), player_id)
        return IssuedToken(jwt.encode(msgspec.to_builtins(claims), self._secret, ALGORITHM), expires_at)

    def read(self, link: str) -> tuple[UUID, Caller]:
        """Return the game of a link, and whom it speaks for.

        Raises:
            InvalidCredential: it is not the service's, or has expired.
        """
        for secret in self._accepted:
            try:
                # Expiry is checked by the service's clock.
                decoded = jwt.decode(link, secret, [ALGORITHM], {"verify_exp": False}, audience=_AUDIENCE)
                claims = msgspec.convert(decoded, _Claims)
            except (jwt.PyJWTError, ValueError, RecursionError):
                continue
            if claims.exp > self._clock.now().timestamp():
                return claims.game, Caller(claims.tenant, Player(claims.sub) if claims.sub else None)
        raise InvalidCredential
