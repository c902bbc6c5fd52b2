"""Rate store in the memory of the process."""

import time
from collections.abc import Callable, Sequence

from typing_extensions import override

from service.rest.rate_limit.store import MAX_SECONDS, Charge, ChargeResult, RateStore

MAX_KEYS = 100_000
_TOLERANCE = 0.001
"""The rounding error that is accepted, as part of one request."""

_Name = tuple[str, str]
"""A policy, and the key that is counted."""


class MemoryRateStore(RateStore):
    """Keeps at most `max_keys` keys, in two generations, so that a charge takes constant time.

    When the young generation is full or old enough, the old one is dropped, with every key that was not charged since. Keys that still
    count are dropped only where there are too many. `now` returns seconds.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic, max_keys: int = MAX_KEYS) -> None:
        self._now = now
        self._max_young = max(1, max_keys // 2)
        self._young: dict[_Name, float] = {}
        self._old: dict[_Name, float] = {}
        self._next_generation_at = now() + MAX_SECONDS

    @override
    async def charge(self, charges: Sequence[Charge]) -> Sequence[ChargeResult]:
        now = self._now()
        if len(self._young) >= self._max_young or now >= self._next_generation_at:
            self._start_generation(now)
        results = [self._result(charge, now) for charge in charges]
        if all(result.is_allowed for result in results):
            for charge, result in zip(charges, results, strict=True):
                self._young[charge.quota.policy, charge.key] = now + result.reset_after
        return results

    @override
    async def close(self) -> None:
        pass

    def __len__(self) -> int:
        return len(self._young) + len(self._old)

    def _result(self, charge: Charge, now: float) -> ChargeResult:
        quota = charge.quota
        name, interval = (quota.policy, charge.key), quota.seconds / quota.limit
        reset_at = self._young.get(name) or self._old.get(name, now)
        used = min(reset_at - now, quota.seconds) if reset_at > now else 0.0
        free = quota.seconds - used
        wanted = charge.cost * interval
        if wanted <= free + _TOLERANCE * interval:
            remaining = int((free - wanted) / interval + _TOLERANCE)
            return ChargeResult(is_allowed=True, remaining=remaining, reset_after=used + wanted)
        return ChargeResult(
            is_allowed=False,
            remaining=int(free / interval + _TOLERANCE),
            reset_after=used,
            retry_after=wanted - free,
        )

    def _start_generation(self, now: float) -> None:
        self._old, self._young = self._young, {}
        self._next_generation_at = now + MAX_SECONDS
