"""The two statements of group commit: write many games' commits at once, and find out why some were not written."""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from uuid import UUID

from service.adapters.postgres import codec
from service.adapters.postgres.buckets import InBucket
from service.adapters.postgres.connection import Row
from service.adapters.postgres.schema_mismatch import Asked
from service.application.ports import AlreadyDone, Appended, CommandReused, Listing, NewCommit, Outcome, VersionConflict


@dataclass(slots=True, eq=False)
class QueuedCommit:
    """A commit on its way: its caller waits for `outcome`. `losses` counts the connections lost while it was being written."""

    commit: NewCommit
    payload: bytes
    outcome: asyncio.Future[Outcome]
    losses: int = 0

    def answer(self, outcome: Outcome) -> None:
        """Give the caller the outcome, unless it went away."""
        if not self.outcome.done():
            self.outcome.set_result(outcome)

    def refuse(self, error: Exception) -> None:
        """Give the caller the error, unless it went away."""
        if not self.outcome.done():
            self.outcome.set_exception(error)


# The guard is a scalar sub-select because that is one index probe a row under every plan; rows go in by game, because two batches
# that meet in the same games in opposite orders would deadlock.
_WRITE_COMMITS = """
    INSERT INTO game_commit (game_id, seq, command_id, request_fp, recorded_at, format, payload)
    SELECT new.game_id, new.seq, new.command_id, new.request_fp, new.recorded_at, new.format, new.payload
    FROM unnest($1::uuid[], $2::integer[], $3::uuid[], $4::bytea[], $5::timestamptz[], $6::smallint[], $7::bytea[])
        AS new (game_id, seq, command_id, request_fp, recorded_at, format, payload)
    WHERE new.seq = 1 + coalesce(
        (SELECT head.seq FROM game_commit AS head WHERE head.game_id = new.game_id ORDER BY head.seq DESC LIMIT 1), 0)
    ORDER BY new.game_id
    ON CONFLICT DO NOTHING
    RETURNING game_id
"""

# Between the ids of one row's persons, which cannot hold it: `unnest` would flatten an array of arrays.
_SEPARATOR = "\x1f"

_WRITE_GAMES = f"""
    INSERT INTO game
        (game_id, version, created_at, status, visibility, ruleset_id, players, free_seats, seats, deadline, persons, tenant)
    SELECT new.game_id, new.version, new.created_at, new.status, new.visibility, new.ruleset_id, new.players, new.free_seats,
        new.seats, new.deadline, string_to_array(new.persons, chr({ord(_SEPARATOR)})), new.tenant
    FROM unnest($8::uuid[], $9::integer[], $10::timestamptz[], $11::text[], $12::text[], $13::text[],
            $14::smallint[], $15::smallint[], $16::bytea[], $17::timestamptz[], $18::text[], $19::text[]) AS new
        (game_id, version, created_at, status, visibility, ruleset_id, players, free_seats, seats, deadline, persons, tenant)
    WHERE new.game_id = ANY ({{written}})
    ORDER BY new.game_id
    ON CONFLICT (game_id) DO UPDATE SET
        version = excluded.version, status = excluded.status, visibility = excluded.visibility,
        ruleset_id = excluded.ruleset_id, players = excluded.players, free_seats = excluded.free_seats,
        seats = excluded.seats, deadline = excluded.deadline, persons = excluded.persons, tenant = excluded.tenant
"""  # noqa: S608 - joins constants

_WRITE_COMMITS_AND_GAMES = f"""
    WITH written AS ({_WRITE_COMMITS}),
    outside AS ({_WRITE_GAMES.format(written="ARRAY(SELECT game_id FROM written)")})
    SELECT game_id FROM written
"""  # noqa: S608 - joins constants

_PARAMETERS = """
    uuid[], integer[], uuid[], bytea[], timestamptz[], smallint[], bytea[],
    uuid[], integer[], timestamptz[], text[], text[], text[], smallint[], smallint[], bytea[], timestamptz[], text[], text[]
"""
APPEND_FUNCTION = f"""
    CREATE OR REPLACE FUNCTION {{schema}}.pocha_append({_PARAMETERS}) RETURNS uuid[]
    LANGUAGE plpgsql SET search_path = {{schema}} AS $$
    DECLARE
        written uuid[] := '{{{{}}}}';
        one uuid;
    BEGIN
        FOR one IN {_WRITE_COMMITS} LOOP
            written := written || one;
        END LOOP;
        IF cardinality($8) > 0 THEN
            {_WRITE_GAMES.format(written="written")};
        END IF;
        RETURN written;
    END
    $$
"""
"""`_WRITE_COMMITS_AND_GAMES` as a function of a bucket: on Citus, a call is one message to one server and a local transaction there.

The statement itself would be planned for all servers, and fail while any of them is away.
"""
_CALL = "SELECT unnest({schema}.pocha_append(" + ", ".join(f"${number}" for number in range(1, 20)) + ")) AS game_id"

_CLASSIFY = """
    SELECT done.seq AS done, done.request_fp, done.recorded_at, done.payload, coalesce(
        (SELECT head.seq FROM game_commit AS head WHERE head.game_id = asked.game_id ORDER BY head.seq DESC LIMIT 1), 0) AS head
    FROM unnest($1::uuid[], $2::uuid[]) WITH ORDINALITY AS asked (game_id, command_id, place)
    LEFT JOIN game_commit AS done ON done.game_id = asked.game_id AND done.command_id = asked.command_id
    ORDER BY asked.place
"""


async def write(connection: InBucket, batch: Sequence[QueuedCommit]) -> set[UUID]:
    """Write what fits its game's version, at most one commit a game, in one statement; return the games written."""
    commits = [queued.commit for queued in batch]
    listings = [(commit, commit.listing) for commit in commits if commit.listing is not None]
    columns = _commit_columns(batch, commits)
    if connection.schema:
        rows = await connection.fetch(_CALL.format(schema=connection.schema), *columns, *_game_columns(listings))
    elif listings:
        rows = await connection.fetch(_WRITE_COMMITS_AND_GAMES, *columns, *_game_columns(listings))
    else:
        rows = await connection.fetch(_WRITE_COMMITS, *columns)
    return {row["game_id"] for row in rows}


async def classify(connection: Asked, batch: Sequence[QueuedCommit]) -> list[Outcome | None]:
    """Return the outcome of each commit of `batch` that the log decides already; None for one that can be written."""
    games = [queued.commit.game_id for queued in batch]
    commands = [queued.commit.command_id for queued in batch]
    rows = await connection.fetch(_CLASSIFY, games, commands)
    return [_outcome(queued, row) for queued, row in zip(batch, rows, strict=True)]


def _outcome(queued: QueuedCommit, row: Row) -> Outcome | None:
    commit, done = queued.commit, row["done"]
    if done is None:
        return None if row["head"] == commit.expected else VersionConflict(row["head"])
    if row["request_fp"] != commit.fingerprint:
        return CommandReused(done)
    return Appended(done) if queued.losses and _is_ours(queued, row) else AlreadyDone(done)


def _is_ours(queued: QueuedCommit, row: Row) -> bool:
    """Tell whether the row is this very commit: a copy of the request, decided on elsewhere, may have been written under the same id."""
    return (row["recorded_at"], row["payload"]) == (queued.commit.recorded_at, queued.payload)


def _commit_columns(batch: Sequence[QueuedCommit], commits: Sequence[NewCommit]) -> Iterable[Sequence[object]]:
    yield [commit.game_id for commit in commits]
    yield [commit.expected + 1 for commit in commits]
    yield [commit.command_id for commit in commits]
    yield [commit.fingerprint for commit in commits]
    yield [commit.recorded_at for commit in commits]
    yield [codec.FORMAT] * len(commits)
    yield [queued.payload for queued in batch]


def _game_columns(listings: Sequence[tuple[NewCommit, Listing]]) -> Iterable[Sequence[object]]:
    yield [commit.game_id for commit, _ in listings]
    yield [commit.expected + 1 for commit, _ in listings]
    yield [commit.recorded_at for commit, _ in listings]
    yield [listing.status for _, listing in listings]
    yield [listing.visibility for _, listing in listings]
    yield [listing.ruleset_id for _, listing in listings]
    yield [listing.players for _, listing in listings]
    yield [listing.free_seats for _, listing in listings]
    yield [listing.seats for _, listing in listings]
    yield [listing.deadline for _, listing in listings]
    yield [_SEPARATOR.join(listing.player_ids) for _, listing in listings]
    yield [listing.tenant for _, listing in listings]
