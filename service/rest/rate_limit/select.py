"""Which store rates are counted in."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from service.rest.rate_limit.fallback import FallbackRateStore
from service.rest.rate_limit.memory import MemoryRateStore
from service.rest.rate_limit.store import RateStore


@asynccontextmanager
async def store_at(url: str | None) -> AsyncGenerator[RateStore]:
    """Give the store at `url`, with the memory of this process to fall back on; without one, that memory alone.

    Raises:
        ValueError: there can be no store at such an address.
    """
    if url is None:
        yield MemoryRateStore()
        return
    from service.rest.rate_limit.redis_store import RedisRateStore  # noqa: PLC0415 - redis-py takes half a second to load, for few

    store = FallbackRateStore(RedisRateStore(url), MemoryRateStore())
    try:
        await store.begin()
        yield store
    finally:
        await store.close()
