"""The shared store may be slow, away, and back again: nobody waits for it, and nobody is refused for it."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Generator

import pytest

from service.rest.rate_limit.fallback import FallbackRateStore
from service.rest.rate_limit.memory import MemoryRateStore
from service.rest.rate_limit.redis_store import RedisRateStore
from service.rest.rate_limit.select import store_at
from service.rest.rate_limit.store import Quota
from tests.kit.rate_server import RateServer, running_server
from tests.kit.waiting import PATIENCE_SECONDS, until
from tests.rate_limit.store_contract import SLOW, Elapse, RateStoreContract, take

IMPATIENT = 0.5
WIDE = Quota("wide", 1000, 600)


@pytest.fixture
def server() -> Generator[RateServer]:
    with running_server("valkey-server") as server:
        yield server


@pytest.fixture
async def store(server: RateServer) -> AsyncGenerator[FallbackRateStore]:
    store = FallbackRateStore(RedisRateStore(server.url), MemoryRateStore(), PATIENCE_SECONDS, 0.05)
    yield store
    await store.close()


@pytest.fixture
async def impatient(server: RateServer) -> AsyncGenerator[FallbackRateStore]:
    store = FallbackRateStore(RedisRateStore(server.url), MemoryRateStore(), IMPATIENT, 0.05)
    yield store
    await store.close()


class TestSteadyRatesOverAServerThatIsAway(RateStoreContract):
    @pytest.fixture
    async def store(self) -> AsyncGenerator[FallbackRateStore]:
        store = FallbackRateStore(RedisRateStore("unix:///nowhere/socket"), MemoryRateStore())
        yield store
        await store.close()

    @pytest.fixture
    def elapse(self) -> Elapse:
        return asyncio.sleep


async def test_what_is_away_is_told_once_and_does_without_until_it_is_back(
    server: RateServer, store: FallbackRateStore, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "service.rest.rate_limit.fallback")
    assert [(await take(store, "ana", SLOW)).remaining for _ in range(2)] == [2, 1]
    server.stop()
    assert [(await take(store, "ana", SLOW)).remaining for _ in range(3)] == [2, 1, 0]
    await asyncio.gather(*(take(store, "eva", WIDE) for _ in range(100)))
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    server.start()
    await until(lambda: store.is_shared)
    assert (await take(store, "ana", SLOW)).remaining == 2
    assert [record.getMessage() for record in caplog.records[1:]] == ["the shared rate store answers again"]


async def test_a_store_that_hangs_holds_nobody_up(server: RateServer, impatient: FallbackRateStore) -> None:
    store = impatient
    await take(store, "ana", WIDE)
    server.hang()
    try:
        at_once = await asyncio.gather(*(take(store, "ana", WIDE) for _ in range(200)))
        assert all(each.is_allowed for each in at_once)
        async with asyncio.timeout(PATIENCE_SECONDS):
            for _ in range(int(2 * PATIENCE_SECONDS / IMPATIENT)):  # to wait for each would take twice as long
                await take(store, "ana", WIDE)
    finally:
        server.go_on()
    await until(lambda: store.is_shared)
    assert (await take(store, "ana", WIDE)).is_allowed


async def test_without_an_address_this_process_counts_for_itself_and_with_one_it_counts_with_others(
    server: RateServer,
) -> None:
    async with store_at(None) as alone, store_at(server.url) as together:
        assert isinstance(alone, MemoryRateStore)
        assert isinstance(together, FallbackRateStore)
        await until(lambda: together.is_shared)
        assert [(await take(each, "ana", SLOW)).remaining for each in (alone, together)] == [2, 2]


async def test_a_store_that_is_away_at_the_start_is_no_reason_not_to_start() -> None:
    async with store_at("unix:///nowhere/socket") as store:
        assert isinstance(store, FallbackRateStore)
        assert not store.is_shared
        assert (await take(store, "ana", SLOW)).is_allowed


async def test_an_address_that_can_be_none_is_refused() -> None:
    with pytest.raises(ValueError, match="Port"):
        async with store_at("redis://127.0.0.1:99999999"):
            pass
