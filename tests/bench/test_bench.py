"""The measurements count what they say. Nothing here depends on the clock."""

import random

import pytest

from service.adapters.memory.store import MemoryStore
from service.adapters.postgres import layout
from service.adapters.postgres.buckets import qualified, schemas
from service.adapters.postgres.connection import connect
from service.application.ids import new_game_id
from service.application.ports import Appended
from tests.bench import appends, core, limit, live, report, script, trials
from tests.bench.load import Tables, Writes, round_of
from tests.bench.postgres_cpu import PostgresCpu
from tests.bench.serving import running
from tests.kit import wire

TINY = trials.Size(
    rounds=1,
    hands=1,
    moves=6,
    commits=appends.WRITERS,
    seconds=0.2,
    streams=20,
    streamed=2,
    unhinted=1,
    readers=600,
    hard_tables=1,
)


@pytest.mark.parametrize(("persons", "moves"), [(3, 3 * 3 * 13), (1, 3 * 13)])
async def test_a_script_has_every_move_of_the_persons_in_a_whole_game(persons: int, moves: int) -> None:
    steps = await script.script(persons)
    assert len(steps) == moves
    assert sum(step.resource == "bids" for step in steps) == 3 * persons
    assert {step.person for step in steps} == set(range(persons))


async def test_the_same_script_comes_every_time() -> None:
    assert await script.script(3) == await script.script(3)


@pytest.mark.parametrize("way", core.WAYS)
def test_every_way_plays_a_whole_hand(way: core.Way) -> None:
    assert way(core.dealing(), random.Random(1)) == 4 * (core.CARDS + 1)


def test_an_answer_is_parsed_when_it_is_whole() -> None:
    received = b"HTTP/1.1 201 Created\r\ncontent-length: 2\r\nx: y\r\n\r\n{}"
    assert wire.parsed(received) == wire.Answer(201, b"{}")
    assert all(wire.parsed(received[:end]) is None for end in range(len(received)))


def test_percentiles_are_values_that_were_measured() -> None:
    assert [report.percentile([3, 1, 2, 4], percent) for percent in (1, 50, 99, 100)] == [1, 2, 4, 4]


async def test_the_limit_writes_one_commit_a_request() -> None:
    log = MemoryStore()
    first = limit.commit(new_game_id(), 0)
    assert await log.append(first) == Appended(1)
    assert await log.append(limit.commit(first.game_id, 1)) == Appended(2)


async def test_a_load_counts_each_acknowledged_move(database_url: str) -> None:
    with running("service", database_url) as service, running("limit", database_url) as bare:
        measured = await trials.load(service, bare, 1, 2, TINY)
        played = await Tables.with_persons(service, 3, await script.script(3), 118)
        two_games = await round_of([service], 1, played.prepare)
        written = await round_of([bare], 2, Writes(3).prepare)
        refused = await Tables.with_persons(service, 3, (await script.script(3))[::-1], 1)
        with pytest.raises(AssertionError):
            await round_of([service], 1, refused.prepare)
    rounds = [*measured.moves, *measured.writes, written]
    assert [(one.count, len(one.latencies)) for one in rounds] == [(6, 6)] * 3
    assert two_games.count == 118
    assert len([*report.of_load([measured])]) == 5


async def test_every_way_to_play_makes_moves(database_url: str) -> None:
    postgres = await PostgresCpu.of(database_url)
    with (
        running("service", database_url) as service,
        running("service", database_url) as twin,
        running("limit", database_url) as bare,
    ):
        played = await trials.played((service, twin, bare), 2, TINY, postgres)
    assert list(played.ways) == ["move", "get+move", "move+streams", "bots"]
    rounds = [*played.writes, *played.twin, *(one for ways in played.ways.values() for one in ways)]
    assert all(one.count == len(one.latencies) > 0 for one in rounds)
    assert len([*report.of_control([played]), *report.of_ways(played)]) == 3 + 7


async def test_at_a_fixed_rate_what_comes_late_counts_as_latency(database_url: str) -> None:
    with running("service", database_url) as service:
        played = await Tables.with_persons(service, 3, await script.script(3), 10)
        calm = await round_of([service], 2, played.prepare, rate=50)
        flooded = await round_of([service], 2, played.prepare, rate=1e6)
    assert (calm.count, flooded.count) == (20, 20)
    assert calm.seconds >= 19 / 50
    # All are due at once, so the last of a table waits for all others of it.
    assert max(flooded.latencies) > 0.8 * flooded.seconds


async def test_moves_are_made_beside_more_readers_than_are_served_at_a_time(database_url: str) -> None:
    with running("service", database_url) as service, running("limit", database_url) as limit:
        closed = await trials.load(service, limit, 3, 2, TINY)
        calm, beside, crowd = await trials.crowded(service, closed, TINY)
    assert calm.count == beside.count > 0
    assert crowd.answered > 0
    assert len([*report.of_crowd(calm, beside, TINY.readers, crowd)]) == 5


async def test_moves_are_made_beside_robots_that_search(database_url: str) -> None:
    await layout.migrate(database_url, 8)
    with running("service", database_url) as service:
        rounds, searched = await trials.beside_robots(service, 2, TINY)
    assert [one.alone.count == one.beside.count == one.again.count > 0 for one in rounds] == [True]
    assert searched > 0
    assert len([*report.of_robots(rounds, TINY.hard_tables, searched)]) == 6


async def test_every_stream_hears_of_every_move(database_url: str) -> None:
    measured = await trials.fan_outs(database_url, TINY)
    assert [(one.games, one.streams, [len(each) for each in one.delays]) for one in measured] == [
        (1, 20, [20, 20]),
        (20, 20, [20, 20]),
    ]
    assert len([*report.of_streams(measured)]) == 4


async def test_news_comes_from_one_process_to_the_other_with_and_without_hints(database_url: str) -> None:
    with running("service", database_url) as one, running("service", database_url) as other:
        alone, both = await trials.together(one, other, 3, 2, TINY)
        hinted = await live.across(one, other, 4)
    lost = await trials.unhinted(database_url, TINY)
    assert [round_.count for round_ in (*alone, *both)] == [6, 6]
    assert (len(hinted), len(lost)) == (4, 1)
    assert len([*report.of_replicas(2, alone, both), *report.of_news(hinted, lost)]) == 8


@pytest.mark.parametrize("buckets", [1, 8])
async def test_appends_write_every_commit(database_url: str, buckets: int) -> None:
    await layout.migrate(database_url, buckets)
    assert await appends.grouped(database_url, 2, writers=3) > 0
    assert await appends.single(database_url, 2, writers=3) > 0
    assert await _rows(database_url) == 2 * 2 * 3


async def _rows(database_url: str) -> int:
    connection = await connect(database_url)
    try:
        places = schemas(await layout.count(connection))
        return sum(
            [await connection.fetchval(qualified("SELECT count(*) FROM game_commit", place)) for place in places]
        )
    finally:
        await connection.close()
