"""Who calls: guests, by a bearer token that this service signed (JSON Web Token, HS256). The token says it all; nothing is stored."""

from collections.abc import Callable
from functools import lru_cache

import jwt

from domain.pocha.table import Player
from service.rest.negotiation import header_of
from service.rest.problems import ApiError, Code, Say
from service.rest.requests import AnyRequest

_ALGORITHM = "HS256"
_AUDIENCE = "pocha"
_LEAST_SECRET_BYTES = 32
_KEPT_TOKENS = 10_000


class Tokens:
    """Issues tokens and reads them back. `secret` is the signing key, at least 32 bytes; `seen` is told who has called."""

    def __init__(self, secret: bytes, seen: Callable[[str], None]) -> None:
        if len(secret) < _LEAST_SECRET_BYTES:
            raise ValueError(f"a signing key has at least {_LEAST_SECRET_BYTES} bytes")
        self._secret = secret
        self._seen = seen
        self._player_of = lru_cache(_KEPT_TOKENS)(self._read)

    def issue(self, player: Player) -> str:
        """Return a token that speaks for `player`."""
        claims = {"aud": _AUDIENCE, "sub": player.player_id, "name": player.display_name}
        # PyJWT's key types need `cryptography`, which HS256 does not.
        return jwt.encode(claims, self._secret, _ALGORITHM)  # pyright: ignore[reportUnknownMemberType]

    def player_of(self, request: AnyRequest) -> Player:
        """Return who sent the request.

        Raises:
            ApiError: there is no token, or none of ours (401).
        """
        scheme, _, token = header_of(request.scope, b"authorization").partition(" ")
        if scheme.lower() != "bearer" or not token:
            raise _unauthenticated()
        player = self._player_of(token.strip())
        self._seen(player.player_id)
        return player

    def _read(self, token: str) -> Player:
        try:
            claims = jwt.decode(  # pyright: ignore[reportUnknownMemberType] - as above
                token, self._secret, [_ALGORITHM], audience=_AUDIENCE, options={"require": ["sub", "name", "aud"]}
            )
        except jwt.InvalidTokenError:
            raise _unauthenticated(Say.FOREIGN_TOKEN) from None
        return Player(claims["sub"], claims["name"])


def _unauthenticated(say: Say | None = None) -> ApiError:
    return ApiError(Code.UNAUTHENTICATED, say, headers={"WWW-Authenticate": 'Bearer realm="pocha"'})
