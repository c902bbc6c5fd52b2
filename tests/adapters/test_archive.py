"""Which games are packed and forgotten, when, and by whom."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from uuid import UUID, uuid4

import msgspec
import pytest

from service.adapters.clock import SystemClock
from service.adapters.postgres import archive, retention
from service.adapters.postgres.connection import Connection, connect
from service.adapters.postgres.reconnecting import SESSION
from service.adapters.postgres.retention import Archivist, Retention, Tended
from service.adapters.postgres.store import PostgresStore
from service.application.ids import new_game_id
from service.application.ports import AlreadyDone, Appended, CommandReused, ListedGame, ListingQuery, VersionConflict
from tests.adapters.samples import WHEN, commit, listing

DAY = timedelta(days=1)


@pytest.fixture
def dsn(emptied_dsns: list[str]) -> str:
    return emptied_dsns[0]


@pytest.fixture
async def log(dsn: str) -> AsyncGenerator[PostgresStore]:
    log = await PostgresStore.open(dsn)
    yield log
    await log.close()


@pytest.fixture
async def connection(dsn: str) -> AsyncGenerator[Connection]:
    connection = await connect(dsn, SESSION)
    yield connection
    await connection.close()


async def play(log: PostgresStore, *, status: str = "finished", began: datetime = WHEN, ended: datetime = WHEN) -> UUID:
    """Make a game of four commits that stands at `status` since `ended`; return its id."""
    game = new_game_id()
    times = (began, began, began, ended)
    listings = (listing(player_ids=("ana",)), None, listing(status="playing"), listing(status=status))
    for expected, (recorded_at, now) in enumerate(zip(times, listings, strict=True)):
        new = msgspec.structs.replace(commit(game, expected, listing=now), recorded_at=recorded_at)
        assert await log.append(new) == Appended(expected + 1)
    return game


async def tables_with(connection: Connection, game: UUID) -> set[str]:
    """Return the names of the tables that have rows of the game."""
    tables = ("game", "game_commit", "game_archive")
    queries = {name: f"SELECT count(*) FROM {name} WHERE game_id = $1" for name in tables}  # noqa: S608 - names of ours
    return {name for name, query in queries.items() if await connection.fetchval(query, game)}


PACKED = {"game", "game_archive"}
ROWS = {"game", "game_commit"}


class TestPacking:
    @pytest.mark.parametrize("status", ["finished", "abandoned"])
    async def test_a_game_that_is_over_moves_into_one_row_and_stays_listed(
        self, log: PostgresStore, connection: Connection, status: str
    ) -> None:
        game = await play(log, status=status)
        before, rows = await log.read(game), await everything(log)
        saving = await archive.pack_next(connection, WHEN)
        assert saving is not None
        assert (saving.games, saving.commits) == (1, 4)
        assert await tables_with(connection, game) == PACKED
        assert await log.read(game) == before
        assert await everything(log) == rows
        assert dict(await log.heads([game])) == {game: 4}
        assert [await log.find(game, each.command_id) for each in before] == before

    @pytest.mark.parametrize("status", ["waiting", "playing"])
    async def test_a_game_that_is_not_over_is_not_packed(
        self, log: PostgresStore, connection: Connection, status: str
    ) -> None:
        game = await play(log, status=status)
        assert await archive.pack_next(connection, WHEN + 999 * DAY) is None
        assert await tables_with(connection, game) == ROWS

    async def test_it_is_the_end_of_a_game_that_counts_and_not_when_it_was_made(
        self, log: PostgresStore, connection: Connection
    ) -> None:
        games = {
            "long": await play(log, ended=WHEN + 5 * DAY),
            "short": await play(log, began=WHEN + DAY, ended=WHEN + DAY),
            "late": await play(log, began=WHEN + 9 * DAY, ended=WHEN + 9 * DAY),
        }
        packed: list[set[str]] = []
        for days in (0, 1, 4, 5, 8):
            while await archive.pack_next(connection, WHEN + days * DAY):
                pass
            packed.append({name for name, game in games.items() if await tables_with(connection, game) == PACKED})
        assert packed == [set(), {"short"}, {"short"}, {"short", "long"}, {"short", "long"}]

    async def test_what_is_appended_to_a_packed_game_is_told_the_same_as_before(
        self, log: PostgresStore, connection: Connection
    ) -> None:
        game = await play(log)
        done = await log.read(game)
        trials = [commit(game, expected) for expected in (0, 1, 3, 5, 9)]
        trials += [commit(game, 9, command_id=each.command_id) for each in done]
        trials += [commit(game, 4, command_id=each.command_id, fingerprint=b"other") for each in done]
        before = [await log.append(trial) for trial in trials]
        await archive.pack_next(connection, WHEN)
        assert [await log.append(trial) for trial in trials] == before
        assert set(before) == (
            {VersionConflict(4)}
            | {AlreadyDone(version) for version in range(1, 5)}
            | {CommandReused(version) for version in range(1, 5)}
        )
        assert await tables_with(connection, game) == PACKED

    async def test_a_commit_that_fits_a_packed_game_unpacks_it_and_one_writer_wins(
        self, log: PostgresStore, connection: Connection
    ) -> None:
        game = await play(log)
        before = list(await log.read(game))
        await archive.pack_next(connection, WHEN)
        outcomes = await asyncio.gather(*(log.append(commit(game, 4)) for _ in range(8)))
        assert sorted(map(str, outcomes)) == sorted([str(Appended(5)), *[str(VersionConflict(5))] * 7])
        assert await tables_with(connection, game) == ROWS
        assert list(await log.read(game))[:4] == before
        again = await archive.pack_next(connection, WHEN)
        assert again is not None
        assert again.commits == 5
        assert [each.version for each in await log.read(game)] == [1, 2, 3, 4, 5]

    async def test_readers_see_a_whole_game_at_every_moment_while_it_is_packed(
        self, log: PostgresStore, connection: Connection
    ) -> None:
        games = [await play(log) for _ in range(30)]
        whole = {game: await log.read(game) for game in games}

        async def read_on() -> int:
            readings = 0
            while not packing.done():
                for game in games:
                    assert await log.read(game) == whole[game]
                    assert (await log.heads([game]))[game] == 4
                    readings += 1
            return readings

        packing = asyncio.ensure_future(pack_all(connection))
        readings = await asyncio.gather(*(read_on() for _ in range(4)))
        assert await packing == 30
        assert sum(readings) > 30

    async def test_many_who_pack_at_once_share_the_games(self, log: PostgresStore, dsn: str) -> None:
        games = [await play(log) for _ in range(24)]
        done = await asyncio.gather(*(retention.tend(dsn, Retention(pack_after=DAY), WHEN + DAY) for _ in range(4)))
        assert sum(each.saving.games for each in done) == 24
        assert dict(await log.heads(games)) == dict.fromkeys(games, 4)

    async def test_a_session_that_ends_in_the_middle_leaves_the_game_as_it_was(
        self, log: PostgresStore, connection: Connection, dsn: str
    ) -> None:
        game = await play(log)
        before = await log.read(game)
        with contextlib.suppress(ZeroDivisionError):
            async with archive.session(dsn) as broken:
                await broken.execute("BEGIN")
                await archive.pack(broken, game)
                raise ZeroDivisionError
        assert await tables_with(connection, game) == ROWS
        assert await log.read(game) == before
        assert await archive.pack_next(connection, WHEN) is not None


class TestForgetting:
    async def test_a_game_is_gone_for_good_packed_or_not(self, log: PostgresStore, connection: Connection) -> None:
        packed, rows, young = [await play(log, ended=WHEN + days * DAY) for days in (0, 1, 9)]
        await archive.pack_next(connection, WHEN)
        assert await archive.forget(connection, WHEN + DAY, 99) == 2
        assert [await tables_with(connection, game) for game in (packed, rows, young)] == [set(), set(), ROWS]
        assert list(await log.read(packed)) == list(await log.read(rows)) == []
        assert [row.game_id for row in await everything(log)] == [young]

    @pytest.mark.parametrize("status", ["waiting", "playing"])
    async def test_a_game_that_is_not_over_is_never_forgotten(
        self, log: PostgresStore, connection: Connection, status: str
    ) -> None:
        game = await play(log, status=status)
        assert await archive.forget(connection, WHEN + 999 * DAY, 99) == 0
        assert await tables_with(connection, game) == ROWS

    async def test_no_more_are_forgotten_at_once_than_asked_for(
        self, log: PostgresStore, connection: Connection
    ) -> None:
        for _ in range(5):
            await play(log)
        assert [await archive.forget(connection, WHEN, 2) for _ in range(4)] == [2, 2, 1, 0]

    async def test_reservations_are_forgotten_by_their_own_age(
        self, log: PostgresStore, connection: Connection
    ) -> None:
        old, young, game = uuid4(), uuid4(), uuid4()
        for key in (old, young):
            await log.reserve(key, game)
        await connection.execute("UPDATE reservation SET reserved_at = $1 WHERE key = $2", WHEN - 9 * DAY, old)
        assert [await archive.forget_reservations(connection, WHEN - DAY, 99) for _ in range(2)] == [1, 0]
        assert await log.reserve(young, uuid4()) == game
        assert await log.reserve(old, fresh := uuid4()) == fresh

    async def test_the_reservation_of_a_game_that_is_there_stays(
        self, log: PostgresStore, connection: Connection
    ) -> None:
        game = await play(log, status="playing")
        await log.reserve(key := uuid4(), game)
        await connection.execute("UPDATE reservation SET reserved_at = $1", WHEN - 9 * DAY)
        assert await archive.forget_reservations(connection, WHEN - DAY, 99) == 0
        assert await log.reserve(key, uuid4()) == game


class TestTending:
    async def test_each_age_has_its_consequence(self, log: PostgresStore, connection: Connection, dsn: str) -> None:
        games = [await play(log, ended=WHEN + days * DAY) for days in (0, 20, 29)]
        done = await retention.tend(dsn, Retention(7 * DAY, 30 * DAY), WHEN + 30 * DAY)
        assert [await tables_with(connection, game) for game in games] == [set(), PACKED, ROWS]
        assert (done.games, done.saving.games, done.saving.commits) == (1, 1, 4)
        assert retention.told(done).startswith("games packed: 1 (4 commits, ")
        assert await retention.tend(dsn, Retention(7 * DAY, 30 * DAY), WHEN + 30 * DAY) == Tended()

    async def test_without_ages_nothing_is_done(self, log: PostgresStore, connection: Connection, dsn: str) -> None:
        game = await play(log)
        assert await retention.tend(dsn, Retention(), WHEN + 999 * DAY) == Tended()
        assert await tables_with(connection, game) == ROWS

    async def test_no_more_are_packed_than_asked_for(self, log: PostgresStore, dsn: str) -> None:
        for _ in range(5):
            await play(log)
        kept = Retention(pack_after=DAY)
        done = [(await retention.tend(dsn, kept, WHEN + DAY, limit)).saving.games for limit in (0, 2, None)]
        assert done == [0, 2, 3]

    async def test_the_archivist_goes_round_by_itself_in_all_databases(self, emptied_dsns: list[str]) -> None:
        logs = [await PostgresStore.open(dsn) for dsn in emptied_dsns]
        async with at_work(emptied_dsns):
            for _ in range(2):
                games = [await play_now(log) for log in logs]
                for dsn, game in zip(emptied_dsns, games, strict=True):
                    await _until_packed(dsn, game)
        for log in logs:
            await log.close()

    async def test_an_archivist_with_nothing_ever_to_do_ends(self, dsn: str) -> None:
        await Archivist([dsn], Retention(), SystemClock()).run()

    async def test_a_database_that_is_not_there_does_not_end_the_rounds(self, log: PostgresStore, dsn: str) -> None:
        async with at_work([dsn.replace("?", "_not_there?", 1), dsn]):
            for _ in range(2):
                await _until_packed(dsn, await play_now(log))


@asynccontextmanager
async def at_work(dsns: Sequence[str]) -> AsyncGenerator[None]:
    """Let an archivist pack what is over, meanwhile."""
    keeper = Archivist(dsns, Retention(pack_after=timedelta()), SystemClock(), round_seconds=0.02)
    running = asyncio.ensure_future(keeper.run())
    yield
    assert not running.done()
    running.cancel()
    await asyncio.wait([running])


async def play_now(log: PostgresStore) -> UUID:
    now = SystemClock().now()
    return await play(log, began=now, ended=now)


async def everything(log: PostgresStore) -> Sequence[ListedGame]:
    return await log.listed(ListingQuery(visibility="public", limit=99))


async def pack_all(connection: Connection) -> int:
    packed = 0
    while await archive.pack_next(connection, WHEN):
        packed += 1
    return packed


async def _until_packed(dsn: str, game: UUID) -> None:
    async with archive.session(dsn) as connection:
        for _ in range(1000):
            if await tables_with(connection, game) == PACKED:
                return
            await asyncio.sleep(0.02)
    raise AssertionError("the game is still in its rows")
