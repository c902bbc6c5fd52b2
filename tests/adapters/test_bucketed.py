"""What only a log over several logs promises: where games are, and what happens while one of the logs is out."""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Sequence
from datetime import timedelta
from uuid import UUID, uuid4

import pytest

from service.adapters.memory.store import MemoryStore
from service.adapters.postgres import shards
from service.adapters.postgres.connection import connect
from service.adapters.postgres.sharded import ShardedStore
from service.adapters.postgres.shards import shard_of
from service.adapters.postgres.store import PostgresStore
from service.application.ids import new_game_id
from service.application.ports import Appended, Commit, OverdueGame, StoreUnavailable
from tests.adapters.listings_contract import all_listed
from tests.adapters.samples import WHEN, commit, listing
from tests.adapters.store_contract import GameStoreContract
from tests.conftest import Databases

SECOND = timedelta(seconds=1)


class TestShardedMemoryLogs(GameStoreContract):
    @pytest.fixture
    def store(self) -> ShardedStore:
        return ShardedStore([MemoryStore() for _ in range(3)])


class TestShardedPostgresLogs(GameStoreContract):
    @pytest.fixture
    async def store(self, emptied_dsns: list[str]) -> AsyncGenerator[ShardedStore]:
        # A machine that is busy with other tests must not pass for a shard that is out.
        store = ShardedStore([await PostgresStore.open(dsn) for dsn in emptied_dsns], patience=20)
        yield store
        await store.close()


class TestOneShard(GameStoreContract):
    @pytest.fixture
    def store(self) -> ShardedStore:
        return ShardedStore([MemoryStore()])


def id_in(place: int, databases: int = 3) -> UUID:
    """Return a new game's id that belongs to that place."""
    while shard_of(game_id := new_game_id(), databases) != place:
        pass
    return game_id


def test_the_place_of_a_game_never_changes() -> None:
    ids = [
        UUID("0198c0de-0000-7000-8000-000000000001"),
        UUID("0198c0de-1234-7abc-bfff-ffffffffffff"),
        UUID("8c9f3a52-77aa-4b12-9d3e-5f6071829304"),
    ]
    assert [[shard_of(id_, databases) for databases in (1, 2, 3, 8, 1000)] for id_ in ids] == [
        [0, 1, 1, 1, 1],
        [0, 1, 0, 7, 903],
        [0, 0, 1, 4, 676],
    ]


@pytest.mark.parametrize("new_id", [new_game_id, uuid4])
@pytest.mark.parametrize("databases", [2, 3, 8])
def test_games_spread_evenly(new_id: Callable[[], UUID], databases: int) -> None:
    games = Counter(shard_of(new_id(), databases) for _ in range(4000 * databases))
    assert len(games) == databases
    # Six standard deviations: once in a hundred million runs it is more.
    assert all(abs(number - 4000) < 6 * 4000**0.5 for number in games.values())


def test_with_twice_as_many_databases_a_game_is_where_it_was_or_in_the_new_half() -> None:
    for game in (new_game_id() for _ in range(1000)):
        assert shard_of(game, 6) in {shard_of(game, 3), shard_of(game, 3) + 3}


async def test_postgres_knows_the_place_of_a_game_as_well(database_url: str) -> None:
    connection = await connect(database_url)
    ids = [new_game_id() for _ in range(200)] + [uuid4() for _ in range(200)]
    for databases in (1, 3, 8):
        place = shards.SHARD_OF.format(id="id", databases=databases)
        query = f"SELECT {place} AS place FROM unnest($1::uuid[]) WITH ORDINALITY AS asked (id, nth) ORDER BY nth"  # noqa: S608 - ours
        rows = await connection.fetch(query, ids)
        assert [row["place"] for row in rows] == [shard_of(id_, databases) for id_ in ids]
    await connection.close()


async def test_each_game_is_wholly_in_the_log_of_its_place_and_in_no_other() -> None:
    logs = [MemoryStore() for _ in range(3)]
    log = ShardedStore(logs)
    games = [new_game_id() for _ in range(60)]
    for expected in range(3):
        await asyncio.gather(*(log.append(commit(game, expected, listing=listing())) for game in games))
    for place, shard in enumerate(logs):
        mine = {game for game in games if shard_of(game, 3) == place}
        assert dict(await shard.heads(games)) == dict.fromkeys(mine, 3)
        assert {row.game_id for row in await all_listed(shard)} == mine
        assert mine


async def test_a_reservation_lies_where_its_key_belongs() -> None:
    logs = [MemoryStore() for _ in range(3)]
    keys = [uuid4() for _ in range(30)]
    for key in keys:
        await ShardedStore(logs).reserve(key, uuid4())
    for place, shard in enumerate(logs):
        fresh = uuid4()
        kept = [key for key in keys if await shard.reserve(key, fresh) != fresh]
        assert kept == [key for key in keys if shard_of(key, 3) == place]


async def test_overdue_games_of_all_shards_are_claimed_the_earliest_first_and_the_others_are_left_alone() -> None:
    logs = [MemoryStore() for _ in range(3)]
    log = ShardedStore(logs)
    # Of the first four, three are in one shard.
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
    def log(self, out: OutLog) -> ShardedStore:
        return ShardedStore([MemoryStore(), out, MemoryStore()], patience=0.05, rest=0.3)

    @pytest.fixture(params=["refuses", "hangs"])
    async def games(self, out: OutLog, log: ShardedStore, request: pytest.FixtureRequest) -> list[UUID]:
        """A game in each of the three, the newest last."""
        games = [id_in(place) for place in range(3)]
        for game in games:
            await log.append(commit(game, listing=listing(player_ids=("ana",))))
        out.is_out, out.hangs = request.param == "refuses", request.param == "hangs"
        return games

    async def test_the_games_of_the_others_are_found_and_their_heads_told(
        self, log: ShardedStore, games: list[UUID]
    ) -> None:
        for _ in range(2):
            assert list(await log.seated("ana", 9)) == [games[2], games[0]]
            assert dict(await log.heads(games)) == {games[0]: 1, games[2]: 1}
            await log.check()

    async def test_it_is_waited_for_once_and_then_left_out_for_a_while(
        self, log: ShardedStore, out: OutLog, games: list[UUID]
    ) -> None:
        assert games
        before = out.asked
        for _ in range(9):
            await log.check()
        assert out.asked == before + 1

    async def test_when_it_is_back_its_games_are_too(self, log: ShardedStore, out: OutLog, games: list[UUID]) -> None:
        await log.check()
        out.is_out = out.hangs = False
        await asyncio.sleep(0.35)
        assert list(await log.seated("ana", 9)) == games[::-1]
        assert dict(await log.heads(games)) == dict.fromkeys(games, 1)

    async def test_what_is_only_there_is_unavailable_and_not_missing(
        self, log: ShardedStore, games: list[UUID]
    ) -> None:
        for _ in range(2):
            with pytest.raises(StoreUnavailable):
                await log.heads([games[1]])


async def test_of_those_who_wait_for_a_shard_that_is_out_there_are_not_too_many() -> None:
    out = OutLog()
    log = ShardedStore([MemoryStore(), out], patience=0.05, rest=0.3, waiting_bound=5)
    out.hangs = True
    await log.check()
    waiting = [asyncio.ensure_future(log.read(id_in(1, 2))) for _ in range(5)]
    await asyncio.sleep(0)
    with pytest.raises(StoreUnavailable, match="shard 2 does not answer, and 5 callers wait for it"):
        await log.read(id_in(1, 2))
    assert list(await log.read(id_in(0, 2))) == []
    for reading in waiting:
        reading.cancel()
    await asyncio.wait(waiting)
    out.hangs = False
    assert list(await log.read(id_in(1, 2))) == []


async def test_when_no_shard_answers_the_log_is_unavailable_and_answers_as_soon_as_they_do() -> None:
    outs = [OutLog() for _ in range(3)]
    log = ShardedStore(outs, rest=999)
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
        await ShardedStore([MemoryStore(), BrokenLog()]).check()


async def test_while_one_of_three_databases_is_gone_the_games_of_the_others_are_played(databases: Databases) -> None:
    dsns = [await databases.make() for _ in range(3)]
    logs = [await PostgresStore.open(dsn, patience=0.2) for dsn in dsns]
    log = ShardedStore(logs)
    games = [id_in(place) for place in range(3)]
    for game in games:
        await log.append(commit(game, listing=listing(player_ids=("ana",), deadline=WHEN)))
    await databases.drop(dsns[1])
    try:
        for expected in range(1, 4):
            assert await log.append(commit(games[0], expected)) == Appended(expected + 1)
            assert await log.append(commit(games[2], expected)) == Appended(expected + 1)
            assert len(await log.read(games[2])) == expected + 1
        assert dict(await log.heads(games)) == {games[0]: 4, games[2]: 4}
        assert list(await log.seated("ana", 9)) == [games[2], games[0]]
        assert {row.game_id for row in await all_listed(log)} == {games[0], games[2]}
        claimed = await log.claim(WHEN, WHEN + SECOND, 9)
        assert {each.game_id for each in claimed} == {games[0], games[2]}
        await log.reschedule(claimed[0], None)
        await log.check()
        key = id_in(0)
        assert await log.reserve(key, games[0]) == games[0]
        for lost in (
            log.append(commit(games[1], 1)),
            log.read(games[1]),
            log.reschedule(OverdueGame(games[1], 1), None),
        ):
            with pytest.raises(StoreUnavailable):
                await lost
    finally:
        await log.close()


class TestPlaces:
    @pytest.fixture
    async def dsns(self, databases: Databases) -> list[str]:
        return [await databases.make() for _ in range(3)]

    async def test_databases_know_their_places_once_they_were_told(self, dsns: list[str]) -> None:
        for _ in range(2):
            await shards.take_places(dsns)
            await shards.check_places(dsns)

    async def test_databases_that_were_not_told_are_refused(self, dsns: list[str]) -> None:
        with pytest.raises(shards.SchemaMismatch, match="database 1 of 3 has no place yet"):
            await shards.check_places(dsns)

    async def test_another_order_or_number_is_refused_by_who_checks_and_who_tells(self, dsns: list[str]) -> None:
        await shards.take_places(dsns)
        for wrong in (dsns[::-1], dsns[:2], [dsns[0]], [*dsns[:2], dsns[1]]):
            for refused in (shards.check_places, shards.take_places):
                with pytest.raises(
                    shards.SchemaMismatch, match=r"has database \d of \d where database \d of 3 belongs"
                ):
                    await refused(wrong)
        await shards.check_places(dsns)

    async def test_a_database_with_games_of_its_own_does_not_become_one_of_several(self, dsns: list[str]) -> None:
        log = await PostgresStore.open(dsns[0])
        await log.append(commit(uuid4(), listing=listing()))
        await log.close()
        with pytest.raises(shards.SchemaMismatch, match="games of a time when it was alone"):
            await shards.take_places(dsns)
        await shards.take_places(dsns[:1])
        await shards.check_places(dsns[:1])
        with pytest.raises(shards.SchemaMismatch, match="database 1 of 3 where database 1 of 1 belongs"):
            await shards.take_places(dsns)
