"""Whose credentials are taken."""

from datetime import timedelta

import msgspec

from service.application.ports import Apps
from service.rest.auth import api_keys, tokens
from service.rest.auth.external_jwt import TrustedIssuer


class AuthConfig(msgspec.Struct, frozen=True):
    """What the service trusts beside tokens that it signed with its present secret.

    `secret_previous` signed tokens before, and those are taken until they expire; new ones are good for `token_lifetime`. `apps` has the
    API keys (none: there are no apps); what is known of them is read again when it is older than `key_seconds`. `issuer` reads tokens
    that somebody else signed (none: they are not taken).
    """

    secret_previous: bytes | None = None
    token_lifetime: timedelta = tokens.LIFETIME
    apps: Apps | None = None
    key_seconds: float = api_keys.FRESH_SECONDS
    issuer: TrustedIssuer | None = None
