"""What every `RateStore` promises. Each adapter's test module inherits `RateStoreContract` and gives the fixtures `store` and `elapse`."""

from collections.abc import Awaitable, Callable, Sequence
from uuid import uuid4

import pytest

from service.rest.rate_limit.store import Charge, ChargeResult, Quota, RateStore

Elapse = Callable[[float], Awaitable[None]]

SLOW = Quota("slow", 3, 600)
"""So slow that nothing comes back during a test."""
FAST = Quota("fast", 10, 1)


async def take(store: RateStore, key: str, quota: Quota, cost: int = 1) -> ChargeResult:
    [taken] = await store.charge([Charge(key, quota, cost)])
    return taken


def allowed(taken: Sequence[ChargeResult]) -> list[bool]:
    return [each.is_allowed for each in taken]


class RateStoreContract:
    @pytest.fixture
    def key(self) -> str:
        return uuid4().hex

    async def test_a_quota_may_be_used_up_in_one_go_and_then_there_is_a_time_to_wait(
        self, store: RateStore, key: str
    ) -> None:
        taken = [await take(store, key, SLOW) for _ in range(4)]
        assert allowed(taken) == [True, True, True, False]
        assert [each.remaining for each in taken] == [2, 1, 0, 0]
        assert [each.retry_after for each in taken[:3]] == [0, 0, 0]
        assert taken[0].reset_after == pytest.approx(200, abs=20)
        assert taken[3].reset_after == pytest.approx(600, abs=20)
        assert taken[3].retry_after == pytest.approx(200, abs=20)

    async def test_what_is_refused_costs_nothing(self, store: RateStore, key: str) -> None:
        await take(store, key, SLOW, 3)
        refused = [await take(store, key, SLOW, 3) for _ in range(5)]
        assert not any(allowed(refused))
        assert all(0 < each.retry_after <= 600 for each in refused)

    async def test_what_was_taken_comes_back_evenly(self, store: RateStore, key: str, elapse: Elapse) -> None:
        assert (await take(store, key, FAST, 10)).is_allowed
        await elapse(0.5)
        assert (await take(store, key, FAST, 4)).is_allowed
        await elapse(1.1)
        assert (await take(store, key, FAST, 10)).remaining == 0

    async def test_who_waits_as_long_as_told_is_served(self, store: RateStore, key: str, elapse: Elapse) -> None:
        while (refused := await take(store, key, FAST, 3)).is_allowed:
            pass
        await elapse(refused.retry_after)
        assert (await take(store, key, FAST, 3)).is_allowed

    async def test_more_than_the_whole_is_never_had(self, store: RateStore, key: str) -> None:
        assert not (await take(store, key, SLOW, 4)).is_allowed
        assert (await take(store, key, SLOW, 3)).is_allowed

    async def test_keys_and_policies_are_counted_apart(self, store: RateStore, key: str) -> None:
        await take(store, key, SLOW, 3)
        assert (await take(store, f"{key} too", SLOW, 3)).is_allowed
        assert (await take(store, key, Quota("other", 3, 600), 3)).is_allowed

    async def test_several_demands_are_taken_together_or_not_at_all(self, store: RateStore, key: str) -> None:
        wide = Quota("wide", 10, 600)
        both = [Charge(key, wide), Charge(key, SLOW)]
        taken = [await store.charge(both) for _ in range(5)]
        assert [allowed(each) for each in taken] == [[True, True]] * 3 + [[True, False]] * 2
        assert [each.remaining for each in taken[2]] == [7, 0]
        assert (await take(store, key, wide)).remaining == 6

    async def test_no_demand_is_no_trouble(self, store: RateStore) -> None:
        assert list(await store.charge([])) == []

    async def test_a_quota_that_has_changed_counts_what_was_taken_before(self, store: RateStore, key: str) -> None:
        """An operator may change a setting while others still go by the old one; nobody is shut out for longer than the new one says."""
        await take(store, key, SLOW, 3)
        refused = await take(store, key, Quota("slow", 5, 60))
        assert not refused.is_allowed
        assert refused.retry_after <= 60 / 5
        assert (await take(store, key, Quota("slow", 5, 3600))).is_allowed
