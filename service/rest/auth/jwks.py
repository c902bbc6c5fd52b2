"""The public keys of a trusted issuer of tokens: a JSON Web Key Set (RFC 7517), in a file or at an address."""

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
"""How tokens may be signed. All of them have a public key, so that who can check a token cannot make one."""
LEAST_SECONDS = 30.0
"""How often the set is read at most, whatever tokens are shown."""
STALE_SECONDS = 600.0
"""From which age on the set is read again when it is used: so long a key that the issuer took back may still be good."""

_FETCH_SECONDS = 5.0
_READ_SECONDS = 10.0
"""An answer that comes byte by byte would never be late by `_FETCH_SECONDS`, which is the time of one step."""
_MOST_BYTES = 256 * 1024
_LEAST_RSA_BITS = 2048
_NO_KEYS: Mapping[str, jwt.PyJWK] = MappingProxyType({})
_LOGGER = logging.getLogger(__name__)


class NoKeySet(OSError):
    """There is no set of keys to be had there; the message says why."""


class _KeySet(msgspec.Struct, frozen=True):
    keys: list[dict[str, Any]]


class KeySet:
    """The keys at `source`, a path or an address; read in a thread when they are needed, and again when a token names an unknown one.

    A set that cannot be read leaves the last one in force.
    """

    def __init__(self, source: str, now: Callable[[], float] = time.monotonic) -> None:
        """Read nothing yet. `now` counts seconds."""
        self._source = source
        self._now = now
        self._keys = _NO_KEYS
        self._tried_at = self._read_at = -math.inf
        self._reading: asyncio.Task[None] | None = None

    async def key(self, key_id: str) -> jwt.PyJWK | None:
        """Return the key of that id, if there is one; waits for the set to be read where that may help."""
        is_known = key_id in self._keys
        if not is_known or self._now() - self._read_at >= STALE_SECONDS:
            self._begin_to_read()
        if not is_known and self._reading is not None:
            await asyncio.shield(self._reading)
        return self._keys.get(key_id)

    def _begin_to_read(self) -> None:
        if self._reading is None and self._now() - self._tried_at >= LEAST_SECONDS:
            self._tried_at = self._now()
            self._reading = asyncio.create_task(self._read())

    async def _read(self) -> None:
        try:
            async with asyncio.timeout(_READ_SECONDS):
                self._keys = await asyncio.to_thread(read, self._source)
            self._read_at = self._now()
        except OSError as error:  # `NoKeySet` and `TimeoutError` are some
            _LOGGER.warning("the issuer's keys cannot be read: %s", str(error) or f"not within {_READ_SECONDS:g} s")
        finally:
            self._reading = None


def is_address(source: str) -> bool:
    """Tell whether `source` is the address of a set, and no file."""
    return source.startswith(("https://", "http://"))


def read(source: str) -> Mapping[str, jwt.PyJWK]:
    """Return the keys at `source` that tokens may be signed with, by their ids. It blocks.

    Raises:
        NoKeySet: there is no set, or none of its keys will do.
    """
    try:
        written = _fetch(source) if is_address(source) else Path(source).read_bytes()
        found = msgspec.json.decode(written, type=_KeySet).keys
    except (OSError, HTTPException, ValueError, RecursionError) as error:
        # An address may hold a password, and is not told.
        raise NoKeySet(str(error) or type(error).__name__) from None
    keys = {key.key_id: key for key in map(_usable, found) if key is not None and key.key_id}
    if not keys:
        raise NoKeySet(f"the set has no key with a kid for {', '.join(ALGORITHMS)}")
    return keys


def _usable(written: dict[str, Any]) -> jwt.PyJWK | None:
    """Return a key; none where it is for something else, or too weak."""
    if written.get("use", "sig") != "sig":
        return None
    try:
        key = jwt.PyJWK(written)
    except (jwt.PyJWTError, ValueError, TypeError):
        return None
    # Keys of other kinds have no size, and need none.
    is_weak = getattr(key.key, "key_size", _LEAST_RSA_BITS) < _LEAST_RSA_BITS and key.algorithm_name == "RS256"
    return key if key.algorithm_name in ALGORITHMS and not is_weak else None


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """Whoever may choose where a request goes may choose the keys."""

    def redirect_request(self, req: Any, fp: Any, code: Any, msg: Any, headers: Any, newurl: Any) -> None:
        """Follow nowhere."""


def _fetch(address: str) -> bytes:
    opener = urllib.request.build_opener(_NoRedirects())
    try:
        with opener.open(address, timeout=_FETCH_SECONDS) as answer:
            return answer.read(_MOST_BYTES)
    except HTTPError as error:
        error.close()  # it is the answer as well
        raise
