"""What only a store over several buckets promises: where games are, and what happens while one of the buckets is out."""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Sequence
from datetime import timedelta
from uuid import UUID, uuid4

import pytest

from service.adapters.memory.store import MemoryStore
from service.adapters.postgres import buckets, layout
from service.adapters.postgres.bucketed import BucketedStore
from service.adapters.postgres.buckets import bucket_of
from service.adapters.postgres.connection import connect
from service.adapters.postgres.store import open_store
from service.application.ids import new_game_id
from service.application.ports import Appended, Commit, GameStore, StoreUnavailable
from service.observability.metrics import Metrics
from tests.adapters.listings_contract import all_listed
from tests.adapters.samples import WHEN, commit, listing
from tests.adapters.store_contract import GameStoreContract
from tests.conftest import Databases

SECOND = timedelta(seconds=1)


class TestBucketedMemory(GameStoreContract):
    @pytest.fixture
    def store(self) -> BucketedStore:
        return BucketedStore([MemoryStore() for _ in range(3)])


class TestBucketedPostgres(GameStoreContract):
    @pytest.fixture
    async def store(self, eight_buckets: str) -> AsyncGenerator[GameStore]:
        store = await open_store(eight_buckets)
        yield store
        await store.close()


class TestOneBucket(GameStoreContract):
    @pytest.fixture
    def store(self) -> BucketedStore:
        return BucketedStore([MemoryStore()])


def id_in(place: int, number: int = 3) -> UUID:
    """Return a new game's id that belongs to that place."""
    while bucket_of(game_id := new_game_id(), number) != place:
        pass
    return game_id


def test_the_place_of_a_game_never_changes() -> None:
    ids = [
        UUID("0198c0de-0000-7000-8000-000000000001"),
        UUID("0198c0de-1234-7abc-bfff-ffffffffffff"),
        UUID("8c9f3a52-77aa-4b12-9d3e-5f6071829304"),
    ]
    assert [[bucket_of(id_, number) for number in (1, 2, 3, 8, 1000)] for id_ in ids] == [
        [0, 1, 1, 1, 1],
        [0, 1, 0, 7, 903],
        [0, 0, 1, 4, 676],
    ]


@pytest.mark.parametrize("new_id", [new_game_id, uuid4])
@pytest.mark.parametrize("number", [2, 3, 8])
def test_games_spread_evenly(new_id: Callable[[], UUID], number: int) -> None:
    games = Counter(bucket_of(new_id(), number) for _ in range(4000 * number))
    assert len(games) == number
    # Six standard deviations: once in a hundred million runs it is more.
    assert all(abs(number - 4000) < 6 * 4000**0.5 for number in games.values())


async def test_postgres_knows_the_bucket_of_a_game_as_well(database_url: str) -> None:
    connection = await connect(database_url)
    ids = [new_game_id() for _ in range(200)] + [uuid4() for _ in range(200)]
    for number in (1, 3, 8):
        place = buckets.BUCKET_OF.format(id="id", buckets=number)
        query = f"SELECT {place} AS place FROM unnest($1::uuid[]) WITH ORDINALITY AS asked (id, nth) ORDER BY nth"  # noqa: S608 - ours
        rows = await connection.fetch(query, ids)
        assert [row["place"] for row in rows] == [bucket_of(id_, number) for id_ in ids]
    await connection.close()


async def test_each_game_is_wholly_in_the_log_of_its_place_and_in_no_other() -> None:
    logs = [MemoryStore() for _ in range(3)]
    log = BucketedStore(logs)
    games = [new_game_id() for _ in range(60)]
    for expected in range(3):
        await asyncio.gather(*(log.append(commit(game, expected, listing=listing())) for game in games))
    for place, bucket in enumerate(logs):
        mine = {game for game in games if bucket_of(game, 3) == place}
        assert dict(await bucket.heads(games)) == dict.fromkeys(mine, 3)
        assert {row.game_id for row in await all_listed(bucket)} == mine
        assert mine


async def test_a_reservation_lies_where_its_key_belongs() -> None:
    logs = [MemoryStore() for _ in range(3)]
    keys = [uuid4() for _ in range(30)]
    for key in keys:
        await BucketedStore(logs).reserve(key, uuid4())
    for place, bucket in enumerate(logs):
        fresh = uuid4()
        kept = [key for key in keys if await bucket.reserve(key, fresh) != fresh]
        assert kept == [key for key in keys if bucket_of(key, 3) == place]


async def test_overdue_games_of_all_buckets_are_claimed_the_earliest_first_and_the_others_are_left_alone() -> None:
    logs = [MemoryStore() for _ in range(3)]
    log = BucketedStore(logs)
    # Of the first four, three are in one bucket.
    games = [id_in(place) for place in (1, 1, 0, 1, 2, 0)]
    for late, game in enumerate(games):
        await log.append(commit(game, listing=listing(deadline=WHEN + late * SECOND)))
    now = WHEN + 60 * SECOND
    assert [each.game_id for each in await log.claim(now, now + SECOND, 4)] == games[:4]
    rows = {row.game_id: row.listing.deadline for row in await all_listed(log)}
    assert [rows[game] for game in games] == [now + SECOND] * 4 + [WHEN + 4 * SECOND, WHEN + 5 * SECOND]


class OutLog(MemoryStore):
    """A log that is out at times: it refuses, or it does not answer at all."""

    def __init__(self) -> None:
        super().__init__()
        self.is_out = self.hangs = False
        self.asked = 0

    async def _answer(self) -> None:
        self.asked += 1
        if self.hangs:
            await asyncio.Event().wait()
        if self.is_out:
            raise StoreUnavailable("it is out")

    async def heads(self, game_ids: Sequence[UUID]) -> dict[UUID, int]:
        await self._answer()
        return dict(await super().heads(game_ids))

    async def seated(self, player_id: str, limit: int, tenant: str = "") -> Sequence[UUID]:
        await self._answer()
        return await super().seated(player_id, limit, tenant)

    async def read(self, game_id: UUID, after: int = 0, limit: int | None = None) -> Sequence[Commit]:
        await self._answer()
        return await super().read(game_id, after, limit)

    async def check(self) -> None:
        await self._answer()


class TestWhileOneOfThreeDoesNotAnswer:
    @pytest.fixture
    def out(self) -> OutLog:
        return OutLog()

    @pytest.fixture
    def log(self, out: OutLog) -> BucketedStore:
        return BucketedStore([MemoryStore(), out, MemoryStore()], patience=0.05, rest=0.3)

    @pytest.fixture(params=["refuses", "hangs"])
    async def games(self, out: OutLog, log: BucketedStore, request: pytest.FixtureRequest) -> list[UUID]:
        """A game in each of the three, the newest last."""
        games = [id_in(place) for place in range(3)]
        for game in games:
            await log.append(commit(game, listing=listing(player_ids=("ana",))))
        out.is_out, out.hangs = request.param == "refuses", request.param == "hangs"
        return games

    async def test_the_games_of_the_others_are_found_and_their_heads_told(
        self, log: BucketedStore, games: list[UUID]
    ) -> None:
        for _ in range(2):
            assert list(await log.seated("ana", 9)) == [games[2], games[0]]
            assert dict(await log.heads(games)) == {games[0]: 1, games[2]: 1}
            await log.check()

    async def test_it_is_waited_for_once_and_then_left_out_for_a_while(
        self, log: BucketedStore, out: OutLog, games: list[UUID]
    ) -> None:
        assert games
        before = out.asked
        for _ in range(9):
            await log.check()
        assert out.asked == before + 1

    async def test_when_it_is_back_its_games_are_too(self, log: BucketedStore, out: OutLog, games: list[UUID]) -> None:
        await log.check()
        out.is_out = out.hangs = False
        await asyncio.sleep(0.35)
        assert list(await log.seated("ana", 9)) == games[::-1]
        assert dict(await log.heads(games)) == dict.fromkeys(games, 1)

    async def test_what_is_only_there_is_unavailable_and_not_missing(
        self, log: BucketedStore, games: list[UUID]
    ) -> None:
        for _ in range(2):
            with pytest.raises(StoreUnavailable):
                await log.heads([games[1]])


async def test_of_those_who_wait_for_a_bucket_that_is_out_there_are_not_too_many() -> None:
    out = OutLog()
    log = BucketedStore([MemoryStore(), out], patience=0.05, rest=0.3, waiting_bound=5)
    out.hangs = True
    await log.check()
    waiting = [asyncio.ensure_future(log.read(id_in(1, 2))) for _ in range(5)]
    await asyncio.sleep(0)
    with pytest.raises(StoreUnavailable, match="bucket 1 does not answer, and 5 callers wait for it"):
        await log.read(id_in(1, 2))
    assert list(await log.read(id_in(0, 2))) == []
    for reading in waiting:
        reading.cancel()
    await asyncio.wait(waiting)
    out.hangs = False
    assert list(await log.read(id_in(1, 2))) == []


async def test_when_no_bucket_answers_the_log_is_unavailable_and_answers_as_soon_as_they_do() -> None:
    outs = [OutLog() for _ in range(3)]
    log = BucketedStore(outs, rest=999)
    for out in outs:
        out.is_out = True
    for _ in range(2):
        with pytest.raises(StoreUnavailable, match="it is out"):
            await log.check()
    for out in outs:
        out.is_out = False
    await log.check()


async def test_an_error_that_is_not_an_outage_is_not_passed_over() -> None:
    class BrokenLog(MemoryStore):
        async def check(self) -> None:
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await BucketedStore([MemoryStore(), BrokenLog()]).check()


async def test_a_bucket_that_is_out_is_told_in_a_metric() -> None:
    metrics, out = Metrics(), OutLog()
    log = BucketedStore([MemoryStore(), out], rest=0, metrics=metrics)
    out.is_out = True
    await log.check()
    assert b"pocha_buckets_unavailable 1.0" in metrics.page()
    out.is_out = False
    await log.check()
    assert b"pocha_buckets_unavailable 0.0" in metrics.page()


async def test_the_statements_of_a_bucket_reach_no_other(eight_buckets: str) -> None:
    store = await open_store(eight_buckets)
    games = [id_in(number, 8) for number in range(8)]
    for game in games:
        await store.append(commit(game, listing=listing(status="playing", player_ids=("ana",), deadline=WHEN)))
        await store.reserve(game, game)
    connection = await connect(eight_buckets)
    for name, game in zip(buckets.schemas(8), games, strict=True):
        for table, key in (("game_commit", "game_id"), ("game", "game_id"), ("reservation", "key")):
            rows = await connection.fetch(f"SELECT {key} AS id FROM {name}.{table}")  # noqa: S608 - ours
            assert [row["id"] for row in rows] == [game]
    await connection.execute("ALTER SCHEMA pocha_3 RENAME TO away")
    for number, game in enumerate(games):
        if number != 3:
            assert await store.append(commit(game, 1)) == Appended(2)
            assert len(await store.read(game)) == 2
    with pytest.raises(StoreUnavailable):
        await store.append(commit(games[3], 1))
    assert list(await store.seated("ana", 9)) == sorted((set(games) - {games[3]}), reverse=True)
    assert len(await store.claim(WHEN, WHEN + SECOND, 9)) == 7
    await connection.execute("ALTER SCHEMA away RENAME TO pocha_3")
    await connection.close()
    await store.close()


async def test_connections_do_not_grow_with_the_buckets(databases: Databases) -> None:
    numbers: list[int] = []
    for number in (8, 32):
        dsn = await databases.make()
        await layout.migrate(dsn, number)
        store = await open_store(dsn)
        games = [new_game_id() for _ in range(200)]
        await asyncio.gather(*(store.append(commit(game, listing=listing())) for game in games))
        await asyncio.gather(*(store.read(game) for game in games))
        connection = await connect(dsn)
        numbers.append(
            await connection.fetchval("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()")
        )
        await connection.close()
        await store.close()
    assert numbers[0] == numbers[1]
