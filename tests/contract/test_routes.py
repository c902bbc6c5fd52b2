"""The routes of the app are the operations of the contract."""

from litestar.routes import HTTPRoute

from service.adapters.clock import SystemClock
from service.adapters.memory.store import MemoryStore
from service.application.shuffle import SeededShuffler
from service.bootstrap.service import Service
from service.rest.routes.docs import GUESSED
from tests.contract.document import operations

# The pages below /docs, the table in the browser, their files, and the redirects that lead there are not part of the contract.
NOT_PROMISED = {
    ("get", "/docs/{name}"),
    ("get", "/docs/{name}/{part}"),
    ("get", "/"),
    ("get", "/play"),
    ("get", "/play/{version}/{path}"),
    *(("get", path) for path in GUESSED),
    ("get", "/problems/{code}"),
}


def test_the_app_has_the_operations_of_the_contract_and_no_others():
    app = Service(MemoryStore(), SystemClock(), SeededShuffler(), b"a secret of the tests, 32 bytes or more").litestar
    routes = [route for route in app.routes if isinstance(route, HTTPRoute)]
    served = {(method.lower(), route.path_format) for route in routes for method in route.methods}
    offered = {(operation.method, operation.path) for operation in operations()}
    assert {pair for pair in served - NOT_PROMISED if pair[0] != "options"} == offered


def test_the_app_has_no_other_kinds_of_routes():
    app = Service(MemoryStore(), SystemClock(), SeededShuffler(), b"a secret of the tests, 32 bytes or more").litestar
    assert [route for route in app.routes if not isinstance(route, HTTPRoute)] == []
