"""The public keys of an external issuer: a JSON Web Key Set (RFC 7517), in a file or at a URL."""

import asyncio
import logging
import math
import time
import urllib.request
from collections.abc import Callable, Mapping
from http.client import HTTPException
from pathlib import Path
from types import MappingProxyType
from typing import Any
from urllib.error import HTTPError

import jwt
import msgspec

ALGORITHMS = ("RS256", "ES256", "EdDSA")
"""The accepted signatures. All are asymmetric: a key that verifies tokens cannot sign them."""
MIN_SECONDS = 30.0
"""The minimum time between two reads of the set, whatever tokens are sent."""
STALE_SECONDS = 600.0
"""The age from which the set is read again when it is used, and so the time for which a withdrawn key may still work."""

_FETCH_SECONDS = 5.0
_READ_SECONDS = 10.0
"""The limit of a whole read. `_FETCH_SECONDS` limits one step, and a slow response has many."""
_MAX_BYTES = 256 * 1024
_MIN_RSA_BITS = 2048
_NO_KEYS: Mapping[str, jwt.PyJWK] = MappingProxyType({})
_LOGGER = logging.getLogger(__name__)


class NoKeySet(OSError):
    """No key set can be read; the message says why."""


class _KeySet(msgspec.Struct, frozen=True):
    keys: list[dict[str, Any]]


class KeySet:
    """The keys at `source`, a path or a URL. They are read in a thread when needed, and again for a token of an unknown key.

    Where the set cannot be read, the last one stays in use.
    """

    def __init__(self, source: str, now: Callable[[], float] = time.monotonic) -> None:
        """Start empty. `now` returns seconds."""
        self._source = source
        self._now = now
        self._keys = _NO_KEYS
        self._tried_at = self._read_at = -math.inf
        self._reading: asyncio.Task[None] | None = None

    async def key(self, key_id: str) -> jwt.PyJWK | None:
        """Return the key of an id, or None. Waits for a read of the set where the id is unknown."""
        is_known = key_id in self._keys
        if not is_known or self._now() - self._read_at >= STALE_SECONDS:
            self._start_reading()
        if not is_known and self._reading is not None:
            await asyncio.shield(self._reading)
        return self._keys.get(key_id)

    def _start_reading(self) -> None:
        if self._reading is None and self._now() - self._tried_at >= MIN_SECONDS:
            self._tried_at = self._now()
            self._reading = asyncio.create_task(self._read())

    async def _read(self) -> None:
        try:
            async with asyncio.timeout(_READ_SECONDS):
                self._keys = await asyncio.to_thread(read, self._source)
            self._read_at = self._now()
        except OSError as error:  # includes `NoKeySet` and `TimeoutError`
            _LOGGER.warning("cannot read the issuer's key set: %s", str(error) or f"timeout after {_READ_SECONDS:g} s")
        finally:
            self._reading = None


def is_address(source: str) -> bool:
    """Return whether `source` is a URL, and not a file."""
    return source.startswith(("https://", "http://"))


def read(source: str) -> Mapping[str, jwt.PyJWK]:
    """Return the usable keys at `source` by their ids. Blocks.

    Raises:
        NoKeySet: there is no set, or none of its keys is usable.
    """
    try:
        written = _fetch(source) if is_address(source) else Path(source).read_bytes()
        found = msgspec.json.decode(written, type=_KeySet).keys
    except (OSError, HTTPException, ValueError, RecursionError) as error:
        # A URL may hold a password, and is left out.
        raise NoKeySet(str(error) or type(error).__name__) from None
    keys = {key.key_id: key for key in map(_usable, found) if key is not None and key.key_id}
    if not keys:
        raise NoKeySet(f"the set has no key with a kid for {', '.join(ALGORITHMS)}")
    return keys


def _usable(written: dict[str, Any]) -> jwt.PyJWK | None:
    """Return a key; None where it is for another use, or too weak."""
    if written.get("use", "sig") != "sig":
        return None
    try:
        key = jwt.PyJWK(written)
    except (jwt.PyJWTError, ValueError, TypeError):
        return None
    # Only RSA keys have a size.
    is_weak = getattr(key.key, "key_size", _MIN_RSA_BITS) < _MIN_RSA_BITS and key.algorithm_name == "RS256"
    return key if key.algorithm_name in ALGORITHMS and not is_weak else None


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """Redirects are not followed: their target would choose the keys."""

    def redirect_request(self, req: Any, fp: Any, code: Any, msg: Any, headers: Any, newurl: Any) -> None:
        """Refuse."""


def _fetch(address: str) -> bytes:
    opener = urllib.request.build_opener(_NoRedirects())
    try:
        with opener.open(address, timeout=_FETCH_SECONDS) as answer:
            return answer.read(_MAX_BYTES)
    except HTTPError as error:
        error.close()  # the error is the open response too
        raise
