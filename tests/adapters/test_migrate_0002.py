"""Migration 0002 on a database that services of before have written to, and go on writing to while the new ones start."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

import pytest

from service.adapters.postgres import migrate
from service.adapters.postgres.connection import Connection
from service.adapters.postgres.migrate import Migration
from service.adapters.postgres.store import PostgresStore
from service.application.ports import Appended, ListedGame, ListingQuery
from tests.adapters.samples import WHEN, ascending_ids, commit, listing

# As the services of before wrote it.
WRITE_GAME = """
    INSERT INTO game (game_id, version, created_at, status, visibility, ruleset_id, players, free_seats, seats, deadline)
    SELECT new.* FROM unnest($1::uuid[], $2::integer[], $3::timestamptz[], $4::text[], $5::text[], $6::text[],
            $7::smallint[], $8::smallint[], $9::bytea[], $10::timestamptz[])
        AS new (game_id, version, created_at, status, visibility, ruleset_id, players, free_seats, seats, deadline)
    ON CONFLICT (game_id) DO UPDATE SET
        version = excluded.version, status = excluded.status, visibility = excluded.visibility,
        ruleset_id = excluded.ruleset_id, players = excluded.players, free_seats = excluded.free_seats,
        seats = excluded.seats, deadline = excluded.deadline
"""
SEATS = b"""{"ruleset": {"id": "clasica", "version": 1, "title": "Cl\xc3\xa1sica"}, "seats": [
    {"seat": 0, "player": {"player_id": "ana", "display_name": "Ana \\"A\\""}}, {"seat": 1, "robot": {"level": "easy"}}, {"seat": 2},
    {"seat": 3, "player": {"player_id": "blas", "display_name": "Blas"}}]}"""
WITHOUT_NAMES = (
    b'{"ruleset":{"id":"clasica","version":1,"title":"Cl\xc3\xa1sica"},"seats":[{"seat":0,"player":{"player_id":"ana"}},'
    b'{"seat":1,"robot":{"level":"easy"}},{"seat":2},{"seat":3,"player":{"player_id":"blas"}}]}'
)
"""Since migration 0014."""
NAME_NOBODY = [
    b"",
    b"{}",
    b"{",
    b"null",
    b"7",
    b"\xff\xfe",
    b'{"seats": null}',
    b'{"seats": "ana"}',
    b'{"seats": {"0": "ana"}}',
    b'{"seats": [null, 1, "ana", [], {"player": "ana"}, {"player": {"player_id": 7}}, {"player": {"player_id": null}}]}',
    b'{"seats": [{"player": {"player_id": "a\\u0000na"}}]}',
    b"[" * 100_000,
]


@pytest.fixture
def before() -> Sequence[Migration]:
    """The migrations that the services of before know."""
    return migrate.known()[:1]


async def write(database: Connection, game: UUID, *, version: int = 1, status: str = "playing", seats: bytes) -> None:
    columns = (game, version, WHEN, status, "public", "clasica", 4, 1, seats, None)
    await database.execute(WRITE_GAME, *([value] for value in columns))


async def listed(store: PostgresStore) -> list[ListedGame]:
    return list(await store.listed(ListingQuery(visibility="public", limit=99)))


async def test_games_of_before_that_are_not_over_get_their_persons_and_are_looked_at(
    database: Connection, store: PostgresStore, empty_database_url: str
) -> None:
    waiting, playing, finished, abandoned = ascending_ids(4)
    games = {waiting: "waiting", playing: "playing", finished: "finished", abandoned: "abandoned"}
    for game, status in games.items():
        await write(database, game, status=status, seats=SEATS)
    await migrate.migrate(empty_database_url)
    for person in ("ana", "blas"):
        assert list(await store.seated(person, 9)) == [playing, waiting]
    now = datetime.now(UTC)
    claimed = await store.claim(now, now + timedelta(seconds=5), 9)
    assert {overdue.game_id for overdue in claimed} == {waiting, playing}
    rows = {row.game_id: row.listing for row in await listed(store)}
    assert [rows[game].deadline is None for game in games] == [False, False, True, True]
    assert {(row.seats, row.free_seats, row.players) for row in rows.values()} == {(WITHOUT_NAMES, 1, 4)}


async def test_seats_that_cannot_be_read_name_nobody_and_do_not_stop_the_migration(
    database: Connection, store: PostgresStore, empty_database_url: str
) -> None:
    for seats in NAME_NOBODY:
        await write(database, uuid4(), seats=seats)
    await write(database, game := uuid4(), seats=SEATS)
    await migrate.migrate(empty_database_url)
    assert list(await store.seated("ana", 9)) == [game]
    assert [row.listing.player_ids for row in await listed(store) if row.game_id != game] == [()] * len(NAME_NOBODY)


async def test_services_of_before_go_on_reading_and_writing(
    database: Connection, store: PostgresStore, empty_database_url: str
) -> None:
    old, new, shared = ascending_ids(3)
    await write(database, old, seats=SEATS)
    assert len(await database.fetch("SELECT * FROM game")) == 1
    await migrate.migrate(empty_database_url)
    assert len(await database.fetch("SELECT * FROM game")) == 1
    await write(database, old, version=2, seats=SEATS)
    await write(database, new, seats=SEATS)
    await store.append(commit(shared, listing=listing(player_ids=("carmen",), deadline=WHEN)))
    await write(database, shared, version=2, seats=SEATS)
    assert [(row.version, row.listing.player_ids) for row in await listed(store)] == [
        (2, ("carmen",)),
        (1, ()),
        (2, ("ana", "blas")),
    ]


async def test_the_next_listing_says_what_a_service_of_before_left_out(
    database: Connection, store: PostgresStore, empty_database_url: str
) -> None:
    await migrate.migrate(empty_database_url)
    await write(database, game := uuid4(), seats=SEATS)
    now = listing(player_ids=("ana",), deadline=WHEN)
    assert await store.append(commit(game, 0, listing=now)) == Appended(1)
    assert [row.listing for row in await listed(store)] == [now]
    assert list(await store.seated("ana", 9)) == [game]


async def test_the_helper_of_the_migration_is_gone_afterwards(database: Connection, empty_database_url: str) -> None:
    await migrate.migrate(empty_database_url)
    assert await database.fetchval("SELECT count(*) FROM pg_proc WHERE proname LIKE 'pocha%'") == 0
