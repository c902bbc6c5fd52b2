"""The service as the contract's tests run it: in this process, over the memory log, with chance that can be repeated."""

import hashlib
import random
import re
from typing import Any

import schemathesis
from litestar.types import ASGIApp
from schemathesis import Response
from schemathesis.config import SchemathesisConfig
from schemathesis.specs.openapi import checks as known_checks

from service.adapters.clock import SystemClock
from service.application.draining import Draining
from service.application.ports import GameStore
from service.application.shuffle import SeededShuffler
from service.bootstrap.service import Service
from tests.contract.document import Json, operations
from tests.kit.shuffling import SameForEveryGame

# Schemathesis is typed only in part: its cases, operations and schemas are generic in things that it leaves open.
Case = Any
Promise = Any
checks: Any = known_checks
configs: Any = SchemathesisConfig

SECRET = b"a secret of the tests, 32 bytes or more"
SEED = 20261130
LONGEST_STREAM = 1000
_TIME = re.compile(r'"(\d{4}-\d\d-\d\dT[^"]*)"')
_SIX_DIGITS = re.compile(r"[^.]+\.\d{6}Z")
ALWAYS = [
    checks.content_type_conformance,
    checks.response_headers_conformance,
    checks.response_schema_conformance,
]


class RepeatableShuffler(SameForEveryGame):
    """Deals as the service does, but from seeds, and with luck, that are the same in every run."""

    def __init__(self) -> None:
        self.begin_again()

    def begin_again(self) -> None:
        """Draw from the beginning."""
        self._random = random.Random(SEED)

    def new_seed(self) -> bytes:
        """Return the next seed."""
        return hashlib.sha256(self._random.randbytes(32)).digest()

    def luck(self) -> int:
        """Return the next number."""
        return self._random.getrandbits(32)


def service(log: GameStore, shuffler: SeededShuffler, draining: Draining | None = None) -> ASGIApp:
    """Return the service over `log`."""
    return Service(log, SystemClock(), shuffler, SECRET, draining=draining).asgi


def promise_of(app: ASGIApp) -> Promise:
    """Return the contract that `app` serves, as schemathesis reads it."""
    config = configs.from_dict({"seed": SEED, "max-stream-events": LONGEST_STREAM})
    return schemathesis.openapi.from_asgi("/openapi.json", app, config=config)


class Client:
    """Sends requests, and holds every answer to the contract."""

    def __init__(self, promise: Promise) -> None:
        self._operations: dict[str, Any] = {
            operation.id: promise[operation.path][operation.method] for operation in operations()
        }

    def ask(
        self,
        operation_id: str,
        token: str | None = None,
        *,
        body: Json | None = None,
        query: Json | None = None,
        headers: dict[str, str] | None = None,
        seconds: float | None = None,
        **path: str | int,
    ) -> Response:
        """Send a request of an operation, check the answer, and return it; `path` names the path's parameters.

        A stream is read for so many `seconds`, or to its end.
        """
        authorization = {} if token is None else {"Authorization": f"Bearer {token}"}
        with_body: Json = {} if body is None else {"body": body, "media_type": "application/json"}
        case: Case = self._operations[operation_id].Case(
            path_parameters=dict(path),
            query=query or {},
            headers=authorization,
            **with_body,
        )
        # A case by itself would accept anything, whatever its headers say.
        response: Response = case.call(headers=headers or {}, timeout=seconds)
        case.validate_response(response, checks=ALWAYS)
        assert str(response.status_code) in statuses_of(case), response.text
        assert [time for time in _TIME.findall(response.text) if not _SIX_DIGITS.fullmatch(time)] == []
        return response


def statuses_of(case: Case) -> set[str]:
    """Return the statuses that the case's operation lists, but for `default`, which is for what nobody expects."""
    return set(case.operation.definition.raw["responses"]) - {"default"}
