"""The Litestar app of the service."""

from collections.abc import Sequence

from litestar import Litestar
from litestar.types import ASGIApp

from service.rest.auth.authenticate import Authenticator
from service.rest.auth.middleware import AuthenticationMiddleware
from service.rest.exception_handlers import EXCEPTION_HANDLERS
from service.rest.parameters import ParameterCheck
from service.rest.rate_limit.middleware import RateLimitMiddleware
from service.rest.requests import ApiRequest, StrictJson
from service.rest.routing import Router

__all__ = ["ASGIApp", "create_litestar"]


def create_litestar(
    unversioned: Sequence[Router],
    public: Sequence[Router],
    authenticated: Sequence[Router],
    authenticator: Authenticator,
    rate_limits: RateLimitMiddleware | None = None,
) -> Litestar:
    """Return an app of routers: `unversioned` ones outside of `/v1`, and within `/v1` those with and without authentication.

    A request passes rate limits, authentication, the check of its parameters, and the decoding of its body, in this order.
    """
    # Routers within routers would say the same, but Litestar registers all routes once more for each level.
    check = ParameterCheck()
    for router in (*public, *authenticated):
        router.before_request = check
    for router in authenticated:
        router.middleware.append(AuthenticationMiddleware(authenticator.authenticate))
    return Litestar(
        [*unversioned, *public, *authenticated],
        request_class=ApiRequest,
        dto=StrictJson,
        return_dto=None,
        exception_handlers=EXCEPTION_HANDLERS,
        middleware=[] if rate_limits is None else [rate_limits],
        logging_config=None,
        openapi_config=None,
    )
