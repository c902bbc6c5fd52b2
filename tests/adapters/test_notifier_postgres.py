"""What only happens to hints that go through a database: losses, bursts, and the notifications of strangers."""

import asyncio
import os
import signal
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from uuid import uuid4

import pytest

from service.adapters.embedded_postgres import EmbeddedPostgres
from service.adapters.postgres.connection import Connection, connect
from service.adapters.postgres.notifier import PostgresNotifier
from service.adapters.postgres.notifier_peers import Peers
from service.adapters.postgres.notifier_queue import LARGEST_PAYLOAD, MOST_WAITING, HintQueue, hints_of, payloads
from service.application.ports import PresenceBeacon, VersionHint
from service.observability.metrics import Metrics
from tests.adapters.samples import WHEN
from tests.adapters.test_notifier_contract import Ear, marked
from tests.kit.waiting import PATIENCE_SECONDS, until

OTHERS = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"


class Counted(PostgresNotifier):
    """A notifier whose metrics can be read."""

    def __init__(self, dsn: str, *, check_seconds: float, answer_seconds: float) -> None:
        self._counted = Metrics()
        super().__init__(dsn, check_seconds=check_seconds, answer_seconds=answer_seconds, metrics=self._counted)

    def count(self, name: str) -> float:
        """Return the value of the counter `pocha_<name>_total`."""
        value = self._counted.registry.get_sample_value(f"pocha_{name}_total")
        assert value is not None
        return value


@asynccontextmanager
async def listening(
    dsn: str, check_seconds: float = 5.0, answer_seconds: float = PATIENCE_SECONDS
) -> AsyncGenerator[tuple[Counted, Ear]]:
    hints = Counted(dsn, check_seconds=check_seconds, answer_seconds=answer_seconds)
    ear = Ear(hints)
    await hints.open()
    await ear.until(lambda: ear.gaps == 1)
    yield hints, ear
    await hints.close()


@asynccontextmanager
async def asking(dsn: str) -> AsyncGenerator[Connection]:
    connection = await connect(dsn)
    yield connection
    await connection.close()


async def test_a_killed_listener_comes_back_says_so_and_hears_again(empty_database_url: str) -> None:
    async with listening(empty_database_url) as (hints, ear), asking(empty_database_url) as killer:
        for losses in range(1, 4):
            await killer.execute(OTHERS.replace("SELECT pid", "SELECT pg_terminate_backend(pid)"))
            await ear.until(lambda losses=losses: ear.gaps == 1 + losses)
            assert hints.count("hint_connections_lost") == losses
        async with listening(empty_database_url) as (other, other_ear):
            await marked(other, ear)
            await marked(hints, other_ear)


async def test_what_is_published_without_a_connection_is_told_when_there_is_one(empty_database_url: str) -> None:
    async with (
        listening(empty_database_url) as (hints, _),
        listening(empty_database_url) as (_, ear),
        asking(empty_database_url) as killer,
    ):
        hint = VersionHint(uuid4(), 3)
        await killer.execute(OTHERS.replace("SELECT pid", "SELECT pg_terminate_backend(pid)"))
        hints.publish(hint)
        await ear.hears(hint)


@pytest.mark.skipif("POCHA_TEST_DATABASE_URL" in os.environ, reason="stops the server's process for the session")
async def test_a_peer_that_says_nothing_any_more_is_given_up(empty_database_url: str) -> None:
    async with asking(empty_database_url) as asker, listening(empty_database_url, 0.1, 0.5) as (hints, ear):
        [row] = await asker.fetch(OTHERS)
        os.kill(row["pid"], signal.SIGSTOP)
        try:
            await ear.until(lambda: ear.gaps >= 2)
        finally:
            os.kill(row["pid"], signal.SIGCONT)
        async with listening(empty_database_url) as (other, _):
            await marked(other, ear)
        assert hints.count("hint_connections_lost") >= 1


async def test_twenty_thousand_hints_of_a_hundred_games_become_few(empty_database_url: str) -> None:
    games = [uuid4() for _ in range(100)]
    async with listening(empty_database_url) as (hints, _), listening(empty_database_url) as (other, ear):
        for version in range(1, 201):
            for game_id in games:
                hints.publish(VersionHint(game_id, version))
            await asyncio.sleep(0)
        await ear.until(lambda: {VersionHint(game_id, 200) for game_id in games} <= set(ear.heard))
        await hints.close()
        assert other.count("hints_received") == hints.count("hints_sent") <= 10_000
        for game_id in games:
            assert ear.versions(game_id) == sorted(set(ear.versions(game_id)))


async def test_notifications_that_are_no_hints_are_ignored(empty_database_url: str) -> None:
    async with listening(empty_database_url) as (hints, ear), asking(empty_database_url) as stranger:
        for text in ("", "x", "{}", '[{"kind":"version"}]', '[{"kind":"war","game_id":"1"}]', "[" * 5000):
            await stranger.execute("SELECT pg_notify('pocha', $1)", text)
        async with listening(empty_database_url) as (other, _):
            await marked(other, ear)
        assert (len(ear.heard), hints.count("hints_received"), hints.count("hint_connections_lost")) == (1, 1, 0)


async def test_closing_waits_for_no_database_that_is_not_there(folder: Path) -> None:
    hints = PostgresNotifier(f"postgresql://pocha@/postgres?host={folder}")
    await hints.close()
    await hints.open()
    hints.publish(VersionHint(uuid4(), 1))
    await asyncio.sleep(0.05)
    await asyncio.wait_for(hints.close(), PATIENCE_SECONDS)


async def test_a_database_that_comes_later_is_found(settled: Path) -> None:
    with EmbeddedPostgres(settled) as address:
        pass
    hints = PostgresNotifier(address)
    ear, hint = Ear(hints), VersionHint(uuid4(), 1)
    await hints.open()
    hints.publish(hint)
    await asyncio.sleep(0.3)
    server = EmbeddedPostgres(settled)
    await asyncio.to_thread(server.start)
    async with listening(address) as (_, other):
        await ear.until(lambda: ear.gaps == 1)
        await marked(hints, other)
    await hints.close()
    await asyncio.to_thread(server.stop)


async def test_a_subscriber_with_a_bug_does_not_end_the_listening(
    empty_database_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    bugs = iter([RuntimeError("a bug")])

    def on_gap() -> None:
        for bug in bugs:
            raise bug

    hints = PostgresNotifier(empty_database_url)
    hints.subscribe(lambda _: None, on_gap)
    ear = Ear(hints)
    await hints.open()
    await ear.until(lambda: ear.gaps == 1)
    assert "given up" in caplog.text
    await hints.close()


async def test_a_process_that_is_alone_sends_nothing(empty_database_url: str) -> None:
    async with listening(empty_database_url) as (hints, _):
        for version in range(1, 100):
            hints.publish(VersionHint(uuid4(), version))
        async with listening(empty_database_url) as (_, ear):
            assert hints.count("hints_sent") == 0
            await marked(hints, ear)
            await until(lambda: hints.count("hints_sent") == 1)  # counted when Postgres has answered


async def test_whoever_starts_to_listen_is_sent_all_from_its_gap_on(empty_database_url: str) -> None:
    async with listening(empty_database_url, check_seconds=0.01) as (hints, _):
        for _ in range(20):
            async with listening(empty_database_url) as (_, ear):
                await marked(hints, ear)


async def test_processes_that_start_together_hear_each_other(empty_database_url: str) -> None:
    async with AsyncExitStack() as stack:
        started = [stack.enter_async_context(listening(empty_database_url)) for _ in range(5)]
        found = await asyncio.gather(*started)
        for hints, own in found:
            for _, ear in found:
                if ear is not own:
                    await marked(hints, ear)


async def test_the_others_are_known_until_their_sessions_end(empty_database_url: str) -> None:
    async with asking(empty_database_url) as one:
        peers = Peers()
        assert peers.exist
        await peers.join(one)
        assert not peers.exist
        async with asking(empty_database_url) as other:
            newcomer = Peers()
            await newcomer.join(other)
            assert newcomer.exist
            assert newcomer.are_unanswered
            await peers.look(one)
            assert peers.exist
        await until(lambda: looks_alone(peers, one))


async def looks_alone(peers: Peers, connection: Connection) -> bool:
    await peers.look(connection)
    return not peers.exist


async def test_who_is_heard_while_it_is_looked_for_exists(empty_database_url: str) -> None:
    async with asking(empty_database_url) as one:
        peers = Peers()
        looking = asyncio.create_task(peers.look(one))
        await asyncio.sleep(0)
        peers.hear(sender=-1, payload="hello", own=0)
        await looking
        assert peers.exist
        assert peers.are_greeting


class TestTheQueue:
    def test_payloads_hold_all_hints_and_are_short_enough(self) -> None:
        hints = [
            *(VersionHint(uuid4(), number) for number in range(1000)),
            *(PresenceBeacon("ñ" * (number % 60), WHEN, WHEN) for number in range(1000)),
        ]
        texts = list(payloads(hints))
        assert max(len(text.encode()) for text in texts) <= LARGEST_PAYLOAD
        assert [hint for text in texts for hint in hints_of(text)] == hints
        assert len(texts) < 2000 / 40

    def test_a_hint_that_fits_no_payload_is_left_out(self) -> None:
        hint = PresenceBeacon("p", WHEN)
        assert [hints_of(text) for text in payloads([PresenceBeacon("ñ" * 4000, WHEN), hint])] == [(hint,)]
        assert list(payloads([])) == []

    def test_the_oldest_hints_are_dropped_first(self) -> None:
        queue = HintQueue()
        hints = [VersionHint(uuid4(), 1) for _ in range(MOST_WAITING + 5)]
        sightings = [PresenceBeacon(f"p_{number}", WHEN) for number in range(MOST_WAITING + 7)]
        for hint in (*hints, *sightings):
            queue.put(hint)
        assert queue.waiting() == [*hints[5:], *sightings[7:]]

    def test_what_was_replaced_while_it_was_sent_is_sent_again(self) -> None:
        queue, game_id = HintQueue(), uuid4()
        queue.put(VersionHint(game_id, 1))
        queue.put(PresenceBeacon("p", WHEN))
        sending = queue.waiting()
        queue.put(VersionHint(game_id, 2))
        queue.sent(sending)
        assert queue.waiting() == [VersionHint(game_id, 2)]
        queue.put(VersionHint(game_id, 1))
        queue.sent(queue.waiting())
        assert len(queue) == 0
