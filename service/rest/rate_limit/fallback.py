"""Rate store that falls back to the process's own memory while the shared store is slow or down."""

import asyncio
import logging
from collections.abc import Sequence

from typing_extensions import override

from service.rest.rate_limit.store import Charge, ChargeResult, RateStore, RateStoreUnavailable

TIMEOUT_SECONDS = 0.05
"""How long a charge waits for the shared store."""
CONNECT_SECONDS = 2.0
"""How long the first connection may take."""
RETRY_SECONDS = 1.0
"""The time between retries after a failure."""

_LOGGER = logging.getLogger(__name__)


class FallbackRateStore(RateStore):
    """Counts in `shared`; after a failure in `own`, until `shared` answers a background retry in time. It always answers."""

    def __init__(
        self, shared: RateStore, own: RateStore, timeout: float = TIMEOUT_SECONDS, retry: float = RETRY_SECONDS
    ) -> None:
        self._shared = shared
        self._own = own
        self._timeout = timeout
        self._retry = retry
        self._retrying: asyncio.Task[None] | None = None

    @property
    def is_shared(self) -> bool:
        """Return whether the shared store is in use."""
        return self._retrying is None

    async def connect(self) -> None:
        """Connect to the shared store, which may take longer than a charge."""
        try:
            await self._charge_shared((), CONNECT_SECONDS)
        except (RateStoreUnavailable, TimeoutError) as error:
            self._fall_back(error)

    @override
    async def charge(self, charges: Sequence[Charge]) -> Sequence[ChargeResult]:
        if self._retrying is None:
            try:
                return await self._charge_shared(charges, self._timeout)
            except (RateStoreUnavailable, TimeoutError) as error:
                self._fall_back(error)
        return await self._own.charge(charges)

    @override
    async def close(self) -> None:
        if self._retrying is not None:
            self._retrying.cancel()
        await self._shared.close()

    async def _charge_shared(self, charges: Sequence[Charge], seconds: float) -> Sequence[ChargeResult]:
        # A cancelled client may stop late, or not at all: that is not waited for.
        asking = asyncio.ensure_future(self._shared.charge(charges))
        try:
            await asyncio.wait((asking,), timeout=seconds)
            if asking.done():
                return asking.result()
            raise TimeoutError
        finally:
            asking.cancel()
            asking.add_done_callback(_ignore_result)

    def _fall_back(self, error: Exception) -> None:
        # Concurrent charges fail together.
        if self._retrying is None:
            reason = str(error) or "timeout"
            _LOGGER.warning("the shared rate store does not answer, each process counts on its own: %s", reason)
            self._retrying = asyncio.create_task(self._retry_shared())

    async def _retry_shared(self) -> None:
        while True:
            await asyncio.sleep(self._retry)
            try:
                await self._charge_shared((), self._timeout)
            except (RateStoreUnavailable, TimeoutError):
                continue
            break
        self._retrying = None
        _LOGGER.warning("the shared rate store answers again")


def _ignore_result(asked: asyncio.Future[Sequence[ChargeResult]]) -> None:
    if not asked.cancelled():
        asked.exception()
