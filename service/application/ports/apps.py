"""Registered apps and their API keys."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

import msgspec


class ApiKey(msgspec.Struct, frozen=True):
    """An API key as it is stored: never the key itself.

    `key_id` is its public part, `digest` the SHA-256 of the whole key. It is valid until `expires_at` (None: until it is replaced or
    revoked). Times are UTC.
    """

    key_id: str
    app: str
    digest: bytes
    created_at: datetime
    expires_at: datetime | None = None


class App(msgspec.Struct, frozen=True):
    """An app and its keys, newest first, expired ones included."""

    name: str
    created_at: datetime
    keys: tuple[ApiKey, ...]


class Apps(Protocol):
    """The apps and their keys. Every method may raise `StoreUnavailable`."""

    async def create(self, key: ApiKey) -> bool:
        """Create the app `key.app` with that key; return false, and change nothing, if the app exists."""
        ...

    async def rotate(self, key: ApiKey, until: datetime) -> bool:
        """Add a key to its app; the app's other keys expire at `until` at the latest. Return false if there is no such app."""
        ...

    async def revoke(self, app: str, now: datetime) -> bool:
        """Let all keys of an app expire at `now`; return false if there is no such app."""
        ...

    async def keys(self, now: datetime) -> Sequence[ApiKey]:
        """Return the keys of all apps that are valid after `now`."""
        ...

    async def listed(self) -> Sequence[App]:
        """Return all apps, by name."""
        ...

    async def close(self) -> None:
        """Close every connection. Further calls raise `StoreUnavailable`."""
        ...
