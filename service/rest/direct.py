"""The short way from a request to its handler."""

import inspect
from collections.abc import Awaitable, Callable, Iterator

from litestar import Litestar, Request
from litestar.exceptions import HTTPException
from litestar.handlers import HTTPRouteHandler
from litestar.routes import HTTPRoute
from litestar.types import ASGIApp, HTTPScope, Message, Receive, Scope, Send

from service.rest.requests import AnyRequest
from service.rest.responses import EncodedResponse

Explain = Callable[[AnyRequest, Exception], EncodedResponse]
Call = Callable[[AnyRequest], Awaitable[ASGIApp]]


class Direct:
    """Takes requests to their handlers by the framework's routes, but past its dependencies, guards, hooks and caches.

    No handler here uses any of those, and to pass through them costs a tenth of a move. `explain` answers when a handler fails. What has
    no handler goes the framework's own way.
    """

    def __init__(self, framework: Litestar, explain: Explain) -> None:
        self._framework = framework
        self._explain = explain
        self._route = framework.asgi_router.handle_routing
        self._calls = {id(handler): _call_of(handler) for handler in _handlers(framework)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        call = self._found(scope) if scope["type"] == "http" else None
        if call is None:
            await self._framework(scope, receive, send)
        else:
            await self._serve(call, Request(scope, receive, send), send)

    def _found(self, scope: HTTPScope) -> Call | None:
        """Return what calls the handler, and leave in the scope what a request needs to know of it."""
        try:
            _, handler, _, scope["path_params"], template = self._route(path=scope["path"], method=scope["method"])
        except HTTPException:
            return None
        scope["path_template"] = template
        scope["litestar_app"] = self._framework
        scope["route_handler"] = handler
        return self._calls.get(id(handler))

    async def _serve(self, call: Call, request: AnyRequest, send: Send) -> None:
        sending = _Sending(send)
        try:
            answer = await call(request)
            await answer(request.scope, request.receive, sending.send)
        except Exception as error:
            if sending.has_begun:
                raise
            await self._explain(request, error)(request.scope, request.receive, send)


class _Sending:
    """Knows whether an answer has begun: then it is too late for another one."""

    __slots__ = ("_send", "has_begun")

    def __init__(self, send: Send) -> None:
        self._send = send
        self.has_begun = False

    async def send(self, message: Message) -> None:
        self.has_begun = True
        await self._send(message)


def _handlers(framework: Litestar) -> Iterator[HTTPRouteHandler]:
    for route in framework.routes:
        if isinstance(route, HTTPRoute):
            yield from route.route_handlers


def _call_of(handler: HTTPRouteHandler) -> Call:
    """Handlers take the request, or nothing."""
    function: Callable[..., Awaitable[ASGIApp]] = handler.fn
    return function if inspect.signature(function).parameters else lambda _: function()
