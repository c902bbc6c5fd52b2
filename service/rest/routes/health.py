"""Whether the service lives, and whether it can serve."""

import logging

from litestar import get

from service.application.draining import Draining
from service.application.ports import StoreHealth, StoreUnavailable
from service.application.supervisor import Supervisor
from service.rest.errors import ApiError, ErrorCode
from service.rest.responses import EncodedResponse, json_response
from service.rest.routing import Handlers
from service.rest.schemas import Health

_LOGGER = logging.getLogger(__name__)


def handlers(store: StoreHealth, draining: Draining, vitals: Supervisor) -> Handlers:
    """Return the handlers of `/healthz` and `/readyz`."""
    readiness = _Readiness(store)

    @get("/healthz")
    async def get_health() -> EncodedResponse:
        if not vitals.is_healthy():
            raise ApiError(ErrorCode.INTERNAL_ERROR)
        return json_response(Health("ok"))

    @get("/readyz")
    async def get_readiness() -> EncodedResponse:
        if draining.begun:
            raise ApiError(ErrorCode.DRAINING)
        await readiness.check()
        return json_response(Health("ready"))

    return [get_health, get_readiness]


class _Readiness:
    """Whether games can be served; tells the operator when that changes, and why, but not at every probe."""

    def __init__(self, store: StoreHealth) -> None:
        self._store = store
        self._hindrance = ""

    async def check(self) -> None:
        try:
            await self._store.check()
        except StoreUnavailable as error:
            self._note(str(error) or "the log is unavailable")
            raise
        self._note("")

    def _note(self, hindrance: str) -> None:
        if hindrance and hindrance != self._hindrance:
            _LOGGER.warning("not ready: %s", hindrance)
        elif self._hindrance and not hindrance:
            _LOGGER.warning("ready again")
        self._hindrance = hindrance
