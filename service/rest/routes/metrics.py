"""The figures of this process, for Prometheus."""

from collections.abc import Callable

from litestar import get

from service.application.gauges import DatabaseGauges
from service.rest.responses import EncodedResponse
from service.rest.routing import Handlers


def handlers(page: Callable[[], bytes], media_type: str, census: DatabaseGauges) -> Handlers:
    """Return the handler of `/metrics`, which shows `page`."""

    @get("/metrics")
    async def get_metrics() -> EncodedResponse:
        await census.refresh()
        return EncodedResponse(page(), 200, media_type)

    return [get_metrics]
