"""JSON Web Tokens of an external issuer, for the issuer's own users."""

from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime
from typing import Annotated, Any

import jwt
import msgspec
from jwt.types import Options
from msgspec import Meta

from service.application.caller import Caller, InvalidCredential, external_player_id, issuer_tenant, player_caller
from service.application.display_names import InvalidName, shortened_name
from service.application.ports import Clock
from service.rest.auth.jwks import ALGORITHMS, KeySet

LEEWAY_SECONDS = 30.0
"""The default tolerance for the issuer's clock."""

_OPTIONS: Options = {"verify_exp": False, "verify_nbf": False, "verify_iat": False}  # checked by the service's clock
_NAMES = ("name", "preferred_username", "nickname", "given_name")


class _Claims(msgspec.Struct, frozen=True):
    """The claims that a token must have; times are seconds since 1970."""

    sub: Annotated[str, Meta(min_length=1, max_length=255)]
    exp: float
    nbf: float = 0.0
    iat: float = 0.0


class TrustedIssuer:
    """Verifies tokens whose `iss` is `name`, whose `aud` contains `audience`, and which a key of `keys` has signed.

    The user named by `sub` becomes a player of the issuer's tenant.
    """

    def __init__(
        self, name: str, audience: str, keys: KeySet, clock: Clock, leeway_seconds: float = LEEWAY_SECONDS
    ) -> None:
        self._name = name
        self._audience = audience
        self._keys = keys
        self._clock = clock
        self._leeway = leeway_seconds
        self._tenant = issuer_tenant(name)

    async def read(self, token: str) -> tuple[Caller, datetime]:
        """Return the caller of a token, and when it was issued for certain: a token may say it wrong by the tolerance, or not at all.

        Raises:
            InvalidCredential: the token is not valid.
        """
        key = await self._keys.key(_key_id(token))
        if key is None:
            raise InvalidCredential
        try:
            payload = jwt.decode(token, key, ALGORITHMS, _OPTIONS, audience=self._audience, issuer=self._name)
            claims = msgspec.convert(payload, _Claims)
            player_id = external_player_id(self._tenant, claims.sub)
        except (jwt.PyJWTError, ValueError, RecursionError):
            raise InvalidCredential from None
        self._require_in_time(claims)
        issued_at = datetime.fromtimestamp(max(0.0, claims.iat - self._leeway), UTC)
        return player_caller(self._tenant, player_id, _display_name(payload, player_id)), issued_at

    def _require_in_time(self, claims: _Claims) -> None:
        now = self._clock.now().timestamp()
        if not max(claims.nbf, claims.iat) - self._leeway <= now < claims.exp + self._leeway:
            raise InvalidCredential


def _key_id(token: str) -> str:
    try:
        header = jwt.get_unverified_header(token)
    except (jwt.PyJWTError, ValueError, RecursionError):
        raise InvalidCredential from None
    if header.get("alg") not in ALGORITHMS or not header.get("kid"):
        raise InvalidCredential
    return header["kid"]


def _display_name(claims: Mapping[str, Any], player_id: str) -> str:
    """Return the first name in the token that can be shown, shortened where it is too long."""
    for claim in _NAMES:
        name = claims.get(claim)
        if isinstance(name, str):
            with suppress(InvalidName):
                return shortened_name(name)
    return f"Player {player_id[:4]}"
