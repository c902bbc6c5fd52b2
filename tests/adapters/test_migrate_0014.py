"""Migrations 0013 and 0014 on a database whose events, listings and requests for matches hold names, in one bucket and in several."""

import gzip
from collections.abc import Sequence
from pathlib import Path
from uuid import UUID

import msgspec
import pytest

from service.adapters.postgres import codec, layout, migrate, unnaming
from service.adapters.postgres.connection import Connection, connect
from service.adapters.postgres.migrate import Migration
from service.adapters.postgres.store import open_store
from tests.adapters.samples import WHEN

STORED = Path(__file__).parent.parent / "verify" / "data" / "step-4.json.gz"
ANA, BEA, EVA = (UUID(int=number) for number in (1, 2, 99))
NAMED = b"display_name"

WRITE_COMMIT = "INSERT INTO game_commit VALUES ($1, $2, gen_random_uuid(), '', $3, 1, $4)"
WRITE_GAME = """
    INSERT INTO game (game_id, version, created_at, status, visibility, ruleset_id, players, free_seats, seats, tenant)
    VALUES ($1, 1, now(), 'waiting', 'public', 'clasica', 4, 2, $2, 'app:taverna')
"""
SEATS = b'{"seats":[{"seat":0,"player":{"player_id":"00000000-0000-0000-0000-000000000001","display_name":"Ana"}},{"seat":1}]}'
WRITE_MATCH = """
    INSERT INTO match_request VALUES (gen_random_uuid(), '', $1::uuid::text, 'Eva', gen_random_uuid(), '', now(), now(), 'p', '', 3, NULL,
        'waiting', NULL, false)
"""


@pytest.fixture
def before() -> Sequence[Migration]:
    return migrate.known()[:11]


def old_log() -> list[bytes]:
    games = msgspec.json.decode(gzip.decompress(STORED.read_bytes()))
    return [msgspec.json.encode(commit["payload"]) for commit in next(iter(games.values()))["commits"]]


async def write(database: Connection, game: UUID) -> None:
    for seq, payload in enumerate(old_log(), 1):
        await database.execute(WRITE_COMMIT, game, seq, WHEN, payload)
    await database.execute(WRITE_GAME, game, SEATS)


async def documents(database: Connection, schema: str = "public") -> list[bytes]:
    found = await database.fetch(
        f"SELECT payload AS it FROM {schema}.game_commit UNION ALL SELECT seats FROM {schema}.game ORDER BY it"  # noqa: S608 - ours
    )
    return [row["it"] for row in found]


async def test_names_leave_the_games_and_nothing_else_changes(
    database: Connection, empty_database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(unnaming, "ROWS_AT_ONCE", 2)
    await write(database, game := UUID(int=7))
    await database.execute(WRITE_MATCH, EVA)
    await database.execute("INSERT INTO player (player_id, display_name) VALUES ($1, 'Bea chose')", BEA)
    old = [codec.decode(1, payload) for payload in old_log()]
    assert any(NAMED in document for document in await documents(database))
    await migrate.migrate(empty_database_url)
    assert not any(NAMED in document for document in await documents(database))
    store = await open_store(empty_database_url)
    assert [commit.events for commit in await store.read(game)] == old
    found = {each.player_id: each for each in await store.profiles([str(ANA), str(BEA), str(EVA)])}
    await store.close()
    assert {player: (each.display_name, each.is_chosen, each.tenant) for player, each in found.items()} == {
        str(ANA): ("Ana", False, "app:taverna"),
        str(BEA): ("Bea chose", True, "app:taverna"),
        str(EVA): ("Eva", False, ""),
    }


async def test_buckets_give_their_names_to_the_one_table_of_players(
    database: Connection, empty_database_url: str
) -> None:
    for number in range(2):
        schema = f"pocha_{number}"
        await migrate.migrate(empty_database_url, migrate.known()[:11], bucket=schema)
        bucket = await connect(empty_database_url)
        await bucket.execute(f"SET search_path TO {schema}")
        await write(bucket, UUID(int=7 + number))
        await bucket.close()
    await database.execute("UPDATE bucket_layout SET buckets = 2")
    await layout.migrate(empty_database_url)
    for number in range(2):
        assert not any(NAMED in document for document in await documents(database, f"pocha_{number}"))
    named = await database.fetch("SELECT display_name FROM public.player WHERE player_id = $1", ANA)
    assert [row["display_name"] for row in named] == ["Ana"]
