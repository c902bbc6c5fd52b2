"""Versions that are looked up for many callers at once are never older than what was acknowledged before the call."""

import asyncio
from collections.abc import AsyncGenerator, Mapping, Sequence
from uuid import UUID, uuid4

import pytest
from typing_extensions import override

from service.adapters.postgres.call_limit import CallLimit
from service.adapters.postgres.connection import Row
from service.adapters.postgres.head_reader import MAX_RUNNING, HeadReader
from service.adapters.postgres.pool import Pool
from service.adapters.postgres.reconnecting import ReconnectingConnection
from service.adapters.postgres.store import PostgresStore
from service.application.ports import Appended, StoreUnavailable
from tests.adapters.samples import commit
from tests.kit.waiting import until

CALLERS = 40


class CountingPool(Pool):
    """A pool that counts its statements, and begins none while it is held."""

    def __init__(self, links: Sequence[ReconnectingConnection]) -> None:
        super().__init__(links)
        self.statements = 0
        self.held = asyncio.Event()
        self.held.set()

    @override
    async def fetch(self, query: str, *args: object) -> Sequence[Row]:
        self.statements += 1
        rows = await super().fetch(query, *args)
        await self.held.wait()
        return rows


@pytest.fixture
async def pool(database_url: str) -> AsyncGenerator[CountingPool]:
    pool = CountingPool([ReconnectingConnection(database_url) for _ in range(MAX_RUNNING)])
    yield pool
    pool.held.set()
    await pool.close()


@pytest.fixture
async def log(database_url: str) -> AsyncGenerator[PostgresStore]:
    log = await PostgresStore.open(database_url)
    yield log
    await log.close()


async def games(log: PostgresStore, count: int) -> list[UUID]:
    commits = [commit(uuid4()) for _ in range(count)]
    assert set(await asyncio.gather(*map(log.append, commits))) == {Appended(1)}
    return [each.game_id for each in commits]


async def test_callers_that_wait_share_a_statement_and_each_gets_its_own_games(
    log: PostgresStore, pool: CountingPool
) -> None:
    reader, known, unknown = HeadReader(pool, CALLERS), await games(log, CALLERS), uuid4()
    answers = await asyncio.gather(*(reader.ask([game, unknown]) for game in known))
    assert answers == [{game: 1} for game in known]
    assert pool.statements == 1


async def test_a_caller_does_not_join_a_statement_that_has_begun(log: PostgresStore, pool: CountingPool) -> None:
    reader, (game,) = HeadReader(pool, CALLERS), await games(log, 1)
    pool.held.clear()
    early: list[asyncio.Future[Mapping[UUID, int]]] = []
    for running in range(1, MAX_RUNNING + 1):
        early.append(reader.ask([game]))
        await until(lambda running=running: pool.statements == running)
    assert await log.append(commit(game, 1)) == Appended(2)
    late = reader.ask([game])
    pool.held.set()
    assert await late == {game: 2}
    await asyncio.gather(*early)


async def test_whoever_asks_after_an_acknowledgement_learns_of_it(log: PostgresStore) -> None:
    async def play(game: UUID) -> None:
        for expected in range(1, 20):
            assert await log.append(commit(game, expected)) == Appended(expected + 1)
            assert await log.heads([game]) == {game: expected + 1}

    await asyncio.gather(*map(play, await games(log, CALLERS)))


async def test_a_commit_of_another_process_is_known_once_it_is_acknowledged(
    log: PostgresStore, database_url: str
) -> None:
    other, (game,) = await PostgresStore.open(database_url), await games(log, 1)
    for expected in range(1, 20):
        assert await other.append(commit(game, expected)) == Appended(expected + 1)
        assert await log.heads([game]) == {game: expected + 1}
    await other.close()


async def test_callers_that_go_away_leave_the_others_their_answers(log: PostgresStore, pool: CountingPool) -> None:
    reader, known = HeadReader(pool, CALLERS), await games(log, CALLERS)
    answers = [reader.ask([game]) for game in known]
    for gone in answers[::2]:
        gone.cancel()
    assert await asyncio.gather(*answers[1::2]) == [{game: 1} for game in known[1::2]]


async def test_a_statement_that_fails_fails_for_its_callers_alone(log: PostgresStore, pool: CountingPool) -> None:
    reader, (game,) = HeadReader(pool, CALLERS), await games(log, 1)
    bad: list[UUID] = ["no id"]  # pyright: ignore[reportAssignmentType]
    outcomes = await asyncio.gather(reader.ask(bad), reader.ask(bad), return_exceptions=True)
    assert [isinstance(outcome, Exception) for outcome in outcomes] == [True, True]
    assert await reader.ask([game]) == {game: 1}


async def test_a_call_that_takes_too_long_fails_and_the_others_do_not() -> None:
    limit, loop = CallLimit(0.05), asyncio.get_running_loop()
    never, soon = loop.create_future(), loop.create_future()
    waiting = [asyncio.ensure_future(limit.wait_for(each)) for each in (never, soon)]
    await asyncio.sleep(0)
    soon.set_result("in time")
    outcomes = await asyncio.gather(*waiting, return_exceptions=True)
    assert [str(outcome) for outcome in outcomes] == ["the database did not answer within 0.05 s", "in time"]
    assert isinstance(outcomes[0], StoreUnavailable)
    late = loop.create_future()
    with pytest.raises(StoreUnavailable):
        await limit.wait_for(late)


async def test_a_caller_that_goes_away_is_not_failed_later() -> None:
    limit, loop = CallLimit(0.05), asyncio.get_running_loop()
    gone, never = loop.create_future(), loop.create_future()
    leaving = asyncio.ensure_future(limit.wait_for(gone))
    await asyncio.sleep(0)
    leaving.cancel()
    with pytest.raises(StoreUnavailable):
        await limit.wait_for(never)
    assert gone.cancelled()
