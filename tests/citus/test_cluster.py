"""What holds on a real Citus cluster, with two workers and nothing in its database.

POCHA_TEST_CITUS_URL            the coordinator, as the role of the service
POCHA_TEST_CITUS_SUPERUSER_URL  the same, as a superuser, who moves a bucket
POCHA_TEST_CITUS_FOLDER         the folder of the cluster's data folders `node0`, `node1` and `node2`, to kill a worker; else left out
"""

import asyncio
import os
import time
from collections.abc import AsyncGenerator
from pathlib import Path
from uuid import UUID

import msgspec
import pytest

from service.adapters.postgres import layout
from service.adapters.postgres.buckets import bucket_of
from service.adapters.postgres.connection import Connection, connect
from service.adapters.postgres.store import open_store
from service.application.ids import new_game_id
from service.application.ports import Appended, GameStore, StoreUnavailable, VersionConflict
from tests.adapters.samples import commit, listing

BUCKETS = 8
URL = os.environ.get("POCHA_TEST_CITUS_URL", "")
FOLDER = Path(os.environ.get("POCHA_TEST_CITUS_FOLDER", "/nowhere"))

BIN = os.environ.get("POCHA_PG_BIN", "/usr/lib/postgresql/15/bin")

pytestmark = [
    pytest.mark.skipif(not URL, reason="POCHA_TEST_CITUS_URL names no Citus cluster"),
    pytest.mark.timeout(120),
]
needs_folder = pytest.mark.skipif(not FOLDER.exists(), reason="POCHA_TEST_CITUS_FOLDER names no folder of the cluster")


class Load(msgspec.Struct):
    """Games that are written to one after the other, each commit after the one before was acknowledged."""

    games: list[UUID]
    acknowledged: dict[UUID, int] = msgspec.field(default_factory=dict)
    refused: dict[UUID, int] = msgspec.field(default_factory=dict)
    longest_seconds: dict[UUID, float] = msgspec.field(default_factory=dict)
    progress: asyncio.Event = msgspec.field(default_factory=asyncio.Event)
    is_over: bool = False

    async def run(self, store: GameStore) -> None:
        await asyncio.gather(*(self._write(store, game) for game in self.games))

    async def _write(self, store: GameStore, game: UUID) -> None:
        version = 0
        while not self.is_over:
            began = time.monotonic()
            try:
                outcome = await store.append(commit(game, version, listing=listing() if version % 8 == 0 else None))
            except StoreUnavailable:
                self.refused[game] = self.refused.get(game, 0) + 1
                version = len(await self._read_patiently(store, game))
            else:
                assert outcome == Appended(version + 1)
                version = self.acknowledged[game] = version + 1
                self.progress.set()
            self.longest_seconds[game] = max(self.longest_seconds.get(game, 0.0), time.monotonic() - began)

    async def _read_patiently(self, store: GameStore, game: UUID) -> list[object]:
        while not self.is_over:
            try:
                return list(await store.read(game))
            except StoreUnavailable:
                await asyncio.sleep(0.05)
        return [None] * self.acknowledged.get(game, 0)


@pytest.fixture
async def store() -> AsyncGenerator[GameStore]:
    await layout.migrate(URL, BUCKETS)
    store = await open_store(URL)
    yield store
    await store.close()


@pytest.fixture
async def connection(store: GameStore) -> AsyncGenerator[Connection]:
    assert store.is_working()
    connection = await connect(URL)
    yield connection
    await connection.close()


async def ports(connection: Connection) -> dict[int, int]:
    """Return the port of the server of each bucket."""
    rows = await connection.fetch(
        "SELECT DISTINCT schema_name::text AS name, nodeport AS port FROM citus_shards JOIN citus_schemas"
        " ON split_part(table_name::text, '.', 1) = schema_name::text"
    )
    return {int(row["name"].removeprefix("pocha_")): row["port"] for row in rows}


async def until(load: Load, wanted: set[UUID], seconds: float = 60) -> None:
    """Wait until every one of the games is written to once more than now."""
    before = {game: load.acknowledged.get(game, 0) for game in wanted}
    async with asyncio.timeout(seconds):
        while any(load.acknowledged.get(game, 0) <= before[game] for game in wanted):
            await load.progress.wait()
            load.progress.clear()


async def require_all(store: GameStore, load: Load) -> None:
    """Every acknowledged commit is there, once."""
    for game in load.games:
        versions = [each.version for each in await store.read(game)]
        assert versions == list(range(1, len(versions) + 1))
        assert len(versions) >= load.acknowledged.get(game, 0)


async def test_the_buckets_are_spread_over_the_servers(connection: Connection) -> None:
    assert len(set((await ports(connection)).values())) == 2


async def test_two_processes_have_one_winner_a_version(store: GameStore) -> None:
    other = await open_store(URL)
    games = [new_game_id() for _ in range(20)]
    for version in range(4):
        appends = [each.append(commit(game, version)) for each in (store, other) for game in games]
        outcomes = await asyncio.gather(*appends)
        assert outcomes.count(Appended(version + 1)) == 20
        assert outcomes.count(VersionConflict(version + 1)) == 20
    await other.close()


@needs_folder
async def test_while_a_worker_is_killed_the_games_of_the_others_are_written(
    store: GameStore, connection: Connection
) -> None:
    where = await ports(connection)
    load = Load([new_game_id() for _ in range(32)])
    gone = {game for game in load.games if where[bucket_of(game, BUCKETS)] == where[1]}
    others = set(load.games) - gone
    assert gone
    assert others
    running = asyncio.create_task(load.run(store))
    await until(load, set(load.games))
    node = next(
        node for node in ("node1", "node2") if f"port = {where[1]}" in (FOLDER / node / "postgresql.conf").read_text()
    )
    await _control(node, "stop", "-m", "immediate")
    for _ in range(20):
        await until(load, others)
    listed = {bucket_of(game, BUCKETS) for game in await store.heads(load.games)}
    assert where[1] not in {where[bucket] for bucket in listed}
    await _control(node, "start", "-l", str(FOLDER / node / "log"))
    await until(load, set(load.games))
    load.is_over = True
    await running
    await require_all(store, load)


async def test_a_bucket_moves_between_servers_under_load(store: GameStore, connection: Connection) -> None:
    where = await ports(connection)
    source = where[0]
    target = next(port for port in where.values() if port != source)
    load = Load([new_game_id() for _ in range(32)])
    running = asyncio.create_task(load.run(store))
    await until(load, set(load.games))
    superuser = await connect(os.environ.get("POCHA_TEST_CITUS_SUPERUSER_URL", URL))
    await superuser.fetch("SELECT citus_schema_move('pocha_0', '127.0.0.1', $1::integer)", target)
    await until(load, set(load.games))
    load.is_over = True
    await running
    assert (await ports(connection))[0] == target
    assert not load.refused
    await require_all(store, load)
    await superuser.fetch("SELECT citus_schema_move('pocha_0', '127.0.0.1', $1::integer)", source)
    await superuser.close()


async def _control(node: str, *arguments: str) -> None:
    """Run pg_ctl on a server of the cluster."""
    command = ["runuser", "-u", "postgres", "--", f"{BIN}/pg_ctl", "-D", str(FOLDER / node), "-w", *arguments]
    process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.DEVNULL, cwd="/")
    assert await process.wait() == 0
