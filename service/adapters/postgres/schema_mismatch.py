"""The error for a schema that does not fit this version."""

from collections.abc import Sequence
from typing import Protocol

from service.adapters.postgres.connection import Row


class SchemaMismatch(Exception):
    """The database's schema is not the one that this version of the service works with; the message says what to do."""


class Asked(Protocol):
    """A database that runs statements: a connection or a pool."""

    async def fetch(self, query: str, *args: object) -> Sequence[Row]:
        """Run one statement and return its rows."""
        ...
