"""The service in this process, over the memory log, and its log as lines."""

import io
import json
import logging
from typing import Any

import pytest

from service.observability import log_format
from tests.adapters.conftest import settled
from tests.rest.conftest import api, clock, draining, log, service

__all__ = ["api", "clock", "draining", "log", "service", "settled"]

Json = dict[str, Any]


class Written:
    """What was logged, as it is written."""

    def __init__(self) -> None:
        self.stream = io.StringIO()

    def text(self) -> str:
        """Return all of it."""
        for handler in logging.root.handlers:
            handler.flush()
        return self.stream.getvalue()

    def records(self) -> list[Json]:
        """Return the records, which are JSON, each in one line."""
        return [json.loads(line) for line in self.text().split("\n")[:-1]]

    def requests(self, route: str) -> list[Json]:
        """Return the access records of a route."""
        return [each for each in self.records() if each["logger"] == "pocha.access" and each.get("route") == route]


@pytest.fixture
def written(silent_client: None) -> Written:  # noqa: ARG001 - it is wanted for what it does
    """Everything that is logged from now on, from debug on, as JSON."""
    written = Written()
    log_format.configure("debug", "json", stream=written.stream)
    return written
