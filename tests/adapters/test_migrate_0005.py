"""Migration 0005 on a database in which the previous version, at migration 0004, has packed a game."""

import json
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, cast
from uuid import UUID

import pytest

from service.adapters.postgres import migrate, unpacking
from service.adapters.postgres.connection import DATABASE_ERRORS, Connection
from service.adapters.postgres.migrate import Migration, SchemaMismatch
from service.adapters.postgres.store import PostgresStore
from service.application.ports import AlreadyDone, Appended, ListingQuery
from tests.adapters.samples import commit

# Written by the previous version: a finished game, packed; a game in progress; and the commits of both before packing.
STORED: dict[str, list[dict[str, Any]]] = json.loads(
    (Path(__file__).parent / "fixtures" / "packed_game.json").read_text(encoding="utf-8")
)
PACKED = UUID(STORED["game_archive"][0]["game_id"])
PLAYED = UUID(STORED["game_commit"][0]["game_id"])
TIMES = {"created_at", "deadline", "ended_at", "recorded_at"}


@pytest.fixture
def before() -> Sequence[Migration]:
    """The migrations that the previous version knows."""
    return migrate.known()[:4]


@pytest.fixture
async def stored(database: Connection) -> Connection:
    """A session with a database of the previous version, filled."""
    for table in ("game", "game_commit", "game_archive"):
        for row in STORED[table]:
            places = ", ".join(f"${place}" for place in range(1, len(row) + 1))
            values = [_stored(name, value) for name, value in row.items()]
            await database.execute(f"INSERT INTO {table} ({', '.join(row)}) VALUES ({places})", *values)  # noqa: S608 - ours
    return database


def _stored(name: str, value: Any) -> Any:
    if isinstance(value, list):
        return [_stored(name, each) for each in cast("list[Any]", value)]
    if isinstance(value, dict):
        return bytes.fromhex(cast("dict[str, str]", value)["hex"])
    return datetime.fromisoformat(value) if name in TIMES and value is not None else value


async def rows(connection: Connection) -> list[dict[str, Any]]:
    found = await connection.fetch("SELECT * FROM game_commit ORDER BY game_id, seq")
    return [dict(cast("Any", row)) for row in found]


UP_TO_THIS = migrate.known()[:5]
EXPECTED = [
    {name: UUID(value) if name in {"game_id", "command_id"} else _stored(name, value) for name, value in row.items()}
    for row in STORED["commits_before_packing"]
]


async def test_a_packed_game_is_in_rows_again_exactly_as_before(stored: Connection, empty_database_url: str) -> None:
    assert len(await rows(stored)) == 1
    assert await migrate.migrate(empty_database_url, UP_TO_THIS) == [UP_TO_THIS[-1].name]
    assert await rows(stored) == EXPECTED
    assert await stored.fetchval("SELECT to_regclass('game_archive')") is None


async def test_an_unpacked_game_is_read_listed_and_found_as_every_other(
    stored: Connection, store: PostgresStore, empty_database_url: str
) -> None:
    assert not stored.is_closed()
    await migrate.migrate(empty_database_url)
    commits = await store.read(PACKED)
    assert [each.version for each in commits] == list(range(1, len(EXPECTED)))
    assert dict(await store.heads([PACKED, PLAYED])) == {PACKED: len(commits), PLAYED: 1}
    assert await store.find(PACKED, commits[7].command_id) == commits[7]
    repeated = commit(PACKED, command_id=commits[7].command_id, fingerprint=commits[7].fingerprint)
    assert await store.append(repeated) == AlreadyDone(8)
    listed = await store.listed(ListingQuery(status="finished", limit=9))
    assert [row.game_id for row in listed] == [PACKED]
    assert await store.append(commit(PLAYED, 1)) == Appended(2)


async def test_an_interrupted_run_continues_where_it_stopped(
    stored: Connection, empty_database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(unpacking, "GAMES_AT_ONCE", 1)
    second = UUID(int=PACKED.int + 1)
    await stored.execute(
        "INSERT INTO game_archive SELECT $1, last_seq, ended_at, command_ids, fingerprints, 9, payload FROM game_archive",
        second,
    )
    message = rf"0005_unpack_finished_games cannot be applied: packed game {second} is damaged \(format 9\)"
    with pytest.raises(SchemaMismatch, match=message):
        await migrate.migrate(empty_database_url)
    assert await rows(stored) == EXPECTED
    assert await stored.fetchval("SELECT array_agg(game_id) FROM game_archive") == [second]
    await stored.execute("DELETE FROM game_archive")
    await migrate.migrate(empty_database_url, UP_TO_THIS)
    assert await rows(stored) == EXPECTED


@pytest.mark.parametrize(
    "damage",
    [
        "payload = 'x'",
        "command_ids = command_ids[2:], fingerprints = fingerprints[2:], last_seq = last_seq - 1",
        "payload = decode('789c030000000001', 'hex')",
    ],
)
async def test_a_damaged_game_stops_the_migration_and_stays_packed(
    stored: Connection, empty_database_url: str, damage: str
) -> None:
    await stored.execute(f"UPDATE game_archive SET {damage}")  # noqa: S608 - ours
    with pytest.raises(SchemaMismatch, match=rf"packed game {PACKED} is damaged \(.+\); restore its row"):
        await migrate.migrate(empty_database_url)
    assert await stored.fetchval("SELECT array_agg(game_id) FROM game_archive") == [PACKED]
    assert [row["game_id"] for row in await rows(stored)] == [PLAYED]


async def test_no_process_packs_another_game_once_unpacking_has_begun(stored: Connection) -> None:
    await unpacking.unpack_all(stored)
    with pytest.raises(DATABASE_ERRORS, match="nothing_new"):
        await stored.execute(
            "INSERT INTO game_archive VALUES ($1, 1, now(), ARRAY[gen_random_uuid()], ARRAY[''::bytea], 1, '')", PLAYED
        )
