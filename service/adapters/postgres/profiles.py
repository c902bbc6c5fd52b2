"""The statements of players' profiles."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from uuid import UUID

from service.adapters.postgres.connection import Row
from service.adapters.postgres.schema_mismatch import Asked
from service.application.ports import Profile

_COLUMNS = "player_id, tenant, display_name, is_chosen, named_at"
_ALL = f"{_COLUMNS}, deleted_at"

PROFILES = f"SELECT {_ALL} FROM player WHERE player_id = ANY ($1::uuid[])"  # noqa: S608 - constants
KEEP = f"""
    INSERT INTO player ({_COLUMNS}) VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT (player_id) DO UPDATE SET
        tenant = excluded.tenant, display_name = excluded.display_name, is_chosen = excluded.is_chosen, named_at = excluded.named_at,
        changed_at = now()
    WHERE player.deleted_at IS NULL AND (excluded.is_chosen OR NOT player.is_chosen)
        AND (player.tenant, player.display_name, player.is_chosen)
            IS DISTINCT FROM (excluded.tenant, excluded.display_name, excluded.is_chosen)
"""  # noqa: S608 - constants

# A transaction that began before may commit after the ones that were seen.
CHANGED = f"SELECT {_ALL} FROM player WHERE changed_at > $1::timestamptz - interval '1 minute'"  # noqa: S608 - constants
_NOW = "SELECT now() AS now"

DELETE = """
    INSERT INTO player AS kept (player_id, tenant, display_name, is_chosen, named_at, changed_at, deleted_at, erase_at)
    VALUES ($1, $2, NULL, false, $3, now(), $3, $4)
    ON CONFLICT (player_id) DO UPDATE SET
        tenant = coalesce(kept.tenant, excluded.tenant), display_name = NULL, is_chosen = false,
        named_at = least(kept.deleted_at, excluded.named_at), changed_at = now(),
        deleted_at = least(kept.deleted_at, excluded.deleted_at), erase_at = excluded.erase_at
"""
DELETED = "SELECT player_id, deleted_at FROM player WHERE deleted_at IS NOT NULL"
CLAIM_ERASURES = f"""
    WITH due AS MATERIALIZED (
        SELECT player_id FROM player WHERE erase_at <= $1 ORDER BY erase_at LIMIT $3 FOR UPDATE SKIP LOCKED
    )
    UPDATE player SET erase_at = $2 WHERE player_id = ANY (ARRAY(SELECT player_id FROM due)) RETURNING {_ALL}
"""  # noqa: S608 - constants
_PUT_OFF = "UPDATE player SET erase_at = $2 WHERE player_id = $1 AND deleted_at IS NOT NULL"


async def profiles(readers: Asked, player_ids: Sequence[str]) -> Sequence[Profile]:
    """Return the profiles of these players, without missing ones."""
    return [_profile(row) for row in await readers.fetch(PROFILES, [UUID(player_id) for player_id in player_ids])]


async def keep(writers: Asked, profile: Profile) -> Profile:
    """Keep the profile, and return the player's profile after that."""
    player_id = UUID(profile.player_id)
    await writers.fetch(KEEP, player_id, profile.tenant, profile.display_name, profile.is_chosen, profile.named_at)
    [row] = await writers.fetch(PROFILES, [player_id])
    return _profile(row)


async def changed(readers: Asked, after: datetime | None) -> tuple[Sequence[Profile], datetime]:
    """Return the profiles that were replaced since about `after`, and the time for the next call."""
    [row] = await readers.fetch(_NOW)
    if after is None:
        return (), row["now"]
    return [_profile(each) for each in await readers.fetch(CHANGED, after)], row["now"]


async def delete(writers: Asked, player_id: str, tenant: str, now: datetime, erase_at: datetime) -> Profile:
    """Delete the name, keep that the player is deleted, and return that."""
    await writers.fetch(DELETE, UUID(player_id), tenant, now, erase_at)
    [row] = await writers.fetch(PROFILES, [UUID(player_id)])
    return _profile(row)


async def deleted(readers: Asked) -> Mapping[str, datetime]:
    """Return when each of the deleted players was deleted."""
    return {str(row["player_id"]): row["deleted_at"] for row in await readers.fetch(DELETED)}


async def claim_erasures(writers: Asked, now: datetime, until: datetime, limit: int) -> Sequence[Profile]:
    """Claim deleted players of whom something may be left elsewhere."""
    return [_profile(row) for row in await writers.fetch(CLAIM_ERASURES, now, until, limit)]


async def put_erasure_off(writers: Asked, player_id: str, erase_at: datetime | None) -> None:
    """Let a deleted player be due at `erase_at`."""
    await writers.fetch(_PUT_OFF, UUID(player_id), erase_at)


def _profile(row: Row) -> Profile:
    return Profile(
        player_id=str(row["player_id"]),
        tenant=row["tenant"] or "",
        display_name=row["display_name"] or "",
        is_chosen=row["is_chosen"],
        named_at=row["named_at"],
        deleted_at=row["deleted_at"],
    )
