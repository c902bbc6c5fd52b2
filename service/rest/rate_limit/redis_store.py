"""Rate store in Redis or Valkey, shared by all processes."""

from collections.abc import Sequence
from typing import Any, cast

from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from typing_extensions import override

from service.rest.rate_limit.store import Charge, ChargeResult, RateStore, RateStoreUnavailable

_SCRIPT = """
local time = redis.call('TIME')
-- Microseconds since a recent moment: a double has digits left for fractions.
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
"""The script uses the store's clock: those of the processes need not agree."""

_MICROSECONDS = 1e6
_SOCKET_SECONDS = 1.0
_CONNECTIONS = 16
"""The size of the pool; a charge waits for a free connection."""


class RedisRateStore(RateStore):
    """Counts in the Redis (6 or newer) or Valkey at `url`: a single server or a primary with replicas, not a cluster.

    Keys begin with `pocha:rate:` and expire once their quota is whole.
    """

    def __init__(self, url: str) -> None:
        # redis-py leaves its constructors untyped, and types scripts for both of its clients at once.
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

    @override
    async def charge(self, charges: Sequence[Charge]) -> Sequence[ChargeResult]:
        keys = [f"pocha:rate:{charge.quota.policy}:{charge.key}" for charge in charges]
        numbers = [part for charge in charges for part in (charge.quota.limit, charge.quota.seconds, charge.cost)]
        try:
            answers: Sequence[tuple[int, int, int, int]] = await self._script(keys, numbers)
        except (RedisError, OSError) as error:
            raise RateStoreUnavailable(str(error)) from error
        return [_result(*answer) for answer in answers]

    @override
    async def close(self) -> None:
        await self._redis.aclose()


def _result(allowed: int, remaining: int, reset_after: int, retry_after: int) -> ChargeResult:
    return ChargeResult(bool(allowed), remaining, reset_after / _MICROSECONDS, retry_after / _MICROSECONDS)
