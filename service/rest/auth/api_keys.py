"""API keys of apps: `pocha_ID_SECRET`."""

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
"""The maximum age of the cached keys, and so the time for which a revoked key may still work in another process."""
MIN_SECONDS = 0.5
"""The minimum time between two reads of the keys, however many unknown ones are sent."""

_FORM = re.compile(r"pocha_([0-9a-f]{16})_[0-9a-f]{64}")
_NO_KEYS: Mapping[str, ApiKey] = MappingProxyType({})


def new_key(app: str, now: datetime) -> tuple[str, ApiKey]:
    """Return a new key (256 random bits), and what is stored of it."""
    key_id = secrets.token_hex(8)
    key = f"{PREFIX}{key_id}_{secrets.token_hex(32)}"
    return key, ApiKey(key_id, app, _digest(key), now)


def _digest(key: str) -> bytes:
    # A fast hash suffices: 256 bits cannot be guessed.
    return hashlib.sha256(key.encode()).digest()


class ApiKeyCache:
    """A cache of the valid keys. All are read at once, and seldom, so that wrong keys cost nothing."""

    def __init__(
        self,
        apps: Apps,
        clock: Clock,
        fresh_seconds: float = FRESH_SECONDS,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        """Start empty, and refresh after `fresh_seconds`. `now` returns seconds."""
        self._now = now
        self._apps = apps
        self._clock = clock
        self._fresh_seconds = fresh_seconds
        self._keys = _NO_KEYS
        self._read_at = -math.inf
        self._reading: asyncio.Task[StoreUnavailable | None] | None = None

    async def verify(self, credential: str) -> ApiKey:
        """Return the key of a credential.

        Raises:
            InvalidCredential: there is no such valid key.
            StoreUnavailable: the keys cannot be read now.
        """
        form = _FORM.fullmatch(credential)
        if form is None:
            raise InvalidCredential
        key = await self._valid_key(form[1])
        if key is None or not compare_digest(key.digest, _digest(credential)):
            raise InvalidCredential
        return key

    async def require_valid(self, key_id: str) -> None:
        """Check that the key of an id is valid.

        Raises:
            InvalidCredential, StoreUnavailable: as `verify`.
        """
        if await self._valid_key(key_id) is None:
            raise InvalidCredential

    async def _valid_key(self, key_id: str) -> ApiKey | None:
        limit = self._fresh_seconds if key_id in self._keys else min(MIN_SECONDS, self._fresh_seconds)
        if self._now() - self._read_at >= limit:
            await self._refresh()
        key = self._keys.get(key_id)
        is_valid = key is not None and (key.expires_at is None or key.expires_at > self._clock.now())
        return key if is_valid else None

    async def _refresh(self) -> None:
        """Read the keys; concurrent requests share one read."""
        if self._reading is None:
            self._reading = asyncio.create_task(self._read())
        failure = await asyncio.shield(self._reading)
        if failure is not None:
            raise StoreUnavailable(str(failure))

    async def _read(self) -> StoreUnavailable | None:
        started = self._now()
        try:
            self._keys = {key.key_id: key for key in await self._apps.keys(self._clock.now())}
            self._read_at = started
        except StoreUnavailable as error:
            return error
        else:
            return None
        finally:
            self._reading = None
