"""Web hooks over Postgres: processes share the work, and no order of transactions hides a commit."""

import asyncio
from collections.abc import AsyncGenerator

import pytest

from service.adapters.postgres.connection import connect
from service.adapters.postgres.pool import Pool
from service.adapters.postgres.reconnecting import ReconnectingConnection
from service.adapters.postgres.store import PostgresStore
from service.bootstrap.side_stores import SideStores
from tests.kit.clock import SetClock
from tests.kit.hook_receiver import Receiver
from tests.webhooks.conftest import MakeShop, Shop

MOVE_AWAY = """
    WITH commits AS (DELETE FROM game_commit WHERE game_id = $1 RETURNING *),
    games AS (DELETE FROM game WHERE game_id = $1 RETURNING *)
    SELECT (SELECT jsonb_agg(to_jsonb(commits)) FROM commits)::text AS commits,
        (SELECT jsonb_agg(to_jsonb(games)) FROM games)::text AS games
"""


@pytest.fixture
async def log(database_url: str) -> AsyncGenerator[PostgresStore]:
    store = await PostgresStore.open(database_url)
    yield store
    await store.close()


@pytest.fixture
async def side_stores(database_url: str) -> AsyncGenerator[SideStores]:
    pool = Pool([ReconnectingConnection(database_url) for _ in range(2)])
    yield SideStores.over(pool)
    await pool.close()


async def test_a_transaction_that_commits_after_later_ones_is_told_all_the_same(
    shop: Shop, receiver: Receiver, database_url: str
) -> None:
    await shop.hook(receiver.url, ["game.started"])
    ana = await shop.user()
    early = (await ana.create(robots=2))["game_id"]
    slow = await connect(database_url)
    [rows] = await slow.fetch(MOVE_AWAY, early)
    await slow.execute("BEGIN")
    await slow.fetch(
        "INSERT INTO game_commit SELECT * FROM jsonb_populate_recordset(NULL::game_commit, $1::text::jsonb)",
        rows["commits"],
    )
    await slow.fetch(
        "INSERT INTO game SELECT * FROM jsonb_populate_recordset(NULL::game, $1::text::jsonb)", rows["games"]
    )
    late = (await ana.create(robots=2))["game_id"]
    await shop.courier.run_once()
    assert (receiver.of(early), receiver.of(late)) == ([], [("game.started", 1)])
    await slow.execute("COMMIT")
    await slow.close()
    await shop.courier.run_once()
    assert (receiver.of(early), receiver.of(late)) == ([("game.started", 1)], [("game.started", 1)])


async def test_processes_over_one_database_deliver_once_and_settle(
    shops: MakeShop, clock: SetClock, receiver: Receiver, database_url: str
) -> None:
    processes: list[Shop] = [await shops() for _ in range(3)]
    hook = await processes[0].hook(receiver.url)
    ana = await processes[0].user()
    games = [(await ana.create(robots=2))["game_id"] for _ in range(5)]
    await processes[0].finish(ana, game_id=games[0], moves=3)
    for game_id in games:
        await processes[0].ask("DELETE", f"/v1/games/{game_id}")
    receiver.answer = lambda message: 500 if message.json["type"] == "game.started" else 204
    await asyncio.gather(*(process.courier.run_once() for process in processes))
    receiver.answer = lambda _: 204
    clock.pass_by(minutes=1)
    for _ in range(2):
        await asyncio.gather(*(process.courier.run_once() for process in processes))
        clock.pass_by(minutes=2)
    for game_id in games:
        told = receiver.of(game_id)
        assert told[0] == ("game.started", 1)
        assert len(told[1:]) == len(set(told[1:]))
        assert [version for _, version in told] == sorted(version for _, version in told)
        assert told[-1][0] == "game.abandoned"
    connection = await connect(database_url)
    assert await connection.fetchval("SELECT count(*) FROM hook_position") == 0
    assert await connection.fetchval("SELECT count(*) FROM game WHERE NOT hooks_settled") == 0
    await connection.close()
    assert await processes[0].failed(hook) == []
