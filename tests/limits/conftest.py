"""The whole service in this process, with limits that are soon reached, and that give nothing back during a test."""

from collections.abc import AsyncGenerator, Mapping
from contextlib import AsyncExitStack

import pytest
from litestar.types import ASGIApp

from service.app import Service
from service.callers.trust import Trust
from service.clock import SystemClock
from service.limits.addresses import Addresses, networks_of
from service.limits.limits import Limits
from service.limits.memory import MemoryRates
from service.limits.policies import ADDRESS_FACTOR, OFF, Policies, Policy
from service.limits.rates import RateStore
from service.shuffle import SeededShuffler
from service.store.apps_memory import MemoryApps
from service.store.memory import MemoryLog
from tests.rest.api import Api, client_of

SECRET = b"a secret of the tests, long enough for every algorithm that they try"
ALL_OFF = dict.fromkeys(Policy, OFF)


def limits_of(
    rates: Mapping[Policy, str], address_factor: int = ADDRESS_FACTOR, store: RateStore | None = None
) -> Limits:
    """Return limits by the rates given and no others; a proxy is this machine."""
    policies = Policies({**ALL_OFF, **rates}, address_factor)
    return Limits(policies, MemoryRates() if store is None else store, Addresses(networks_of("127.0.0.0/8")))


class House:
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
        trust = Trust(apps=self.apps)
        self.app = Service(MemoryLog(), SystemClock(), SeededShuffler(), SECRET, trust=trust, limits=limits).app
        return Api(await self._stack.enter_async_context(client_of(self.app)))


@pytest.fixture
async def house() -> AsyncGenerator[House]:
    async with AsyncExitStack() as stack:
        yield House(stack)
