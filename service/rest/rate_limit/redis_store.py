"""Rates counted in Redis or Valkey, for all processes together."""

from collections.abc import Sequence
from typing import Any, cast

from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from service.rest.rate_limit.store import Charge, ChargeResult, RateStoreUnavailable

_SCRIPT = """
local time = redis.call('TIME')
-- Microseconds, since a moment not long ago: so there are digits left for fractions.
local now = (time[1] - 1764547200) * 1000000 + time[2]
local answers, moments, all_allowed = {}, {}, true
for i, key in ipairs(KEYS) do
  local limit, window, cost = tonumber(ARGV[3 * i - 2]), tonumber(ARGV[3 * i - 1]) * 1000000, tonumber(ARGV[3 * i])
  local interval = window / limit
  local used = math.min(math.max((tonumber(redis.call('GET', key)) or now) - now, 0), window)
  local room, wanted = window - used, cost * interval
  if wanted <= room + interval / 1000 then
    moments[i] = now + used + wanted
    answers[i] = {1, math.floor((room - wanted) / interval + 0.001), math.ceil(used + wanted), 0}
  else
    all_allowed = false
    answers[i] = {0, math.floor(room / interval + 0.001), math.ceil(used), math.ceil(wanted - room)}
  end
end
if all_allowed then
  for i, key in ipairs(KEYS) do
    redis.call('SET', key, string.format('%.3f', moments[i]), 'PX', math.ceil((moments[i] - now) / 1000) + 1)
  end
end
return answers
"""
"""Told by the store's clock, so that those of the processes need not agree."""

_MICROSECONDS = 1e6
_SOCKET_SECONDS = 1.0
_CONNECTIONS = 16
"""How many are asked over at once; who finds none free waits for one."""


class RedisRateStore:
    """Adapter of `RateStore` to a Redis (6 or newer) or Valkey at `url`; to one server, or a primary with replicas, not to a cluster.

    Keys begin with `pocha:rate:`, and are gone as soon as they mean nothing any more.
    """

    def __init__(self, url: str) -> None:
        # redis-py types its constructors by what they forward, and its scripts for both of its clients at once.
        pool = cast("Any", BlockingConnectionPool).from_url(
            url,
            max_connections=_CONNECTIONS,
            timeout=None,
            protocol=2,
            socket_timeout=_SOCKET_SECONDS,
            socket_connect_timeout=_SOCKET_SECONDS,
            retry=Retry(NoBackoff(), 0),
        )
        self._redis = cast("Any", Redis).from_pool(pool)
        self._script = self._redis.register_script(_SCRIPT)

    async def take(self, demands: Sequence[Charge]) -> Sequence[ChargeResult]:
        """See `RateStore`."""
        keys = [f"pocha:rate:{demand.quota.policy}:{demand.key}" for demand in demands]
        numbers = [part for demand in demands for part in (demand.quota.limit, demand.quota.seconds, demand.cost)]
        try:
            answers: Sequence[tuple[int, int, int, int]] = await self._script(keys, numbers)
        except (RedisError, OSError) as error:
            raise RateStoreUnavailable(str(error)) from error
        return [_taken(*answer) for answer in answers]

    async def close(self) -> None:
        """See `RateStore`."""
        await self._redis.aclose()


def _taken(allowed: int, remaining: int, reset_after: int, retry_after: int) -> ChargeResult:
    return ChargeResult(bool(allowed), remaining, reset_after / _MICROSECONDS, retry_after / _MICROSECONDS)
