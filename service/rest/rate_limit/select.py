"""Which store rates are counted in."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from service.limits.memory import MemoryRates
from service.limits.rates import RateStore
from service.limits.steady import SteadyRates


@asynccontextmanager
async def store_at(url: str | None) -> AsyncGenerator[RateStore]:
    """Give the store at `url`, with the memory of this process to fall back on; without one, that memory alone.

    Raises:
        ValueError: there can be no store at such an address.
    """
    if url is None:
        yield MemoryRates()
        return
    from service.limits.shared import SharedRates  # noqa: PLC0415 - redis-py takes half a second to load, for few

    store = SteadyRates(SharedRates(url), MemoryRates())
    try:
        await store.begin()
        yield store
    finally:
        await store.close()
