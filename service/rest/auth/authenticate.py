"""Who calls: what a bearer credential stands for. Whatever is wrong with one, the answer is the same."""

from collections.abc import Callable
from typing import Any, cast

from litestar.types import HTTPScope, Scope

from service.application.caller import Caller, InvalidCredential, app_tenant
from service.application.ports import ApiKey, StoreUnavailable
from service.rest.auth import api_keys
from service.rest.auth.api_keys import ApiKeyCache
from service.rest.auth.external_jwt import TrustedIssuer
from service.rest.auth.tokens import Tokens, VerifiedToken
from service.rest.errors import ApiError, ErrorCode
from service.rest.middleware.access_log import current_request
from service.rest.requests import AnyRequest, headers_of

_CALLER = "pocha.caller"
_CHALLENGE = {"WWW-Authenticate": 'Bearer realm="pocha"'}


class Authenticator:
    """Reads credentials: tokens of our own, API keys, and where there is a trusted `issuer`, its tokens. `seen` is told who has called."""

    def __init__(
        self, tokens: Tokens, keys: ApiKeyCache, issuer: TrustedIssuer | None, seen: Callable[[str], None]
    ) -> None:
        self.tokens = tokens
        self._keys = keys
        self._issuer = issuer
        self._seen = seen

    async def caller_of(self, request: AnyRequest) -> Caller:
        """Return who sent the request.

        Raises:
            ApiError: there is no credential, or none that is good (401).
            StoreUnavailable: an API key cannot be looked up now.
        """
        try:
            caller = _told_before(request.scope) or await self._caller(_credential(request.scope))
        except InvalidCredential:
            raise _unauthenticated() from None
        _note(caller)
        if caller.player:
            self._seen(caller.player.player_id)
        return caller

    async def known(self, scope: HTTPScope) -> Caller | None:
        """Return who sent a request, for those who only count; none when it is a stranger, or cannot be told now.

        `caller_of` need not look again then.
        """
        try:
            caller = await self._caller(_credential(scope))
        except (InvalidCredential, StoreUnavailable):
            return None
        cast("dict[str, Any]", scope)[_CALLER] = caller
        return caller

    async def is_still_good(self, scope: Scope) -> bool:
        """Tell whether what came with a request that goes on is good still: it may have run out, or been revoked."""
        try:
            await self._caller(_credential(scope))
        except InvalidCredential:
            return False
        except StoreUnavailable:
            return True  # it was, and nobody can tell otherwise now
        return True

    async def app_key_of(self, request: AnyRequest) -> ApiKey | None:
        """Return the API key that came with the request; none when it came from a stranger, or from a player.

        Raises:
            ApiError, StoreUnavailable: as for `caller_of`, where there is a credential.
        """
        if not headers_of(request, b"authorization"):
            return None
        try:
            credential = _credential(request.scope)
            if credential.startswith(api_keys.PREFIX):
                key = await self._keys.key(credential)
                _note(Caller(app_tenant(key.app)))
                return key
            _note(await self._caller(credential))
        except InvalidCredential:
            raise _unauthenticated() from None
        return None

    async def bearer_of(self, request: AnyRequest) -> VerifiedToken:
        """Return what the token of our own says that came with the request; one made with an API key, while that is good.

        Raises:
            ApiError, StoreUnavailable: as for `caller_of`; another kind of credential is none that is good here.
        """
        try:
            bearer = self.tokens.read(_credential(request.scope))
            if bearer.api_key_id is not None:
                await self._keys.require_good(bearer.api_key_id)
        except InvalidCredential:
            raise _unauthenticated() from None
        _note(bearer.caller)
        self._seen(bearer.caller.id)
        return bearer

    async def _caller(self, credential: str) -> Caller:
        if credential.startswith(api_keys.PREFIX):
            return Caller(app_tenant((await self._keys.key(credential)).app))
        try:
            return self.tokens.read(credential).caller
        except InvalidCredential:
            if self._issuer is None:
                raise
            return await self._issuer.read(credential)


def _note(caller: Caller) -> None:
    request = current_request()
    request.tenant = caller.tenant
    if caller.player:
        request.player_id = caller.player.player_id


def _told_before(scope: Scope) -> Caller | None:
    return cast("dict[str, Any]", scope).get(_CALLER)


def _credential(scope: Scope) -> str:
    """Return what follows `Bearer`, given once."""
    given = [value.decode("latin-1") for name, value in scope["headers"] if name == b"authorization"]
    scheme, _, credential = (given[0] if len(given) == 1 else "").partition(" ")
    if scheme.lower() != "bearer" or not credential.strip():
        raise InvalidCredential
    return credential.strip()


def _unauthenticated() -> ApiError:
    return ApiError(ErrorCode.UNAUTHENTICATED, headers=_CHALLENGE)
