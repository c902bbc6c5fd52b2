"""Health, readiness and metrics of the process."""

import logging
from collections.abc import Callable

from litestar import get

from service.application.draining import Draining
from service.application.gauges import DatabaseGauges
from service.application.ports import StoreHealth, StoreUnavailable
from service.application.supervisor import Supervisor
from service.rest.errors import ApiError, ErrorCode
from service.rest.responses import EncodedResponse, json_response
from service.rest.routing import Router
from service.rest.schemas.responses import Health

_LOGGER = logging.getLogger(__name__)


def router(
    store: StoreHealth,
    draining: Draining,
    supervisor: Supervisor,
    gauges: DatabaseGauges,
    metrics_page: Callable[[], bytes],
    metrics_media_type: str,
) -> Router:
    """Return the routes of `/healthz`, `/readyz` and `/metrics`."""
    readiness = _Readiness(store)

    @get("/healthz")
    async def get_health() -> EncodedResponse:
        if not supervisor.is_healthy():
            raise ApiError(ErrorCode.INTERNAL_ERROR)
        return json_response(Health("ok"))

    @get("/readyz")
    async def get_readiness() -> EncodedResponse:
        if draining.begun:
            raise ApiError(ErrorCode.DRAINING)
        await readiness.check()
        return json_response(Health("ready"))

    @get("/metrics")
    async def get_metrics() -> EncodedResponse:
        await gauges.refresh()
        return EncodedResponse(metrics_page(), 200, metrics_media_type)

    return Router("/", route_handlers=[get_health, get_readiness, get_metrics])


class _Readiness:
    """Checks that games can be served, and logs each change once, not every probe."""

    def __init__(self, store: StoreHealth) -> None:
        self._store = store
        self._failure = ""

    async def check(self) -> None:
        try:
            await self._store.check()
        except StoreUnavailable as error:
            self._log_change(str(error) or "the game store is unavailable")
            raise
        self._log_change("")

    def _log_change(self, failure: str) -> None:
        if failure and failure != self._failure:
            _LOGGER.warning("not ready: %s", failure)
        elif self._failure and not failure:
            _LOGGER.warning("ready again")
        self._failure = failure
