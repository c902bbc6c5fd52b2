"""Rates in Redis and in Valkey: the contract by the real servers and the real time, and that processes count together."""

import asyncio
from collections.abc import AsyncGenerator, Generator

import pytest

from service.rest.rate_limit.redis_store import RedisRateStore
from service.rest.rate_limit.store import MAX_SECONDS, Quota, RateStoreUnavailable
from tests.kit.rate_server import KINDS, RateServer, running_server
from tests.rate_limit.store_contract import SLOW, Elapse, RateStoreContract, take


@pytest.fixture(scope="module", params=KINDS)
def server(request: pytest.FixtureRequest) -> Generator[RateServer]:
    with running_server(request.param) as server:
        yield server


@pytest.fixture
async def store(server: RateServer) -> AsyncGenerator[RedisRateStore]:
    store = RedisRateStore(server.url)
    yield store
    await store.close()


class TestSharedRates(RateStoreContract):
    @pytest.fixture
    def elapse(self) -> Elapse:
        return asyncio.sleep

    async def test_two_processes_share_one_quota(self, server: RateServer, store: RedisRateStore, key: str) -> None:
        other = RedisRateStore(server.url)
        taken = [(await take(each, key, SLOW)).remaining for each in (store, other, store)]
        assert taken == [2, 1, 0]
        assert not (await take(other, key, SLOW)).is_allowed
        await other.close()

    async def test_of_those_who_ask_at_once_no_more_are_served_than_there_is(
        self, store: RedisRateStore, key: str
    ) -> None:
        taken = await asyncio.gather(*(take(store, key, SLOW) for _ in range(50)))
        assert sum(each.is_allowed for each in taken) == 3

    async def test_keys_are_gone_when_they_mean_nothing(
        self, server: RateServer, store: RedisRateStore, key: str
    ) -> None:
        brief, long = Quota("brief", 10, 1), Quota("long", 3, MAX_SECONDS)
        await take(store, key, brief, 10)
        await take(store, key, long, 3)
        assert await _lifetime(server, f"pocha:rate:brief:{key}") <= 1002
        assert await _lifetime(server, f"pocha:rate:long:{key}") <= MAX_SECONDS * 1000 + 2
        await asyncio.sleep(1.1)
        assert await _lifetime(server, f"pocha:rate:brief:{key}") == -2


async def _lifetime(server: RateServer, key: str) -> int:
    """Return in how many milliseconds a key will be gone; -2 when it is."""
    reader, writer = await asyncio.open_unix_connection(server.url.removeprefix("unix://"))
    writer.write(f"PTTL {key}\r\n".encode())
    answer = await reader.readline()
    writer.close()
    return int(answer[1:])


@pytest.mark.parametrize("url", ["redis://127.0.0.1:1", "unix:///nowhere/socket"])
async def test_where_there_is_no_server_that_is_said(url: str) -> None:
    store = RedisRateStore(url)
    with pytest.raises(RateStoreUnavailable):
        await take(store, "a", SLOW)
    await store.close()
