"""Authentication middleware: routes behind it are served to authenticated requests only."""

from collections.abc import Awaitable, Callable
from typing import Self

from litestar.enums import ScopeType
from litestar.middleware import ASGIMiddleware
from litestar.types import ASGIApp, Receive, Scope, Send
from typing_extensions import override

from service.rest.errors import error_response


class AuthenticationMiddleware(ASGIMiddleware):
    """Calls `authenticate`, a method of `Authenticator`, and answers its errors."""

    scopes = (ScopeType.HTTP,)

    def __init__(self, authenticate: Callable[[Scope], Awaitable[None]]) -> None:
        self._authenticate = authenticate

    def __deepcopy__(self, _: object) -> Self:
        # Litestar copies routers deeply when it registers them; the authenticator must stay one.
        return self

    @override
    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        try:
            await self._authenticate(scope)
        except Exception as error:  # noqa: BLE001 - answered here, it passes the middleware around this one
            await error_response(error, scope)(scope, receive, send)
            return
        await next_app(scope, receive, send)
