"""Rates: how many requests in how many seconds, and the port to where they are counted.

All stores count by the generic cell rate algorithm: one moment a key, at which everything taken so far will have been given back. A
quota may be used up in one go, and comes back evenly: of 60 in 10 seconds there is one more every sixth of a second.
"""

from collections.abc import Sequence
from typing import Protocol

import msgspec

MOST_SECONDS = 3600
"""The longest time that a quota may be for: no store remembers anything for longer."""


class Quota(msgspec.Struct, frozen=True):
    """At most `limit` requests in `seconds`, under the name of a policy."""

    policy: str
    limit: int
    seconds: int


class Charge(msgspec.Struct, frozen=True):
    """Somebody, whom `key` names, wants to take `cost` of a quota."""

    key: str
    quota: Quota
    cost: int = 1


class ChargeResult(msgspec.Struct, frozen=True):
    """What came of a demand: whether it may be had, and how much is left of the quota then.

    `reset_after` is the time until all of it is back; `retry_after`, where it may not be had, the time until it may. Both in seconds.
    """

    is_allowed: bool
    remaining: int
    reset_after: float
    retry_after: float = 0.0


class RateStoreUnavailable(Exception):
    """The store cannot be asked now."""


class RateStore(Protocol):
    """Where rates are counted."""

    async def take(self, demands: Sequence[Charge]) -> Sequence[ChargeResult]:
        """Return what came of each demand, in order. All are taken, or none: where one is not allowed, nothing is counted at all.

        Raises:
            RateStoreUnavailable: the store cannot be asked now.
        """
        ...

    async def close(self) -> None:
        """Let go of every connection."""
        ...
