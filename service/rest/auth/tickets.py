"""Tickets for streams: short-lived, for one path, and no token. A browser's `EventSource` can send nothing but a URL."""

import math
from collections.abc import Mapping
from datetime import timedelta
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
LIFETIME = timedelta(seconds=60)
"""How long a ticket opens its stream."""
LONGEST_STREAM = timedelta(hours=1)
"""How long the stream goes on after that: nobody verifies the credential behind the ticket again."""

_AUDIENCE = "pocha-stream"


class Ticket(msgspec.Struct, frozen=True, omit_defaults=True):
    """The claims of a ticket: who may open the stream at `path` until `exp`. `key` is the id of the API key that asked for it."""

    aud: str
    path: str
    tenant: str
    exp: int
    sub: str = ""
    name: str = ""
    key: str = ""

    @property
    def caller(self) -> Caller:
        """The caller that the ticket speaks for."""
        return player_caller(self.tenant, self.sub, self.name) if self.sub else Caller(self.tenant)


class StreamTickets:
    """Issues tickets signed with `secret`, and reads them, and those signed with the `previous` secret."""

    def __init__(self, clock: Clock, secret: bytes, previous: bytes | None = None) -> None:
        self._clock = clock
        self._secret = secret
        self._secrets = {key_id(each): each for each in (previous, secret) if each is not None}

    def issue(self, caller: Caller, path: str, api_key_id: str = "") -> IssuedToken:
        """Return a ticket for the stream at `path`."""
        expires_at = self._clock.now() + LIFETIME
        claims = Ticket(
            _AUDIENCE,
            path,
            caller.tenant,
            math.ceil(expires_at.timestamp()),
            "" if caller.is_app else caller.id,
            caller.display_name,
            api_key_id,
        )
        signed = jwt.encode(msgspec.to_builtins(claims), self._secret, ALGORITHM, {"kid": key_id(self._secret)})
        return IssuedToken(signed, expires_at)

    def read(self, ticket: str, path: str, *, is_open: bool = False) -> Ticket:
        """Return the ticket, if it is for `path` and opens the stream now; or, with `is_open`, if the stream may go on.

        Raises:
            InvalidCredential: it is not, or is not the service's.
        """
        try:
            secret = self._secrets[str(jwt.get_unverified_header(ticket).get("kid"))]
            # Expiry is checked by the service's clock.
            decoded = jwt.decode(ticket, secret, [ALGORITHM], {"verify_exp": False}, audience=_AUDIENCE)
            claims = msgspec.convert(decoded, Ticket)
        except (jwt.PyJWTError, KeyError, ValueError, RecursionError):
            raise InvalidCredential from None
        allowed = claims.exp + (LONGEST_STREAM.total_seconds() if is_open else 0)
        if claims.path != path or allowed <= self._clock.now().timestamp():
            raise InvalidCredential
        return claims


def ticket_of(scope: Scope) -> str | None:
    """Return the ticket of a request to a stream; None where a credential is sent, or the route takes no ticket."""
    if header_lines(scope, b"authorization") or not route_options(scope).get("takes_ticket"):
        return None
    given = parse_qs(scope["query_string"].decode("latin-1")).get("ticket", [])
    return given[0] if len(given) == 1 else None
