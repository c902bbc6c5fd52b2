"""Rates counted in the memory of this process."""

import time
from collections.abc import Callable, Sequence

from service.rest.rate_limit.store import MOST_SECONDS, Charge, ChargeResult

MOST_KEYS = 100_000
"""How many keys are remembered; where there are more, those not asked for lately are forgotten."""
_SLACK = 0.001
"""The part of one request by which rounding may be off."""

_Name = tuple[str, str]
"""A policy, and who is counted."""


class MemoryRateStore:
    """Adapter of `RateStore` to a dictionary of bounded size; each demand takes the same time, however many keys there are.

    Keys are kept in two generations. When the younger one is full or old enough, the elder is dropped, and whatever was not asked for
    since is forgotten with it: nothing that still counts, unless there were too many keys. `now` tells the time in seconds.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic, most_keys: int = MOST_KEYS) -> None:
        self._now = now
        self._most_young = max(1, most_keys // 2)
        self._young: dict[_Name, float] = {}
        self._old: dict[_Name, float] = {}
        self._next_turn = now() + MOST_SECONDS

    async def take(self, demands: Sequence[Charge]) -> Sequence[ChargeResult]:
        """See `RateStore`."""
        now = self._now()
        if len(self._young) >= self._most_young or now >= self._next_turn:
            self._turn(now)
        taken = [self._judge(demand, now) for demand in demands]
        for each in taken:
            if not each.is_allowed:
                return taken
        for at, demand in enumerate(demands):
            self._young[demand.quota.policy, demand.key] = now + taken[at].reset_after
        return taken

    async def close(self) -> None:
        """See `RateStore`."""

    def __len__(self) -> int:
        return len(self._young) + len(self._old)

    def _judge(self, demand: Charge, now: float) -> ChargeResult:
        quota = demand.quota
        name, interval = (quota.policy, demand.key), quota.seconds / quota.limit
        given_back_at = self._young.get(name) or self._old.get(name, now)
        used = min(given_back_at - now, quota.seconds) if given_back_at > now else 0.0
        room = quota.seconds - used
        wanted = demand.cost * interval
        if wanted <= room + _SLACK * interval:
            return ChargeResult(True, int((room - wanted) / interval + _SLACK), used + wanted)  # noqa: FBT003 - the first field
        return ChargeResult(False, int(room / interval + _SLACK), used, wanted - room)  # noqa: FBT003 - as above

    def _turn(self, now: float) -> None:
        self._old, self._young = self._young, {}
        self._next_turn = now + MOST_SECONDS
