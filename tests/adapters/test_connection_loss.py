"""Connections and servers that go away under the log: what was acknowledged is there, once."""

import asyncio
import contextlib
import os
import signal
import struct
from collections.abc import AsyncGenerator, Awaitable, Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TypeVar
from uuid import UUID, uuid4

import msgspec
import pytest

from service.adapters.embedded_postgres import EmbeddedPostgres
from service.adapters.postgres import migrate
from service.adapters.postgres.connection import connect
from service.adapters.postgres.store import PostgresStore
from service.application.ports import AlreadyDone, Appended, GameStore, Outcome, OverdueGame, StoreUnavailable
from tests.adapters.samples import WHEN, commit, listing
from tests.kit.postgres_proxy import Proxy, proxied
from tests.kit.waiting import PATIENCE_SECONDS, until

T = TypeVar("T")

by_socket = pytest.mark.skipif(
    "POCHA_TEST_DATABASE_URL" in os.environ, reason="the proxy reaches a server by its socket"
)

TERMINATE_ALL_BUT_US = """
    SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
"""


async def persist(log: GameStore, game: UUID, expected: int) -> UUID:
    """Append one commit, asking again under the same command id while the log is unavailable; return that id."""
    new = commit(game, expected, listing=listing() if expected % 5 == 0 else None)
    while True:
        try:
            outcome = await log.append(new)
        except StoreUnavailable:
            await asyncio.sleep(0.05)
        else:
            assert outcome in (Appended(expected + 1), AlreadyDone(expected + 1))
            return new.command_id


async def play(log: GameStore, game: UUID, commits: int, done: list[UUID]) -> list[UUID]:
    """Append so many commits, each noted in `done`; return their command ids."""
    commands: list[UUID] = []
    for expected in range(commits):
        commands.append(await persist(log, game, expected))
        done.append(game)
    return commands


async def test_connections_killed_under_load_lose_nothing_and_double_nothing(database_url: str) -> None:
    log = await PostgresStore.open(database_url)
    killer = await connect(database_url)
    games = [uuid4() for _ in range(24)]
    done: list[UUID] = []
    playing = asyncio.gather(*(play(log, game, 40, done) for game in games))
    killed = 0
    for number in range(20, 24 * 40, 20):
        await until(lambda number=number: len(done) >= number)
        killed += await killer.fetchval(TERMINATE_ALL_BUT_US)
    for game, commands in zip(games, await playing, strict=True):
        commits = await log.read(game)
        assert [(each.version, each.command_id) for each in commits] == list(enumerate(commands, start=1))
    assert killed
    await killer.close()
    await log.close()


class TestACutInTheNetwork:
    @pytest.fixture
    async def through(self, database_url: str, folder: Path) -> AsyncGenerator[tuple[Proxy, PostgresStore]]:
        async with proxied(database_url, folder) as (proxy, address):
            log = await PostgresStore.open(address)
            await log.append(commit(uuid4()))
            yield proxy, log
            await log.close()

    @by_socket
    async def test_of_two_copies_of_a_command_whose_answers_were_lost_one_was_carried_out(
        self, through: tuple[Proxy, PostgresStore]
    ) -> None:
        proxy, log = through
        first = commit(uuid4(), fingerprint=b"cut here")
        copy = msgspec.structs.replace(first, recorded_at=first.recorded_at + timedelta(microseconds=1))
        proxy.cut_once(b"cut here", deliver=True)
        outcomes = await asyncio.gather(log.append(first), log.append(copy))
        (written,) = await log.read(first.game_id)
        by_copy = dict(zip((first.recorded_at, copy.recorded_at), outcomes, strict=True))
        assert by_copy.pop(written.recorded_at) == Appended(1)
        assert list(by_copy.values()) == [AlreadyDone(1)]

    @by_socket
    async def test_a_commit_whose_answer_was_lost_is_found_and_not_written_again(
        self, through: tuple[Proxy, PostgresStore]
    ) -> None:
        proxy, log = through
        new = commit(uuid4(), fingerprint=b"cut here")
        proxy.cut_once(b"cut here", deliver=True)
        assert await log.append(new) == Appended(1)
        assert [each.command_id for each in await log.read(new.game_id)] == [new.command_id]
        assert proxy.cuts == 1

    @by_socket
    async def test_a_commit_that_never_arrived_is_written_after_all(self, through: tuple[Proxy, PostgresStore]) -> None:
        proxy, log = through
        new = commit(uuid4(), fingerprint=b"cut here")
        proxy.cut_once(b"cut here", deliver=False)
        assert await log.append(new) == Appended(1)
        assert [each.command_id for each in await log.read(new.game_id)] == [new.command_id]
        assert proxy.cuts == 1

    @by_socket
    @pytest.mark.parametrize("deliver", [True, False])
    async def test_a_whole_batch_in_doubt_gets_the_answers_it_would_have_got(
        self, through: tuple[Proxy, PostgresStore], deliver: bool
    ) -> None:
        proxy, log = through
        games = [uuid4() for _ in range(10)]
        proxy.cut_once(b"cut here", deliver=deliver)
        news = [commit(game, fingerprint=b"cut here", listing=listing()) for game in games for _ in range(3)]
        outcomes = await asyncio.gather(*(log.append(new) for new in news))
        assert outcomes.count(Appended(1)) == 10
        assert [len(await log.read(game)) for game in games] == [1] * 10
        assert proxy.cuts == 1

    @by_socket
    async def test_a_reader_cut_off_reads_again(self, through: tuple[Proxy, PostgresStore]) -> None:
        proxy, log = through
        new = commit(uuid4())
        await log.append(new)
        proxy.cut_once(new.game_id.bytes, deliver=False)
        assert len(await log.read(new.game_id)) == 1
        assert proxy.cuts == 1

    @by_socket
    @pytest.mark.parametrize("deliver", [True, False])
    async def test_a_reservation_whose_answer_was_lost_is_kept_as_it_was_made(
        self, through: tuple[Proxy, PostgresStore], deliver: bool
    ) -> None:
        proxy, log = through
        key, game = uuid4(), uuid4()
        proxy.cut_once(key.bytes, deliver=deliver)
        assert await log.reserve(key, game) == game
        assert await log.reserve(key, uuid4()) == game
        assert proxy.cuts == 1

    @by_socket
    async def test_games_whose_claim_was_never_heard_of_are_overdue_again_at_the_leases_end(
        self, through: tuple[Proxy, PostgresStore]
    ) -> None:
        proxy, log = through
        new, until = commit(uuid4(), listing=listing(deadline=WHEN)), WHEN + timedelta(seconds=5)
        await log.append(new)
        proxy.cut_once(_as_sent(until), deliver=True)
        assert list(await log.claim(WHEN, until, 9)) == []
        assert proxy.cuts == 1
        assert list(await log.claim(until, until, 9)) == [OverdueGame(new.game_id, 1)]


async def test_a_server_that_restarts_under_load_is_waited_for(settled: Path) -> None:
    server = EmbeddedPostgres(settled)
    address = server.start()
    await migrate.migrate(address)
    log = await PostgresStore.open(address, patience=PATIENCE_SECONDS)
    games = [uuid4() for _ in range(8)]
    playing = asyncio.gather(*(play(log, game, 200, []) for game in games))
    await asyncio.sleep(0.1)
    await asyncio.to_thread(server.stop)
    await asyncio.to_thread(server.start)
    for game, commands in zip(games, await playing, strict=True):
        assert [each.command_id for each in await log.read(game)] == commands
    await log.close()
    await asyncio.to_thread(server.stop)


async def test_a_server_that_stays_away_makes_the_log_unavailable_until_it_is_back(settled: Path) -> None:
    server = EmbeddedPostgres(settled)
    address = server.start()
    await migrate.migrate(address)
    log = await PostgresStore.open(address, patience=0.2)
    new = commit(uuid4())
    assert await log.append(new) == Appended(1)
    server.stop()
    for _ in range(2):
        calls = (
            log.append(commit(new.game_id, 1)),
            log.read(new.game_id),
            log.seated("ana", 9),
            log.claim(WHEN, WHEN, 9),
            log.check(),
        )
        async with asyncio.timeout(PATIENCE_SECONDS):
            errors = await asyncio.gather(*calls, return_exceptions=True)
        assert [type(error) for error in errors] == [StoreUnavailable] * 5
    server.start()
    outcome: Outcome = await log.append(commit(new.game_id, 1))
    assert outcome == Appended(2)
    assert len(await log.read(new.game_id)) == 2
    await log.close()
    server.stop()


async def test_a_log_cannot_be_opened_without_a_database(folder: Path) -> None:
    with pytest.raises(StoreUnavailable, match="no connection to the database"):
        await PostgresStore.open(f"postgresql://pocha@/postgres?host={folder}", patience=0.1)


async def test_a_database_that_hangs_is_told_within_the_limits_and_works_again_afterwards(settled: Path) -> None:
    with EmbeddedPostgres(settled) as address:
        await migrate.migrate(address)
        log = await PostgresStore.open(address, call_seconds=0.5, check_seconds=0.2)
        connection = await connect(address)
        pids = [row["pid"] for row in await connection.fetch("SELECT pid FROM pg_stat_activity")]
        await connection.close()
        postmaster = int((settled / "postgres/data/postmaster.pid").read_text().split()[0])
        stopped = [postmaster, *pids]
        new = commit(uuid4())
        try:
            for pid in stopped:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGSTOP)
            async with asyncio.timeout(PATIENCE_SECONDS):
                for call in (log.check(), log.append(new), log.read(new.game_id), log.reserve(uuid4(), uuid4())):
                    with pytest.raises(StoreUnavailable):
                        await call
        finally:
            for pid in stopped:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGCONT)
        async with asyncio.timeout(PATIENCE_SECONDS):
            assert await _until_answered(lambda: log.append(new)) in (Appended(1), AlreadyDone(1))
            commits = await _until_answered(lambda: log.read(new.game_id))
        assert [each.command_id for each in commits] == [new.command_id]
        await log.close()


async def _until_answered(ask: Callable[[], Awaitable[T]]) -> T:
    while True:
        with contextlib.suppress(StoreUnavailable):
            return await ask()
        await asyncio.sleep(0.05)


def _as_sent(when: datetime) -> bytes:
    """Return the bytes of a time in a request to Postgres: microseconds since the year 2000."""
    return struct.pack("!q", (when - datetime(2000, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1))
