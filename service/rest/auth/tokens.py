"""Tokens of our own: JSON Web Tokens (HS256) that say who their bearer is. Nothing of them is stored."""

import hashlib
from collections.abc import Mapping
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Annotated

import jwt
import msgspec
from jwt.types import Options
from msgspec import UNSET, UnsetType

from domain.table.table import Player
from service.application.caller import Caller, InvalidCredential
from service.application.ports import Clock

LIFETIME = timedelta(hours=720)
"""How long a token is good, unless the settings say otherwise."""

ALGORITHM = "HS256"
_AUDIENCE = "pocha"
_LEAST_SECRET_BYTES = 32
_KEPT_TOKENS = 10_000
_OPTIONS: Options = {"verify_exp": False, "verify_iat": False}  # by our own clock, and at every call


class _Claims(msgspec.Struct, frozen=True):
    """What a token of ours says: see `Tokens.issue`."""

    sub: str
    name: str
    tenant: str
    exp: Annotated[int, msgspec.Meta(ge=0)]
    key: str | UnsetType = UNSET


class VerifiedToken(msgspec.Struct, frozen=True):
    """What a token of ours says: whose it is, until when it is good (seconds since 1970), and the id of the API key it was made with."""

    caller: Caller
    expires: int
    api_key_id: str | None = None


class IssuedToken(msgspec.Struct, frozen=True):
    """A new token, and until when it is good (UTC)."""

    token: str
    expires_at: datetime


class Tokens:
    """Issues tokens, signed by `secret`, and reads them back; those that `previous` has signed as well, until they expire.

    Secrets have at least 32 bytes.
    """

    def __init__(
        self, clock: Clock, secret: bytes, previous: bytes | None = None, lifetime: timedelta = LIFETIME
    ) -> None:
        secrets = [secret] if previous is None else [secret, previous]
        if any(len(each) < _LEAST_SECRET_BYTES for each in secrets):
            raise ValueError(f"a signing key has at least {_LEAST_SECRET_BYTES} bytes")
        self._clock = clock
        self._lifetime = lifetime
        self._secret = secret
        # The current one last: it counts, should both be the same.
        self._secrets: Mapping[str, bytes] = {_name_of(each): each for each in reversed(secrets)}
        self._bearer_of = lru_cache(_KEPT_TOKENS)(self._read)

    def issue(self, tenant: str, player: Player, api_key_id: str | None = None) -> IssuedToken:
        """Return a token that speaks for `player` of `tenant`, made with the API key of that id, if with any."""
        now = self._clock.now().replace(microsecond=0)
        expires_at = now + self._lifetime
        claims = {
            "aud": _AUDIENCE,
            "sub": player.player_id,
            "name": player.display_name,
            "tenant": tenant,
            "iat": int(now.timestamp()),
            "exp": int(expires_at.timestamp()),
        }
        made_with = {} if api_key_id is None else {"key": api_key_id}
        token = jwt.encode(claims | made_with, self._secret, ALGORITHM, {"kid": _name_of(self._secret)})
        return IssuedToken(token, expires_at.replace(microsecond=0))

    def read(self, token: str) -> VerifiedToken:
        """Return what a token says.

        Raises:
            InvalidCredential: it is none of ours, or its time is over.
        """
        bearer = self._bearer_of(token)
        if bearer.expires <= self._clock.now().timestamp():
            raise InvalidCredential
        return bearer

    def _read(self, token: str) -> VerifiedToken:
        try:
            secret = self._secrets[str(jwt.get_unverified_header(token).get("kid"))]
            claims = msgspec.convert(jwt.decode(token, secret, [ALGORITHM], _OPTIONS, audience=_AUDIENCE), _Claims)
        except (jwt.PyJWTError, KeyError, ValueError, RecursionError):
            raise InvalidCredential from None
        key_id = None if claims.key is UNSET else claims.key
        return VerifiedToken(Caller(claims.tenant, Player(claims.sub, claims.name)), claims.exp, key_id)


def _name_of(secret: bytes) -> str:
    """Return the `kid` of a secret: which one a token was signed with, and nothing that would help to find it."""
    return hashlib.sha256(b"pocha kid\0" + secret).hexdigest()[:16]
