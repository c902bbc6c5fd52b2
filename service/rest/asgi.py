"""Litestar, set up for this service: our handlers, one exception handler, our own contract, no more."""

import logging

from litestar import Litestar, Response
from litestar.exceptions import HTTPException
from litestar.routes import HTTPRoute
from litestar.types import ASGIApp

from service.rest.direct import Direct
from service.rest.errors import ErrorCode, problem_response
from service.rest.i18n import Language, preferred_language
from service.rest.middleware.envelope import AllowedMethods
from service.rest.negotiation import header_of
from service.rest.requests import AnyRequest, problem_of_litestar
from service.rest.responses import EncodedResponse
from service.rest.routing import Handlers

_LOG = logging.getLogger("pocha")


def framework_app(handlers: Handlers) -> Litestar:
    """Return a Litestar app of `handlers`."""
    return Litestar(
        handlers,
        exception_handlers={Exception: _on_exception},
        logging_config=None,
        openapi_config=None,
    )


def direct(app: Litestar) -> ASGIApp:
    """Return `app` with a short way to its handlers."""
    return Direct(app, _explained)


def allowed_in(app: Litestar) -> AllowedMethods:
    """Return the methods of each path of `app`."""
    return AllowedMethods({route.path_format: route.methods for route in app.routes if isinstance(route, HTTPRoute)})


def _explained(request: AnyRequest, error: Exception) -> EncodedResponse:
    reply = _reply_to(error, preferred_language(header_of(request.scope, b"accept-language")))
    if reply.status == ErrorCode.INTERNAL_ERROR.status:
        _LOG.error("a request failed", exc_info=error)
    return reply


def _on_exception(request: AnyRequest, error: Exception) -> Response[bytes]:
    reply = _explained(request, error)
    response = Response(reply.body, status_code=reply.status, media_type="application/problem+json")
    for name, value in reply.headers:
        response.headers[name.decode()] = value.decode()
    if reply.status == ErrorCode.METHOD_NOT_ALLOWED.status:
        response.headers["allow"] = allowed_in(request.app).at(request.scope["path"]) or ""
    return response


def _reply_to(error: Exception, language: Language) -> EncodedResponse:
    if isinstance(error, HTTPException):
        return problem_response(problem_of_litestar(error) or error, language)
    return problem_response(error, language)
