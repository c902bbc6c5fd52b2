"""The rate-limit policy of each route."""

from litestar.routes import HTTPRoute

from service.adapters.clock import SystemClock
from service.adapters.memory.store import MemoryStore
from service.application.shuffle import SeededShuffler
from service.bootstrap.service import Service
from service.rest.middleware.access_log import PROBES
from tests.rest.conftest import SECRET


def test_every_operation_but_probes_has_a_limit() -> None:
    app = Service(MemoryStore(), SystemClock(), SeededShuffler(), SECRET).litestar
    unlimited = {
        route.path_format
        for route in app.routes
        if isinstance(route, HTTPRoute)
        for handler in route.route_handlers
        if "OPTIONS" not in handler.http_methods and "rate_limit" not in handler.opt
    }
    assert unlimited == PROBES
