"""API keys, which apps call with: `pocha_ID_SECRET`."""

import asyncio
import hashlib
import math
import re
import secrets
import time
from collections.abc import Callable, Mapping
from datetime import datetime
from hmac import compare_digest
from types import MappingProxyType

from service.application.caller import InvalidCredential
from service.application.ports import ApiKey, Apps, Clock, StoreUnavailable

PREFIX = "pocha_"
FRESH_SECONDS = 5.0
"""How old what is known of the keys may be: so long a revoked one may still be good at another process."""
LEAST_SECONDS = 0.5
"""How often the keys are read at most, however many callers show unknown ones."""

_FORM = re.compile(r"pocha_([0-9a-f]{16})_[0-9a-f]{64}")
_NO_KEYS: Mapping[str, ApiKey] = MappingProxyType({})


def new_key(app: str, now: datetime) -> tuple[str, ApiKey]:
    """Return a new key (256 bits of chance), and what is to be kept of it."""
    key_id = secrets.token_hex(8)
    written = f"{PREFIX}{key_id}_{secrets.token_hex(32)}"
    return written, ApiKey(key_id, app, _digest(written), now)


def _digest(written: str) -> bytes:
    # A fast hash will do: nobody guesses 256 bits.
    return hashlib.sha256(written.encode()).digest()


class ApiKeyCache:
    """The keys that are good now, as far as known: all of them are read at once, and seldom, so that wrong ones cost nothing."""

    def __init__(
        self,
        apps: Apps,
        clock: Clock,
        fresh_seconds: float = FRESH_SECONDS,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        """Know nothing yet; later nothing that is older than `fresh_seconds`. `now` counts seconds."""
        self._now = now
        self._apps = apps
        self._clock = clock
        self._fresh_seconds = fresh_seconds
        self._keys = _NO_KEYS
        self._read_at = -math.inf
        self._reading: asyncio.Task[StoreUnavailable | None] | None = None

    async def key(self, written: str) -> ApiKey:
        """Return the key that was shown.

        Raises:
            InvalidCredential: it is none, or not good any more.
            StoreUnavailable: the keys cannot be read now.
        """
        form = _FORM.fullmatch(written)
        if form is None:
            raise InvalidCredential
        key = await self._good(form[1])
        if key is None or not compare_digest(key.digest, _digest(written)):
            raise InvalidCredential
        return key

    async def require_good(self, key_id: str) -> None:
        """Return when the key of that id is good.

        Raises:
            InvalidCredential, StoreUnavailable: as for `key`.
        """
        if await self._good(key_id) is None:
            raise InvalidCredential

    async def _good(self, key_id: str) -> ApiKey | None:
        limit = self._fresh_seconds if key_id in self._keys else min(LEAST_SECONDS, self._fresh_seconds)
        if self._now() - self._read_at >= limit:
            await self._refresh()
        key = self._keys.get(key_id)
        is_good = key is not None and (key.expires_at is None or key.expires_at > self._clock.now())
        return key if is_good else None

    async def _refresh(self) -> None:
        """Read the keys; whoever comes meanwhile waits for the same answer."""
        if self._reading is None:
            self._reading = asyncio.create_task(self._read())
        failure = await asyncio.shield(self._reading)
        if failure is not None:
            raise StoreUnavailable(str(failure))

    async def _read(self) -> StoreUnavailable | None:
        began = self._now()
        try:
            self._keys = {key.key_id: key for key in await self._apps.keys(self._clock.now())}
            self._read_at = began
        except StoreUnavailable as error:
            return error
        else:
            return None
        finally:
            self._reading = None
