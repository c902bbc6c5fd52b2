"""The statements of chosen names."""

from uuid import UUID

from service.adapters.postgres.schema_mismatch import Asked

CHOSEN = "SELECT display_name FROM player WHERE player_id = $1"
CHOOSE = """
    INSERT INTO player (player_id, display_name) VALUES ($1, $2)
    ON CONFLICT (player_id) DO UPDATE SET display_name = excluded.display_name, named_at = excluded.named_at
"""
FORGET = "DELETE FROM player WHERE player_id = $1"


async def chosen_name(readers: Asked, player_id: str) -> str | None:
    """Return the name that the player chose last; None if the player chose none."""
    for row in await readers.fetch(CHOSEN, UUID(player_id)):
        return row["display_name"]
    return None


async def choose_name(writers: Asked, player_id: str, name: str) -> None:
    """Keep `name` as the player's."""
    await writers.fetch(CHOOSE, UUID(player_id), name)


async def forget_name(writers: Asked, player_id: str) -> None:
    """Forget the name that the player chose, if any."""
    await writers.fetch(FORGET, UUID(player_id))
