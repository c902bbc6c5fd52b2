"""Buckets: the parts into which the games of a database are divided, each in a Postgres schema of its own.

The bucket of a game follows from its id alone, so nothing has to be looked up, and it never changes: the number of buckets is chosen once
(`service.adapters.postgres.layout`). A database with one bucket keeps its games beside everything else. On Citus each bucket lies wholly on
one server, and Citus moves buckets between servers.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from uuid import UUID

from service.adapters.postgres.connection import Row
from service.adapters.postgres.schema_mismatch import Asked

MOST_BUCKETS = 256
BUCKET_TABLES = ("game_commit", "game", "reservation", "hook_position")
"""The tables that every bucket has its own of."""

_RANDOM_BITS = (1 << 62) - 1
_TABLE = re.compile(rf"\b(FROM|JOIN|INTO|UPDATE) ({'|'.join(BUCKET_TABLES)})\b")

BUCKET_OF = """
    mod(('x' || right(replace({id}::text, '-', ''), 16))::bit(64)::bigint & 4611686018427387903, {buckets})
"""
"""`bucket_of` as an expression of Postgres."""


def bucket_of(id_: UUID, buckets: int) -> int:
    """Return the bucket, from 0, of the game (or the reservation's key) `id_`: its last 62 bits, modulo `buckets`.

    Of ids of version 4, 7 and 8 (RFC 9562) these bits are random, or a hash: games spread evenly, whenever they are made.
    """
    return (id_.int & _RANDOM_BITS) % buckets


def schemas(buckets: int) -> Sequence[str]:
    """Return the schema of each bucket, in order; empty for the only one, whose tables are found by the search path."""
    return [""] if buckets == 1 else [f"pocha_{number}" for number in range(buckets)]


@lru_cache(maxsize=16_384)
def qualified(statement: str, schema: str) -> str:
    """Return `statement` with the tables of buckets named in `schema`."""
    return _TABLE.sub(rf"\1 {schema}.\2", statement) if schema else statement


class InBucket:
    """A connection, or several, whose statements find the tables of one bucket."""

    def __init__(self, database: Asked, schema: str) -> None:
        self._database = database
        self.schema = schema

    async def fetch(self, query: str, *args: object) -> Sequence[Row]:
        """Run one statement and return its rows."""
        return await self._database.fetch(qualified(query, self.schema), *args)
