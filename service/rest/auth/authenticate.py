"""Authentication by bearer credentials: the service's own tokens, API keys, and tokens of a trusted issuer.

Every kind of bad credential gets the same 401.
"""

from collections.abc import Callable
from datetime import timedelta

from litestar.types import Scope

from service.application.caller import Caller, InvalidCredential, app_tenant, player_caller
from service.application.names import Names
from service.application.ports import StoreUnavailable
from service.rest.auth import api_keys
from service.rest.auth.api_keys import ApiKeyCache
from service.rest.auth.external_jwt import TrustedIssuer
from service.rest.auth.tickets import LONGEST_STREAM, SCORE_SHEET, STREAM, Purpose, Ticket, Tickets, ticket_of
from service.rest.auth.tokens import IssuedToken, Tokens
from service.rest.errors import CHALLENGE, ApiError, ErrorCode
from service.rest.middleware.access_log import current_request
from service.rest.scope import CALLER, CREDENTIAL, header_lines


class Authenticator:
    """Verifies the credential of a request. `on_activity` is called with the id of each player who is authenticated."""

    def __init__(
        self,
        tokens: Tokens,
        tickets: Tickets,
        keys: ApiKeyCache,
        issuer: TrustedIssuer | None,
        names: Names,
        on_activity: Callable[[str], None],
    ) -> None:
        self.tokens = tokens
        self._tickets = tickets
        self._keys = keys
        self._issuer = issuer
        self._names = names
        self._on_activity = on_activity

    async def authenticate(self, scope: Scope) -> None:
        """Require any credential, and set the request's caller.

        Raises:
            ApiError: there is no valid credential (401).
            StoreUnavailable: API keys cannot be read now.
        """
        try:
            caller = CALLER.get(scope) or await self._caller_of(scope)
        except InvalidCredential:
            raise _unauthenticated() from None
        CALLER.set(scope, caller)
        self._record(caller)

    async def authenticate_app(self, scope: Scope) -> None:
        """Accept an API key, and set it as the request's credential; None where any other credential, or none, is sent.

        An expired or foreign credential does not keep a person from an operation that needs none. An API key that is not valid is an
        error: an app that uses it would make guests instead of its own players.

        Raises:
            ApiError, StoreUnavailable: as `authenticate`, where an API key is sent.
        """
        CREDENTIAL.set(scope, None)
        try:
            credential = _credential(scope)
        except InvalidCredential:
            return
        if not credential.startswith(api_keys.PREFIX):
            return
        try:
            key = await self._keys.verify(credential)
        except InvalidCredential:
            raise _unauthenticated() from None
        CREDENTIAL.set(scope, key)
        _log_caller(Caller(app_tenant(key.app)))

    async def authenticate_token(self, scope: Scope) -> None:
        """Require a token of the service's own, and set it as the request's credential.

        A token made with an API key is valid while that key is.

        Raises:
            ApiError, StoreUnavailable: as `authenticate`; other kinds of credentials are invalid here.
        """
        try:
            token = self.tokens.read(_credential(scope))
            if token.api_key_id is not None:
                await self._keys.require_valid(token.api_key_id)
            await self._require_living(token.caller)
        except InvalidCredential:
            raise _unauthenticated() from None
        CREDENTIAL.set(scope, token)
        self._record(token.caller)

    async def identify(self, scope: Scope) -> Caller | None:
        """Return the caller for rate limits; None without a valid credential, or where API keys cannot be read now.

        Sets the request's caller, so that `authenticate` need not verify again.
        """
        caller = CALLER.get(scope)
        if caller is None:
            try:
                caller = await self._caller_of(scope)
            except (InvalidCredential, StoreUnavailable):
                return None
            CALLER.set(scope, caller)
        return caller

    async def is_still_valid(self, scope: Scope) -> bool:
        """Verify again the credential of a long request, such as a stream: it may have expired, or been revoked."""
        try:
            await self._caller_of(scope, is_open=True)
        except InvalidCredential:
            return False
        except StoreUnavailable:
            return True  # it was valid, and cannot be checked now
        return True

    async def issue_ticket(self, scope: Scope, path: str, purpose: Purpose = STREAM) -> IssuedToken:
        """Return a ticket of the authenticated caller for `path`; that of an API key is good while the key is.

        Raises:
            InvalidCredential, StoreUnavailable: the API key was revoked meanwhile, or cannot be verified now.
        """
        credential, caller = _credential(scope), await self._caller_of(scope)
        is_key = credential.startswith(api_keys.PREFIX)
        key_id = (await self._keys.verify(credential)).key_id if is_key else ""
        return self._tickets.issue(purpose, caller, path, key_id)

    async def read_link(self, link: str) -> tuple[str, Caller]:
        """Return the path of the score sheet that a link leads to, and the caller that it speaks for.

        Raises:
            InvalidCredential, StoreUnavailable: it is not good any more, or its API key cannot be verified now.
        """
        ticket = self._tickets.read(SCORE_SHEET, link)
        return ticket.path, await self._caller_by(ticket)

    async def _caller_of(self, scope: Scope, *, is_open: bool = False) -> Caller:
        """Return the caller by the credential, or by the ticket of a stream, which may be open already."""
        given = ticket_of(scope)
        if given is None:
            return await self._verify(_credential(scope))
        ticket = self._tickets.read(STREAM, given, LONGEST_STREAM if is_open else timedelta())
        if ticket.path != scope["path"].lower():  # a game's id in capitals is the same
            raise InvalidCredential
        return await self._caller_by(ticket)

    async def _caller_by(self, ticket: Ticket) -> Caller:
        if ticket.key:
            await self._keys.require_valid(ticket.key)
        return await self._require_living(ticket.caller)

    async def _verify(self, credential: str) -> Caller:
        if credential.startswith(api_keys.PREFIX):
            return Caller(app_tenant((await self._keys.verify(credential)).app))
        try:
            caller = self.tokens.read(credential).caller
        except InvalidCredential:
            return await self._verify_by_issuer(credential)
        return await self._require_living(caller)

    async def _verify_by_issuer(self, credential: str) -> Caller:
        if self._issuer is None:
            raise InvalidCredential
        caller, issued_at = await self._issuer.read(credential)
        return player_caller(caller.tenant, await self._names.living_id(caller.id, issued_at), caller.display_name)

    async def _require_living(self, caller: Caller) -> Caller:
        """Return the caller, unless it is a deleted player, whose credentials are void."""
        if caller.player and await self._names.deleted_at(caller.id):
            raise InvalidCredential
        return caller

    def _record(self, caller: Caller) -> None:
        _log_caller(caller)
        if caller.player:
            self._on_activity(caller.player.player_id)


def _log_caller(caller: Caller) -> None:
    request = current_request()
    request.tenant = caller.tenant
    if caller.player:
        request.player_id = caller.player.player_id


def _credential(scope: Scope) -> str:
    """Return the credential after `Bearer`.

    Raises:
        InvalidCredential: there is none, or more than one.
    """
    given = header_lines(scope, b"authorization")
    scheme, _, credential = (given[0] if len(given) == 1 else "").partition(" ")
    if scheme.lower() != "bearer" or not credential.strip():
        raise InvalidCredential
    return credential.strip()


def _unauthenticated() -> ApiError:
    return ApiError(ErrorCode.UNAUTHENTICATED, headers=CHALLENGE)
