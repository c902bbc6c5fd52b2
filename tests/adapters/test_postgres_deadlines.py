"""What only the log in Postgres promises about overdue games: between services, and beside the writers."""

import asyncio
from contextlib import AsyncExitStack
from datetime import timedelta
from uuid import UUID, uuid4

from service.adapters.postgres.connection import connect
from service.adapters.postgres.store import PostgresStore
from service.application.ports import Appended, GameStore, ListingQuery
from tests.adapters.samples import WHEN, commit, listing
from tests.kit.waiting import PATIENCE_SECONDS

LEASE = timedelta(seconds=5)
DUE = listing(deadline=WHEN)


async def open_logs(database_url: str, number: int, stack: AsyncExitStack) -> list[PostgresStore]:
    logs = [await PostgresStore.open(database_url) for _ in range(number)]
    for log in logs:
        stack.push_async_callback(log.close)
    return logs


async def claim_all(log: GameStore) -> list[UUID]:
    mine: list[UUID] = []
    while claimed := await log.claim(WHEN, WHEN + LEASE, 7):
        mine += [overdue.game_id for overdue in claimed]
    return mine


async def test_of_several_services_that_claim_at_once_one_gets_each_game(database_url: str) -> None:
    async with AsyncExitStack() as stack:
        logs = await open_logs(database_url, 4, stack)
        games = [uuid4() for _ in range(200)]
        await asyncio.gather(*(logs[0].append(commit(game, listing=DUE)) for game in games))
        shares = await asyncio.gather(*(claim_all(log) for log in logs for _ in range(3)))
        assert sorted(game for share in shares for game in share) == sorted(games)
        assert sum(bool(share) for share in shares) > 1


async def test_a_claim_does_not_wait_for_a_game_that_is_being_written(database_url: str) -> None:
    async with AsyncExitStack() as stack:
        [log] = await open_logs(database_url, 1, stack)
        busy, idle = uuid4(), uuid4()
        for game in (busy, idle):
            await log.append(commit(game, listing=DUE))
        writer = await connect(database_url)
        stack.push_async_callback(writer.close)
        await writer.execute("BEGIN")
        await writer.execute("UPDATE game SET version = 2 WHERE game_id = $1", busy)
        async with asyncio.timeout(PATIENCE_SECONDS):
            assert await claim_all(log) == [idle]
        await writer.execute("COMMIT")
        assert await claim_all(log) == [busy]


async def test_claims_and_batches_that_write_the_same_games_never_deadlock(database_url: str) -> None:
    async with AsyncExitStack() as stack:
        logs = await open_logs(database_url, 2, stack)
        games = [uuid4() for _ in range(40)]
        claimed, round_of_claims = 0, asyncio.Event()

        async def play(log: GameStore, own_games: list[UUID]) -> None:
            for expected in range(30):
                news = (commit(game, expected, listing=DUE) for game in own_games)
                assert set(await asyncio.gather(*map(log.append, news))) == {Appended(expected + 1)}
                round_of_claims.clear()
                await round_of_claims.wait()

        async def keep_claiming(log: GameStore) -> None:
            nonlocal claimed
            while True:
                for overdue in await log.claim(WHEN, WHEN + LEASE, 30):
                    claimed += 1
                    await log.reschedule(overdue, WHEN)
                round_of_claims.set()

        claiming = [asyncio.create_task(keep_claiming(log)) for log in logs * 2]
        await asyncio.gather(play(logs[0], games[::2]), play(logs[1], games[1::2]))
        assert claimed
        assert not any(task.done() for task in claiming)
        for task in claiming:
            task.cancel()
        await asyncio.wait(claiming)
        assert set((await logs[0].heads(games)).values()) == {30}
        rows = await logs[0].listed(ListingQuery(visibility="public", limit=99))
        assert {row.version for row in rows} == {30}
