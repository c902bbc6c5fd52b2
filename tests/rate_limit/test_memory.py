"""Rates in memory: the contract, by a clock that the tests set, and how little is remembered."""

import pytest

from service.rest.rate_limit.memory import MemoryRateStore
from service.rest.rate_limit.store import MAX_SECONDS, Charge, Quota
from tests.rate_limit.store_contract import SLOW, Elapse, RateStoreContract, take


class SetTime:
    """Seconds that pass when told to."""

    def __init__(self) -> None:
        self.seconds = 1e6

    def __call__(self) -> float:
        return self.seconds

    async def elapse(self, seconds: float) -> None:
        """Let time pass."""
        self.seconds += seconds


@pytest.fixture
def time() -> SetTime:
    return SetTime()


class TestMemoryRates(RateStoreContract):
    @pytest.fixture
    def store(self, time: SetTime) -> MemoryRateStore:
        return MemoryRateStore(time)

    @pytest.fixture
    def elapse(self, time: SetTime) -> Elapse:
        return time.elapse


async def test_however_many_keys_are_asked_for_only_so_many_are_remembered(time: SetTime) -> None:
    store = MemoryRateStore(time, max_keys=10)
    for number in range(1000):
        await take(store, str(number), SLOW)
        assert len(store) <= 10


async def test_a_key_that_is_asked_for_now_and_then_is_not_forgotten_among_others(time: SetTime) -> None:
    store = MemoryRateStore(time, max_keys=10)
    remaining: list[int] = []
    for number in range(20):
        remaining.append((await take(store, "often", Quota("slow", 100, 600))).remaining)
        await take(store, str(number), SLOW)
    assert remaining == list(range(99, 79, -1))


async def test_what_nobody_asks_for_any_more_is_forgotten_once_it_means_nothing(time: SetTime) -> None:
    store = MemoryRateStore(time)
    await take(store, "gone", Quota("slow", 3, MAX_SECONDS), 3)
    await time.elapse(MAX_SECONDS - 10)
    assert not (await take(store, "gone", Quota("slow", 3, MAX_SECONDS), 3)).is_allowed
    for _ in range(3):
        await time.elapse(MAX_SECONDS + 1)
        await take(store, "there", SLOW)
    assert len(store) <= 2


@pytest.mark.parametrize(("limit", "seconds"), [(1, 1), (1, 3600), (7, 60), (60, 10), (10_000, 1), (999_999, 3600)])
async def test_rounding_takes_nothing_away_and_gives_nothing(time: SetTime, limit: int, seconds: int) -> None:
    store = MemoryRateStore(time)
    quota = Quota("exact", limit, seconds)
    for number in range(1, min(limit, 1000) + 1):
        assert (await take(store, "a", quota)).remaining == limit - number
    [last] = await store.charge([Charge("a", quota, limit)])
    assert not last.is_allowed
