"""The choice of the rate store."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from service.rest.rate_limit.fallback import FallbackRateStore
from service.rest.rate_limit.memory import MemoryRateStore
from service.rest.rate_limit.store import RateStore


@asynccontextmanager
async def store_at(url: str | None) -> AsyncGenerator[RateStore]:
    """Open the store at `url` with a fallback in memory; without a URL, a store in memory.

    Raises:
        ValueError: `url` is not the address of a Redis.
    """
    if url is None:
        yield MemoryRateStore()
        return
    from service.rest.rate_limit.redis_store import RedisRateStore  # noqa: PLC0415 - redis-py takes half a second to import

    store = FallbackRateStore(RedisRateStore(url), MemoryRateStore())
    try:
        await store.connect()
        yield store
    finally:
        await store.close()
