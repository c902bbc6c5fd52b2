"""The whole service in this process, with limits that are soon reached, and that give nothing back during a test."""

from collections.abc import AsyncGenerator, Mapping
from contextlib import AsyncExitStack

import pytest
from litestar.types import ASGIApp

from service.adapters.clock import SystemClock
from service.adapters.memory.apps import MemoryApps
from service.adapters.memory.store import MemoryStore
from service.application.shuffle import SeededShuffler
from service.bootstrap.service import Service
from service.rest.auth.config import AuthConfig
from service.rest.rate_limit import redis_store
from service.rest.rate_limit.client_address import ClientAddresses, networks_of
from service.rest.rate_limit.config import RateLimitConfig
from service.rest.rate_limit.memory import MemoryRateStore
from service.rest.rate_limit.policies import ADDRESS_FACTOR, OFF, Policy, PolicyQuotas
from service.rest.rate_limit.store import RateStore
from tests.kit.player import Api, client_of
from tests.kit.waiting import PATIENCE_SECONDS

SECRET = b"a secret of the tests, long enough for every algorithm that they try"
ALL_OFF = dict.fromkeys(Policy, OFF)


def limits_of(
    rates: Mapping[Policy, str], address_factor: int = ADDRESS_FACTOR, store: RateStore | None = None
) -> RateLimitConfig:
    """Return limits by the rates given and no others; a proxy is this machine."""
    policies = PolicyQuotas({**ALL_OFF, **rates}, address_factor)
    return RateLimitConfig(
        policies, MemoryRateStore() if store is None else store, ClientAddresses(networks_of("127.0.0.0/8"))
    )


class LimitedServices:
    """Opens services, and closes their clients at the end. `app` is the last of them."""

    app: ASGIApp

    def __init__(self, stack: AsyncExitStack) -> None:
        self._stack = stack
        self.apps = MemoryApps()

    async def open(
        self, rates: Mapping[Policy, str], address_factor: int = ADDRESS_FACTOR, store: RateStore | None = None
    ) -> Api:
        """Return a service with such limits."""
        limits = limits_of(rates, address_factor, store)
        trust = AuthConfig(apps=self.apps)
        self.app = Service(MemoryStore(), SystemClock(), SeededShuffler(), SECRET, trust=trust, limits=limits).asgi
        return Api(await self._stack.enter_async_context(client_of(self.app)))


@pytest.fixture(autouse=True)
def patient_redis(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a store that is there answer as late as it may on a busy machine."""
    monkeypatch.setattr(redis_store, "_SOCKET_SECONDS", PATIENCE_SECONDS)


@pytest.fixture
async def services() -> AsyncGenerator[LimitedServices]:
    async with AsyncExitStack() as stack:
        yield LimitedServices(stack)
