"""Rates that are counted together where possible, and never hold anybody up."""

import asyncio
import logging
from collections.abc import Sequence

from service.rest.rate_limit.store import Charge, ChargeResult, RateStore, RateStoreUnavailable

PATIENCE_SECONDS = 0.05
"""How long the shared store may take for an answer."""
BEGIN_SECONDS = 2.0
"""How long it may take for its first one."""
RETRY_SECONDS = 1.0
"""How often it is tried again once it has failed."""

_LOGGER = logging.getLogger(__name__)


class FallbackRateStore:
    """Adapter of `RateStore` that asks `shared`, and counts in `own` while that one is slow or away.

    Once it has failed nobody waits for it any more: it is tried in the background until it answers in time.
    """

    def __init__(
        self, shared: RateStore, own: RateStore, patience: float = PATIENCE_SECONDS, retry: float = RETRY_SECONDS
    ) -> None:
        self._shared = shared
        self._own = own
        self._patience = patience
        self._retry = retry
        self._trying: asyncio.Task[None] | None = None

    @property
    def is_shared(self) -> bool:
        """Tell whether the shared store is in use."""
        return self._trying is None

    async def begin(self) -> None:
        """Connect: to do so may take longer than to ask."""
        try:
            await self._ask((), BEGIN_SECONDS)
        except (RateStoreUnavailable, TimeoutError) as error:
            self._give_up(error)

    async def take(self, demands: Sequence[Charge]) -> Sequence[ChargeResult]:
        """See `RateStore`; this one can always be asked."""
        if self._trying is None:
            try:
                return await self._ask(demands, self._patience)
            except (RateStoreUnavailable, TimeoutError) as error:
                self._give_up(error)
        return await self._own.take(demands)

    async def close(self) -> None:
        """See `RateStore`."""
        if self._trying is not None:
            self._trying.cancel()
        await self._shared.close()

    async def _ask(self, demands: Sequence[Charge], seconds: float) -> Sequence[ChargeResult]:
        # A client that is told to give up may do so late, or not at all: so nobody waits for that either.
        asking = asyncio.ensure_future(self._shared.take(demands))
        try:
            await asyncio.wait((asking,), timeout=seconds)
            if asking.done():
                return asking.result()
            raise TimeoutError
        finally:
            asking.cancel()
            asking.add_done_callback(_forget)

    def _give_up(self, error: Exception) -> None:
        # All who asked at the same time come here.
        if self._trying is None:
            _LOGGER.warning("the shared rate store fails, every process counts by itself: %s", error or "too slow")
            self._trying = asyncio.create_task(self._try_again())

    async def _try_again(self) -> None:
        while True:
            await asyncio.sleep(self._retry)
            try:
                await self._ask((), self._patience)
            except (RateStoreUnavailable, TimeoutError):
                continue
            break
        self._trying = None
        _LOGGER.warning("the shared rate store answers again")


def _forget(asked: asyncio.Future[Sequence[ChargeResult]]) -> None:
    if not asked.cancelled():
        asked.exception()
