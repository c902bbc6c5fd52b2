"""Which games are deleted, when, and by which processes."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from urllib.parse import urlsplit
from uuid import UUID, uuid4

import msgspec
import pytest

from service.adapters.clock import SystemClock
from service.adapters.postgres.buckets import bucket_of
from service.adapters.postgres.connection import Connection, connect
from service.adapters.postgres.reconnecting import SESSION
from service.adapters.postgres.retention import GAMES_AT_ONCE, Deleted, RetentionWorker, delete_old
from service.adapters.postgres.store import PostgresStore, open_store
from service.application.ids import new_game_id
from service.application.ports import Appended, GameStore, StoreUnavailable
from tests.adapters.listings_contract import all_listed
from tests.adapters.samples import WHEN, commit, listing
from tests.conftest import Databases
from tests.kit.waiting import until

DAY = timedelta(days=1)


@pytest.fixture
def dsn(emptied_database_url: str) -> str:
    return emptied_database_url


@pytest.fixture
async def store(dsn: str) -> AsyncGenerator[PostgresStore]:
    store = await PostgresStore.open(dsn)
    yield store
    await store.close()


@pytest.fixture
async def connection(dsn: str) -> AsyncGenerator[Connection]:
    connection = await connect(dsn, SESSION)
    yield connection
    await connection.close()


async def play(store: GameStore, *, status: str = "finished", began: datetime = WHEN, ended: datetime = WHEN) -> UUID:
    """Make a game of four commits that stands at `status` since `ended`; return its id."""
    game = new_game_id()
    times = (began, began, began, ended)
    listings = (listing(player_ids=("ana",)), None, listing(status="playing"), listing(status=status))
    for expected, (recorded_at, now) in enumerate(zip(times, listings, strict=True)):
        new = msgspec.structs.replace(commit(game, expected, listing=now), recorded_at=recorded_at)
        assert await store.append(new) == Appended(expected + 1)
    return game


async def remaining(connection: Connection) -> dict[str, set[UUID]]:
    """Return the ids of the games that each table has rows of."""
    queries = {name: f"SELECT DISTINCT game_id FROM {name}" for name in ("game", "game_commit")}  # noqa: S608 - ours
    return {name: {row["game_id"] for row in await connection.fetch(query)} for name, query in queries.items()}


@pytest.mark.parametrize("status", ["finished", "abandoned"])
async def test_an_old_game_is_deleted_with_all_its_rows_and_a_younger_one_stays(
    store: PostgresStore, connection: Connection, dsn: str, status: str
) -> None:
    old, young = await play(store, status=status), await play(store, status=status, ended=WHEN + DAY)
    assert await delete_old(dsn, WHEN) == Deleted(games=1)
    assert await remaining(connection) == {"game": {young}, "game_commit": {young}}
    assert list(await store.read(old)) == []
    assert [row.game_id for row in await all_listed(store)] == [young]


@pytest.mark.parametrize("status", ["waiting", "playing"])
async def test_a_game_that_is_not_over_is_never_deleted(
    store: PostgresStore, connection: Connection, dsn: str, status: str
) -> None:
    game = await play(store, status=status)
    assert await delete_old(dsn, WHEN + 999 * DAY) == Deleted()
    assert await remaining(connection) == {"game": {game}, "game_commit": {game}}


async def test_the_end_of_a_game_counts_and_not_its_creation(
    store: PostgresStore, connection: Connection, dsn: str
) -> None:
    games = {
        "long": await play(store, ended=WHEN + 5 * DAY),
        "short": await play(store, began=WHEN + DAY, ended=WHEN + DAY),
        "late": await play(store, began=WHEN + 9 * DAY, ended=WHEN + 9 * DAY),
    }
    names = {game: name for name, game in games.items()}
    left: list[set[str]] = []
    for days in (0, 1, 4, 5, 8):
        await delete_old(dsn, WHEN + days * DAY)
        left.append({names[game] for game in (await remaining(connection))["game"]})
    assert left == [set(games), {"long", "late"}, {"long", "late"}, {"late"}, {"late"}]


async def test_more_games_than_one_statement_deletes_are_all_deleted_by_processes_that_share_them(
    store: PostgresStore, connection: Connection, dsn: str
) -> None:
    await asyncio.gather(*(play(store) for _ in range(GAMES_AT_ONCE + 10)))
    deleted = await asyncio.gather(*(delete_old(dsn, WHEN) for _ in range(3)))
    assert sum(each.games for each in deleted) == GAMES_AT_ONCE + 10
    assert await remaining(connection) == {"game": set(), "game_commit": set()}


async def test_reservations_are_deleted_by_their_own_age(
    store: PostgresStore, connection: Connection, dsn: str
) -> None:
    old, young, game = uuid4(), uuid4(), uuid4()
    for key in (old, young):
        await store.reserve(key, game)
    await connection.execute("UPDATE reservation SET reserved_at = $1 WHERE key = $2", WHEN - 9 * DAY, old)
    assert [await delete_old(dsn, WHEN - DAY) for _ in range(2)] == [Deleted(reservations=1), Deleted()]
    assert await store.reserve(young, uuid4()) == game
    assert await store.reserve(old, fresh := uuid4()) == fresh


async def test_the_reservation_of_an_existing_game_stays(
    store: PostgresStore, connection: Connection, dsn: str
) -> None:
    game = await play(store, status="playing")
    await store.reserve(key := uuid4(), game)
    await connection.execute("UPDATE reservation SET reserved_at = $1", WHEN - 9 * DAY)
    assert await delete_old(dsn, WHEN - DAY) == Deleted()
    assert await store.reserve(key, uuid4()) == game


@asynccontextmanager
async def working(dsn: str) -> AsyncGenerator[None]:
    """Run a worker that keeps no finished game."""
    worker = RetentionWorker(dsn, timedelta(), SystemClock(), round_seconds=0.02)
    running = asyncio.create_task(worker.run())
    yield
    assert not running.done()
    running.cancel()
    await asyncio.wait([running])


async def test_the_worker_deletes_round_by_round_in_all_buckets(eight_buckets: str) -> None:
    store = await open_store(eight_buckets)
    async with working(eight_buckets):
        for _ in range(2):
            games = [await play(store) for _ in range(16)]
            for game in games:
                await until(lambda game=game: _is_gone(store, game))
    await store.close()


async def test_a_bucket_that_does_not_answer_does_not_keep_the_games_of_the_others(eight_buckets: str) -> None:
    store = await open_store(eight_buckets)
    games = [await play(store) for _ in range(40)]
    connection = await connect(eight_buckets)
    await connection.execute("ALTER TABLE pocha_0.game RENAME TO hidden")
    with pytest.raises(StoreUnavailable):
        await delete_old(eight_buckets, WHEN)
    await connection.execute("ALTER TABLE pocha_0.hidden RENAME TO game")
    left = [game for game in games if not await _is_gone(store, game)]
    assert {bucket_of(game, 8) for game in left} == {0}
    await connection.close()
    await store.close()


async def test_a_database_that_cannot_be_reached_does_not_stop_the_worker(
    connection: Connection, databases: Databases
) -> None:
    dsn = await databases.make()
    store = await PostgresStore.open(dsn)
    game = await play(store)
    await store.close()
    name = urlsplit(dsn).path[1:]
    await connection.execute(f"ALTER DATABASE {name} RENAME TO away_{name}")
    async with working(dsn):
        await asyncio.sleep(0.1)
        await connection.execute(f"ALTER DATABASE away_{name} RENAME TO {name}")
        store = await PostgresStore.open(dsn)
        await until(lambda: _is_gone(store, game))
    await store.close()


async def test_without_a_retention_time_the_worker_ends(dsn: str) -> None:
    await RetentionWorker(dsn, None, SystemClock()).run()


async def _is_gone(store: GameStore, game: UUID) -> bool:
    return not await store.read(game)
