"""What is asked of a database about its schema, and the answer that does not do."""

from collections.abc import Sequence
from typing import Protocol

from service.adapters.postgres.connection import Row


class SchemaMismatch(Exception):
    """The database's schema is not the one that this version of the service works with; the message says what to do."""


class Asked(Protocol):
    """A database that answers statements: a connection, or several."""

    async def fetch(self, query: str, *args: object) -> Sequence[Row]:
        """Run one statement and return its rows."""
        ...
