"""The whole service in this process, over the memory log: what is tested here is the HTTP side."""

from collections.abc import AsyncGenerator

import pytest

from service.adapters.memory.store import MemoryStore
from service.application.draining import Draining
from service.application.shuffle import SeededShuffler
from service.bootstrap.service import Service
from tests.kit.clock import SetClock
from tests.kit.player import Api, client_of

SECRET = b"a secret of the tests, long enough for every algorithm that they try"


@pytest.fixture
def log() -> MemoryStore:
    return MemoryStore()


@pytest.fixture
def clock() -> SetClock:
    return SetClock()


@pytest.fixture
def draining() -> Draining:
    return Draining()


@pytest.fixture
def service(log: MemoryStore, clock: SetClock, draining: Draining) -> Service:
    return Service(log, clock, SeededShuffler(), SECRET, draining=draining)


@pytest.fixture
async def api(service: Service) -> AsyncGenerator[Api]:
    async with client_of(service.asgi) as client:
        yield Api(client)
