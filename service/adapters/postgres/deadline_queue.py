"""The statements of the deadline queue.

They run on connections of their own, because each waits for the disk: they delay neither moves nor reads. Each may run twice when a
connection is lost (`Pool.fetch`); the functions say why that does no harm.
"""

from collections.abc import Sequence
from datetime import datetime

from service.adapters.postgres.schema_mismatch import Asked
from service.application.ports import OverdueGame

# A batch of commits locks rows of games in the order of their ids, and may wait. This takes them in the order of their deadlines, so it
# must not wait for any: it skips locked rows, and then holds every lock that it needs. The ids go through an array because that is one
# index probe an id under every plan, whatever number of overdue games the planner guesses.
CLAIM = """
    WITH due AS MATERIALIZED (
        SELECT game_id, deadline FROM game WHERE deadline <= $1 ORDER BY deadline LIMIT $3 FOR UPDATE SKIP LOCKED
    ), claimed AS (
        UPDATE game SET deadline = $2 WHERE game_id = ANY (ARRAY(SELECT game_id FROM due)) RETURNING game_id, version
    )
    SELECT claimed.game_id, claimed.version FROM claimed JOIN due ON due.game_id = claimed.game_id ORDER BY due.deadline
"""

OVERDUE = "SELECT deadline FROM game WHERE deadline <= $1 ORDER BY deadline LIMIT $2"

_RESCHEDULE = "UPDATE game SET deadline = $3 WHERE game_id = $1 AND version = $2"


async def claim(database: Asked, now: datetime, until: datetime, limit: int) -> Sequence[OverdueGame]:
    """Claim at most `limit` games whose deadline is `now` or earlier, earliest first, until `until`.

    A second run claims other games; the first ones are overdue again at `until`, as if their claimer had died.
    """
    return [OverdueGame(row["game_id"], row["version"]) for row in await database.fetch(CLAIM, now, until, limit)]


async def overdue(database: Asked, now: datetime, limit: int) -> Sequence[datetime]:
    """Return the deadlines of at most `limit` games that could be claimed at `now`, earliest first."""
    return [row["deadline"] for row in await database.fetch(OVERDUE, now, limit)]


async def reschedule(database: Asked, game: OverdueGame, deadline: datetime | None) -> None:
    """Set the deadline of a game whose listing is still the claimed one.

    A second run may undo the deadline that a later claimer has set for the same listing: the game is checked once more than needed.
    """
    await database.fetch(_RESCHEDULE, game.game_id, game.listed_version, deadline)
