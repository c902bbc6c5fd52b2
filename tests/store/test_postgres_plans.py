"""Each statement beside the writers' goes by its index, however full the tables are and whatever the planner knows of them."""

from collections.abc import AsyncGenerator

import pytest

from service.store import errands, reader
from service.store.connection import Connection
from service.store.link import Link

FILL_GAMES = """
    INSERT INTO game SELECT gen_random_uuid(), 1, now(), (ARRAY['waiting', 'playing', 'finished', 'finished'])[1 + number % 4],
        'private', 'clasica', 4, 0, '{}', CASE WHEN number % 4 < 2 THEN now() + number * interval '1 second' END,
        ARRAY['player-' || number % 997, 'player-' || number % 499]
    FROM generate_series(1, 20000) AS number
"""
FILL_COMMITS = """
    INSERT INTO game_commit SELECT game_id, seq, gen_random_uuid(), '', now(), 1, '[]' FROM game, generate_series(1, 3) AS seq
"""

PLANS = {
    "claim": (errands.CLAIM_OVERDUE, "now(), now(), 10", ("game_deadline", "game_pkey")),
    "seated": (reader.SEATED, "'player-7', 10", ("game_persons",)),
    "heads": (reader.HEADS, "ARRAY[gen_random_uuid()]", ("game_commit_pkey",)),
}


@pytest.fixture
async def session(database_url: str) -> AsyncGenerator[Connection]:
    """A connection as the log's own ones are."""
    link = Link(database_url)
    yield await link.get()
    await link.close()


@pytest.mark.parametrize("filling", ["empty", "full", "full and analysed"])
@pytest.mark.parametrize("name", PLANS)
async def test_the_statement_probes_its_index(session: Connection, name: str, filling: str) -> None:
    statement, arguments, indexes = PLANS[name]
    if filling != "empty":
        await session.execute(f"{FILL_GAMES}; {FILL_COMMITS};" + ("ANALYZE;" if "analysed" in filling else ""))
    await session.execute(f"PREPARE asked AS {statement}")
    rows = await session.fetch(f"EXPLAIN EXECUTE asked ({arguments})")
    plan = "\n".join(row["QUERY PLAN"] for row in rows)
    for index in indexes:
        assert index in plan
    assert "Seq Scan" not in plan
    assert plan.count("Index Cond") == len(indexes), plan
