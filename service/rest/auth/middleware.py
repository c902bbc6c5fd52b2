"""Authentication middleware: routes behind it are served to authenticated requests only."""

from collections.abc import Awaitable, Callable

from litestar.types import ASGIApp, Receive, Scope, Send

from service.rest.errors import error_response


class AuthenticationMiddleware:
    """Calls `authenticate`, a method of `Authenticator`, and answers its errors.

    Litestar's `ASGIMiddleware` would ask at every request whether it is to be skipped.
    """

    def __init__(self, authenticate: Callable[[Scope], Awaitable[None]]) -> None:
        self._authenticate = authenticate

    def __call__(self, app: ASGIApp) -> ASGIApp:
        """Return `app` behind authentication."""

        async def authenticated(scope: Scope, receive: Receive, send: Send) -> None:
            try:
                await self._authenticate(scope)
            except Exception as error:  # noqa: BLE001 - answered here, it passes the middleware around this one
                await error_response(error, scope)(scope, receive, send)
                return
            await app(scope, receive, send)

        return authenticated
