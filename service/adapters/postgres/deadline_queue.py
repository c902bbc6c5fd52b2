"""The small writes beside the log itself: games that are overdue, and ids that are reserved.

They take no part in group commit, and each waits for the disk: on connections of their own they hold up neither moves nor reading.
Each may run twice when a connection is lost on the way (`Pool.fetch`), and says below why that harms nobody.
"""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from service.adapters.postgres.pool import Pool
from service.application.ports import Overdue

# A batch of commits locks rows of games in the order of their ids, and may wait. This takes them in the order of their deadlines, so it
# must not wait for any: it skips those that are locked, and then holds every lock that it needs. The ids go through an array because
# that is one index probe an id under every plan, whatever number of overdue games the planner guesses at.
CLAIM_OVERDUE = """
    WITH due AS MATERIALIZED (
        SELECT game_id, deadline FROM game WHERE deadline <= $1 ORDER BY deadline LIMIT $3 FOR UPDATE SKIP LOCKED
    ), claimed AS (
        UPDATE game SET deadline = $2 WHERE game_id = ANY (ARRAY(SELECT game_id FROM due)) RETURNING game_id, version
    )
    SELECT claimed.game_id, claimed.version FROM claimed JOIN due ON due.game_id = claimed.game_id ORDER BY due.deadline
"""

OVERDUE_SINCE = "SELECT deadline FROM game WHERE deadline <= $1 ORDER BY deadline LIMIT $2"

_PUT_OFF = "UPDATE game SET deadline = $3 WHERE game_id = $1 AND version = $2"

_RESERVE = "INSERT INTO reservation (key, game_id) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING game_id"
_RESERVED = "SELECT game_id FROM reservation WHERE key = $1"


async def claim_overdue(pool: Pool, now: datetime, until: datetime, limit: int) -> Sequence[Overdue]:
    """Return at most `limit` games whose deadline is `now` or earlier, the earliest first, and put them off to `until`.

    Run twice, it claims other games the second time, and the first ones are overdue again at `until`, as if their claimer had died.
    """
    return [Overdue(row["game_id"], row["version"]) for row in await pool.fetch(CLAIM_OVERDUE, now, until, limit)]


async def overdue_since(pool: Pool, now: datetime, limit: int) -> Sequence[datetime]:
    """Return the deadlines of at most `limit` games that could be claimed at `now`, the earliest first."""
    return [row["deadline"] for row in await pool.fetch(OVERDUE_SINCE, now, limit)]


async def put_off(pool: Pool, overdue: Overdue, deadline: datetime | None) -> None:
    """Set the deadline of a game whose listing is still the one that was claimed.

    Run twice, it may undo what a later claimer has set under the same listing: the game is looked at once more than needed.
    """
    await pool.fetch(_PUT_OFF, overdue.game_id, overdue.listed_version, deadline)


async def reserve(pool: Pool, key: UUID, game_id: UUID) -> UUID:
    """Keep `game_id` under `key` unless one is kept there; return the one that is kept.

    Run twice, it finds what it wrote itself. The second statement is not part of the first, which would not see what others commit
    while it waits for them.
    """
    rows = await pool.fetch(_RESERVE, key, game_id) or await pool.fetch(_RESERVED, key)
    return rows[0]["game_id"]
