"""Which of several databases a game is in, and how a database knows its place among them.

The place follows from the game's id alone, so nothing has to be looked up, and it is the same for ever: the number of databases is chosen
once. It need not be the number of servers. Who expects to grow begins with more databases than servers, and moves whole databases later.
"""

from collections.abc import Sequence
from uuid import UUID

from service.adapters.postgres import migrate as schema
from service.adapters.postgres.connection import Connection, connect
from service.adapters.postgres.migrate import SchemaMismatch

_RANDOM_BITS = (1 << 62) - 1

SHARD_OF = """
    mod(('x' || right(replace({id}::text, '-', ''), 16))::bit(64)::bigint & 4611686018427387903, {databases})
"""
"""`shard_of` as an expression of Postgres, for who looks for a game by hand, or splits a database in two."""

_TAKE = "INSERT INTO shard (place, databases) SELECT $1, $2 WHERE $2 = 1 OR NOT EXISTS (SELECT FROM game) ON CONFLICT DO NOTHING"


def shard_of(id_: UUID, databases: int) -> int:
    """Return the place, from 0, of the database that has the game (or the reservation's key) `id_`: its last 62 bits, modulo `databases`.

    Of ids of version 4, 7 and 8 (RFC 9562) these bits are random, or a hash: games spread evenly, whenever they are made.
    """
    return (id_.int & _RANDOM_BITS) % databases


async def migrate(dsns: Sequence[str]) -> list[str]:
    """Bring the schemas of all databases up to date and tell each its place; return in words what was applied.

    Raises:
        SchemaMismatch: see `service.adapters.postgres.migrate.migrate` and `take_places`.
        StoreUnavailable: a database cannot be reached.
    """
    applied: list[str] = []
    for place, dsn in enumerate(dsns):
        where = f" to {_said(place, len(dsns))}" if len(dsns) > 1 else ""
        applied += [f"{name}{where}" for name in await schema.migrate(dsn)]
    await take_places(dsns)
    return applied


async def check(dsns: Sequence[str]) -> None:
    """Return when all databases have the schema that this version works with, and are in their places.

    Raises:
        SchemaMismatch: one has not, or is not.
        StoreUnavailable: a database cannot be reached.
    """
    for dsn in dsns:
        await schema.check(dsn)
    await check_places(dsns)


async def take_places(dsns: Sequence[str]) -> None:
    """Tell each database its place among all of them, unless it knows one.

    Raises:
        SchemaMismatch: a database knows another place, or has games of a time when it was alone.
        StoreUnavailable: a database cannot be reached.
    """
    for place, dsn in enumerate(dsns):
        connection = await connect(dsn)
        try:
            await connection.execute(_TAKE, place, len(dsns))
            await _check(connection, place, len(dsns))
        finally:
            await connection.close()


async def check_places(dsns: Sequence[str]) -> None:
    """Return when each database is in its place.

    Raises:
        SchemaMismatch: one is not.
        StoreUnavailable: a database cannot be reached.
    """
    for place, dsn in enumerate(dsns):
        connection = await connect(dsn)
        try:
            await _check(connection, place, len(dsns))
        finally:
            await connection.close()


async def _check(connection: Connection, place: int, databases: int) -> None:
    rows = await connection.fetch("SELECT place, databases FROM shard")
    known = [(row["place"], row["databases"]) for row in rows]
    if known == [(place, databases)] or (databases == 1 and not known):
        return
    asked = _said(place, databases)
    if known:
        raise SchemaMismatch(
            f"POCHA_DATABASE_URL has {asked} where {_said(*known[0])} belongs; its games would not be found."
            " The addresses, their number and their order must stay (docs/scaling.md)"
        )
    raise SchemaMismatch(f"{asked} has no place yet, or games of a time when it was alone; see docs/scaling.md")


def _said(place: int, databases: int) -> str:
    return f"database {place + 1} of {databases}"
