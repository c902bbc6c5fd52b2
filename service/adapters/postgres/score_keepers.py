"""Score sheets in Postgres."""

from collections.abc import Sequence
from uuid import UUID

import msgspec

from domain.pocha.keeping.entries import Entry
from domain.pocha.rules.ruleset import Ruleset
from service.adapters.postgres.codec import FORMAT, Unreadable
from service.adapters.postgres.connection import Row
from service.adapters.postgres.pool import Pool
from service.adapters.postgres.queries import AFTER_ALL
from service.application.ports import (
    AlreadyDone,
    Appended,
    CommandReused,
    NewEntry,
    Outcome,
    ScoreKeeper,
    VersionConflict,
    WrittenEntry,
)

_COLUMNS = """
    score_keeper_id, tenant, command_id, request_fp, created_at, changed_at, ruleset, names, first_dealer, members
"""

_CREATE = (
    f"INSERT INTO score_keeper ({_COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT DO NOTHING"  # noqa: S608 - constants
)
CREATED = f"SELECT {_COLUMNS} FROM score_keeper WHERE command_id = $1"  # noqa: S608 - constants
READ = f"SELECT {_COLUMNS} FROM score_keeper WHERE score_keeper_id = $1"  # noqa: S608 - constants

ENTRIES = """
    SELECT version, command_id, request_fp, player_id, recorded_at, format, payload
    FROM score_keeper_entry WHERE score_keeper_id = $1 ORDER BY version
"""

# The lock on the sheet puts its writers in a row, so that each sees what the one before has written.
APPEND = """
    WITH sheet AS MATERIALIZED (
        UPDATE score_keeper SET changed_at = $6 WHERE score_keeper_id = $1 RETURNING score_keeper_id
    )
    INSERT INTO score_keeper_entry (score_keeper_id, version, command_id, request_fp, player_id, recorded_at, format, payload)
    SELECT score_keeper_id, $2, $3, $4, $5, $6, $7, $8 FROM sheet
    ON CONFLICT DO NOTHING RETURNING version
"""
DONE = "SELECT version, request_fp FROM score_keeper_entry WHERE score_keeper_id = $1 AND command_id = $2"
HEAD = """
    SELECT coalesce((
        SELECT version FROM score_keeper_entry WHERE score_keeper_id = $1 ORDER BY version DESC LIMIT 1), 1) AS head
    FROM score_keeper WHERE score_keeper_id = $1
"""

_ADMIT = """
    UPDATE score_keeper SET members = members || $2::text WHERE score_keeper_id = $1 AND NOT members @> ARRAY[$2::text]
"""

# As `queries.SEATED`: sorted and parted by tenant apart from the search.
LISTED = f"""
    WITH own AS MATERIALIZED (SELECT {_COLUMNS} FROM score_keeper WHERE members @> ARRAY[$2::text])
    SELECT * FROM own WHERE tenant = $1 AND score_keeper_id < $3 ORDER BY score_keeper_id DESC LIMIT $4
"""  # noqa: S608 - constants

_DELETE = """
    WITH sheet AS (DELETE FROM score_keeper WHERE score_keeper_id = $1)
    DELETE FROM score_keeper_entry WHERE score_keeper_id = $1
"""

# Who has made a sheet is its first member.
FORGET = """
    WITH own AS MATERIALIZED (
        SELECT score_keeper_id, members[1] = $1 AS is_maker FROM score_keeper WHERE members @> ARRAY[$1::text]
    ), entries AS (
        DELETE FROM score_keeper_entry
        WHERE score_keeper_id = ANY (ARRAY(SELECT score_keeper_id FROM own WHERE is_maker))
    ), left_sheets AS (
        UPDATE score_keeper SET members = array_remove(members, $1)
        WHERE score_keeper_id = ANY (ARRAY(SELECT score_keeper_id FROM own WHERE NOT is_maker))
    )
    DELETE FROM score_keeper WHERE score_keeper_id = ANY (ARRAY(SELECT score_keeper_id FROM own WHERE is_maker))
"""

_encode = msgspec.json.Encoder().encode
_decode_entry = msgspec.json.Decoder(Entry).decode
_decode_ruleset = msgspec.json.Decoder(Ruleset).decode


class PostgresScoreKeepers:
    """Adapter of `service.application.ports.ScoreKeepers`. Every statement may run twice (`Pool.fetch`)."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def create(self, keeper: ScoreKeeper) -> ScoreKeeper:
        """See `ScoreKeepers.create`."""
        await self._pool.fetch(
            _CREATE,
            keeper.score_keeper_id,
            keeper.tenant,
            keeper.command_id,
            keeper.fingerprint,
            keeper.created_at,
            keeper.changed_at,
            _encode(keeper.ruleset),
            keeper.names,
            keeper.first_dealer,
            keeper.members,
        )
        [row] = await self._pool.fetch(CREATED, keeper.command_id)
        return _keeper(row)

    async def read(self, score_keeper_id: UUID) -> tuple[ScoreKeeper, Sequence[WrittenEntry]] | None:
        """See `ScoreKeepers.read`."""
        for row in await self._pool.fetch(READ, score_keeper_id):
            return _keeper(row), [_entry(each) for each in await self._pool.fetch(ENTRIES, score_keeper_id)]
        return None

    async def append(self, entry: NewEntry) -> Outcome:
        """See `ScoreKeepers.append`. Only a version that was read is expected, so versions have no gaps."""
        written = await self._pool.fetch(
            APPEND,
            entry.score_keeper_id,
            entry.expected + 1,
            entry.command_id,
            entry.fingerprint,
            entry.player_id,
            entry.recorded_at,
            FORMAT,
            _encode(entry.entry),
        )
        if written:
            return Appended(entry.expected + 1)
        for done in await self._pool.fetch(DONE, entry.score_keeper_id, entry.command_id):
            same = done["request_fp"] == entry.fingerprint
            return AlreadyDone(done["version"]) if same else CommandReused(done["version"])
        heads = await self._pool.fetch(HEAD, entry.score_keeper_id)
        return VersionConflict(heads[0]["head"] if heads else 0)

    async def admit(self, score_keeper_id: UUID, player_id: str) -> None:
        """See `ScoreKeepers.admit`."""
        await self._pool.fetch(_ADMIT, score_keeper_id, player_id)

    async def listed(self, tenant: str, player_id: str, before: UUID | None, limit: int) -> Sequence[ScoreKeeper]:
        """See `ScoreKeepers.listed`."""
        return [_keeper(row) for row in await self._pool.fetch(LISTED, tenant, player_id, before or AFTER_ALL, limit)]

    async def delete(self, score_keeper_id: UUID) -> None:
        """See `ScoreKeepers.delete`."""
        await self._pool.fetch(_DELETE, score_keeper_id)

    async def forget(self, player_id: str) -> None:
        """See `ScoreKeepers.forget`."""
        await self._pool.fetch(FORGET, player_id)


def _keeper(row: Row) -> ScoreKeeper:
    return ScoreKeeper(
        score_keeper_id=row["score_keeper_id"],
        tenant=row["tenant"],
        command_id=row["command_id"],
        fingerprint=row["request_fp"],
        created_at=row["created_at"],
        changed_at=row["changed_at"],
        ruleset=_decode_ruleset(row["ruleset"]),
        names=tuple(row["names"]),
        first_dealer=row["first_dealer"],
        members=tuple(row["members"]),
    )


def _entry(row: Row) -> WrittenEntry:
    if row["format"] != FORMAT:
        raise Unreadable(f"an entry in format {row['format']}; this version of the service reads only format {FORMAT}")
    return WrittenEntry(
        row["version"],
        row["command_id"],
        row["request_fp"],
        row["player_id"],
        row["recorded_at"],
        _decode_entry(row["payload"]),
    )
