"""The statements of reservations."""

from uuid import UUID

from service.adapters.postgres.schema_mismatch import Asked

_RESERVE = "INSERT INTO reservation (key, game_id) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING game_id"
_RESERVED = "SELECT game_id FROM reservation WHERE key = $1"


async def reserve(database: Asked, key: UUID, game_id: UUID) -> UUID:
    """Reserve `game_id` under `key` unless the key has one already; return the reserved id.

    A second run finds what the first one wrote. The query for it is a statement of its own because a single statement would not see
    what others commit while it waits for them.
    """
    rows = await database.fetch(_RESERVE, key, game_id) or await database.fetch(_RESERVED, key)
    return rows[0]["game_id"]


async def reserved(readers: Asked, key: UUID) -> UUID | None:
    """Return the id reserved under the key; None if there is none."""
    for row in await readers.fetch(_RESERVED, key):
        return row["game_id"]
    return None
