"""Configuration of authentication."""

from datetime import timedelta

import msgspec

from service.application.ports import Apps
from service.rest.auth import api_keys, tokens
from service.rest.auth.external_jwt import TrustedIssuer


class AuthConfig(msgspec.Struct, frozen=True):
    """The credentials that the service accepts beside tokens signed with its current secret.

    `secret_previous` signed earlier tokens, which stay valid until they expire. New tokens are valid for `token_lifetime`. `apps` stores
    API keys (None: there are no apps), which are cached for `key_seconds`. `issuer` verifies tokens of another issuer (None: refused).
    """

    secret_previous: bytes | None = None
    token_lifetime: timedelta = tokens.LIFETIME
    apps: Apps | None = None
    key_seconds: float = api_keys.FRESH_SECONDS
    issuer: TrustedIssuer | None = None
