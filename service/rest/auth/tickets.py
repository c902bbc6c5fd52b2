"""Tickets: short-lived texts that open one path by a URL, where a browser can send no header. They are signed, and no tokens."""

import math
from collections.abc import Mapping
from datetime import timedelta
from typing import NamedTuple
from urllib.parse import parse_qs

import jwt
import msgspec
from litestar.types import Scope

from service.application.caller import Caller, InvalidCredential, player_caller
from service.application.ports import Clock
from service.rest.auth.tokens import ALGORITHM, IssuedToken, key_id
from service.rest.scope import header_lines, route_options

TAKES_TICKET: Mapping[str, bool] = {"takes_ticket": True}
"""The `opt` of a route handler whose caller may be named by a ticket."""
LONGEST_STREAM = timedelta(hours=1)
"""How long a stream goes on after the end of its ticket: nobody verifies the credential behind the ticket again."""


class Purpose(NamedTuple):
    """What a ticket is good for, and for how long. One for another purpose is invalid."""

    audience: str
    lifetime: timedelta


STREAM = Purpose("pocha-stream", timedelta(seconds=60))
SCORE_SHEET = Purpose("pocha-score-sheet", timedelta(minutes=15))


class Ticket(msgspec.Struct, frozen=True, omit_defaults=True):
    """The claims of a ticket: who may open `path` until `exp`. `key` is the id of the API key that asked for it."""

    aud: str
    path: str
    tenant: str
    exp: int
    sub: str = ""
    key: str = ""

    @property
    def caller(self) -> Caller:
        """The caller that the ticket speaks for."""
        return player_caller(self.tenant, self.sub, "") if self.sub else Caller(self.tenant)


class Tickets:
    """Issues tickets signed with `secret`, and reads them, and those signed with the `previous` secret."""

    def __init__(self, clock: Clock, secret: bytes, previous: bytes | None = None) -> None:
        self._clock = clock
        self._secret = secret
        self._secrets = {key_id(each): each for each in (previous, secret) if each is not None}

    def issue(self, purpose: Purpose, caller: Caller, path: str, api_key_id: str = "") -> IssuedToken:
        """Return a ticket for `path`."""
        expires_at = self._clock.now() + purpose.lifetime
        player_id, expires = "" if caller.is_app else caller.id, math.ceil(expires_at.timestamp())
        claims = Ticket(purpose.audience, path, caller.tenant, expires, player_id, api_key_id)
        signed = jwt.encode(msgspec.to_builtins(claims), self._secret, ALGORITHM, {"kid": key_id(self._secret)})
        return IssuedToken(signed, expires_at)

    def read(self, purpose: Purpose, ticket: str, grace: timedelta = timedelta()) -> Ticket:
        """Return the ticket, if it is good now, or ended no longer than `grace` ago.

        Raises:
            InvalidCredential: it is not, is for another purpose, or is not the service's.
        """
        try:
            secret = self._secrets[str(jwt.get_unverified_header(ticket).get("kid"))]
            # Expiry is checked by the service's clock.
            decoded = jwt.decode(ticket, secret, [ALGORITHM], {"verify_exp": False}, audience=purpose.audience)
            claims = msgspec.convert(decoded, Ticket)
        except (jwt.PyJWTError, KeyError, ValueError, RecursionError):
            raise InvalidCredential from None
        if claims.exp + grace.total_seconds() <= self._clock.now().timestamp():
            raise InvalidCredential
        return claims


def ticket_of(scope: Scope) -> str | None:
    """Return the ticket of a request to a stream; None where a credential is sent, or the route takes no ticket."""
    if header_lines(scope, b"authorization") or not route_options(scope).get("takes_ticket"):
        return None
    given = parse_qs(scope["query_string"].decode("latin-1")).get("ticket", [])
    return given[0] if len(given) == 1 else None
