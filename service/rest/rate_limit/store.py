"""Quotas, and the port to the stores that count requests.

All stores use the generic cell rate algorithm: per key they keep one moment, at which the whole quota is available again. A quota may be
used up at once, and refills evenly: of 60 in 10 seconds, one every sixth of a second.
"""

from collections.abc import Sequence
from typing import Protocol

import msgspec

MAX_SECONDS = 3600
"""The longest window of a quota. Stores keep nothing for longer."""


class Quota(msgspec.Struct, frozen=True):
    """At most `limit` requests in `seconds`, under the name of a policy."""

    policy: str
    limit: int
    seconds: int


class Charge(msgspec.Struct, frozen=True):
    """A charge of `cost` requests to the quota of `key`: a caller or an address."""

    key: str
    quota: Quota
    cost: int = 1


class ChargeResult(msgspec.Struct, frozen=True):
    """Whether a charge is allowed, and what remains of the quota.

    `reset_after` is the time until the whole quota is available, and `retry_after` until a refused charge would be allowed, in seconds.
    """

    is_allowed: bool
    remaining: int
    reset_after: float
    retry_after: float = 0.0


class RateStoreUnavailable(Exception):
    """The store does not answer."""


class RateStore(Protocol):
    """Counts requests."""

    async def charge(self, charges: Sequence[Charge]) -> Sequence[ChargeResult]:
        """Make all charges, or none where one is not allowed, and return their results in order.

        Raises:
            RateStoreUnavailable: the store does not answer.
        """
        ...

    async def close(self) -> None:
        """Close the connections."""
        ...
