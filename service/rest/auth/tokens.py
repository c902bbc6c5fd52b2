"""The service's own tokens: JSON Web Tokens (HS256) that name a player. They are not stored."""

import hashlib
import math
import secrets
from collections.abc import Mapping
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Annotated

import jwt
import msgspec
from jwt.types import Options
from msgspec import UNSET, UnsetType

from service.application.caller import Caller, InvalidCredential, player_caller
from service.application.ports import Clock

LIFETIME = timedelta(hours=720)
"""The default time for which a token is valid."""

ALGORITHM = "HS256"
_AUDIENCE = "pocha"
_MIN_SECRET_BYTES = 32
_CACHED_TOKENS = 10_000
_OPTIONS: Options = {"verify_exp": False, "verify_iat": False}  # checked by the service's clock at every request


class _Claims(msgspec.Struct, frozen=True):
    """The claims of a token; `key` is the id of the API key that it was made with."""

    sub: str
    name: str
    tenant: str
    exp: Annotated[int, msgspec.Meta(ge=0)]
    key: str | UnsetType = UNSET


class VerifiedToken(msgspec.Struct, frozen=True):
    """A token with a valid signature: its caller, its expiry (seconds since 1970), and the id of the API key that it was made with."""

    caller: Caller
    expires: int
    api_key_id: str | None = None


class IssuedToken(msgspec.Struct, frozen=True):
    """A new token, and its expiry (UTC)."""

    token: str
    expires_at: datetime


class Tokens:
    """Issues tokens signed with `secret`, and reads them, and those signed with the `previous` secret.

    Secrets have at least 32 bytes.
    """

    def __init__(
        self, clock: Clock, secret: bytes, previous: bytes | None = None, lifetime: timedelta = LIFETIME
    ) -> None:
        accepted = [secret] if previous is None else [secret, previous]
        if any(len(each) < _MIN_SECRET_BYTES for each in accepted):
            raise ValueError(f"a signing key has at least {_MIN_SECRET_BYTES} bytes")
        self._clock = clock
        self._lifetime = lifetime
        self._secret = secret
        # The current one last: it wins where both are the same.
        self._secrets: Mapping[str, bytes] = {key_id(each): each for each in reversed(accepted)}
        self._verify_cached = lru_cache(_CACHED_TOKENS)(self._verify)

    def issue(self, player: Caller, api_key_id: str | None = None) -> IssuedToken:
        """Return a token of `player`, under the name given; `api_key_id` names the API key that asked for it, if one did."""
        now = self._clock.now()
        expires_at = now + self._lifetime
        claims = {
            "aud": _AUDIENCE,
            "sub": player.id,
            "name": player.display_name,
            "tenant": player.tenant,
            "iat": int(now.timestamp()),
            "exp": math.ceil(expires_at.timestamp()),
            "jti": secrets.token_urlsafe(6),  # two tokens of one second differ
        }
        api_key = {} if api_key_id is None else {"key": api_key_id}
        token = jwt.encode(claims | api_key, self._secret, ALGORITHM, {"kid": key_id(self._secret)})
        return IssuedToken(token, expires_at)

    def read(self, token: str) -> VerifiedToken:
        """Return a token with its claims.

        Raises:
            InvalidCredential: the signature is not the service's, or the token has expired.
        """
        verified = self._verify_cached(token)
        if verified.expires <= self._clock.now().timestamp():
            raise InvalidCredential
        return verified

    def _verify(self, token: str) -> VerifiedToken:
        try:
            secret = self._secrets[str(jwt.get_unverified_header(token).get("kid"))]
            claims = msgspec.convert(jwt.decode(token, secret, [ALGORITHM], _OPTIONS, audience=_AUDIENCE), _Claims)
        except (jwt.PyJWTError, KeyError, ValueError, RecursionError):
            raise InvalidCredential from None
        key_id = None if claims.key is UNSET else claims.key
        return VerifiedToken(player_caller(claims.tenant, claims.sub, claims.name), claims.exp, key_id)


def key_id(secret: bytes) -> str:
    """Return the `kid` of a secret: it identifies the secret without helping to guess it."""
    return hashlib.sha256(b"pocha kid\0" + secret).hexdigest()[:16]
