"""Each statement beside the writers' goes by its index, however full the tables are and whatever the planner knows of them."""

import asyncio
from collections.abc import AsyncGenerator, Generator

import pytest

from service.adapters.postgres import (
    deadline_queue,
    hook_positions,
    join_codes,
    matches,
    profiles,
    queries,
    retention,
    score_keepers,
    statistics,
    webhooks,
)
from service.adapters.postgres.connection import Connection, connect
from service.adapters.postgres.reconnecting import ReconnectingConnection
from tests.conftest import Databases

FILL_GAMES = """
    INSERT INTO game SELECT gen_random_uuid(), 1, now(), (ARRAY['waiting', 'playing', 'finished', 'finished'])[1 + number % 4],
        'private', 'clasica', 4, 0, '{}', CASE WHEN number % 4 < 2 THEN now() + number * interval '1 second' END,
        ARRAY['player-' || number % 997, 'player-' || number % 499], 'app:' || number % 3
    FROM generate_series(1, 20000) AS number
"""
FILL_RESERVATIONS = """
    INSERT INTO reservation SELECT gen_random_uuid(), game_id, now() - number * interval '1 second'
    FROM game, generate_series(1, 2) AS number
"""
FILL_COMMITS = """
    INSERT INTO game_commit SELECT game_id, seq, gen_random_uuid(), '', now(), 1, '[]' FROM game, generate_series(1, 3) AS seq
"""

FILL_SCORE_KEEPERS = """
    INSERT INTO score_keeper SELECT gen_random_uuid(), 'app:' || number % 3, gen_random_uuid(), '', now(),
        now() - number * interval '1 second', '{}', ARRAY['Ana', 'Beto'], 0, ARRAY['player-' || number % 997]
    FROM generate_series(1, 20000) AS number;
    INSERT INTO score_keeper_entry SELECT score_keeper_id, version, gen_random_uuid(), '', 'ana', now(), 1, '{}'
    FROM score_keeper, generate_series(2, 4) AS version;
    INSERT INTO join_code SELECT gen_random_uuid(), '', number::text, 'game', now() + number * interval '1 second'
    FROM generate_series(1, 20000) AS number;
    INSERT INTO match_request SELECT gen_random_uuid(), '', 'player-' || number, gen_random_uuid(), '', now(), now(),
        (number % 97)::text, '{}', 3, NULL, CASE WHEN number % 9 = 0 THEN 'waiting' ELSE 'matched' END,
        CASE WHEN number % 9 > 0 THEN gen_random_uuid() END, number % 9 > 0,
        CASE WHEN number % 9 = 0 THEN now() + number * interval '1 second' END
    FROM generate_series(1, 20000) AS number
"""

FILL_HOOKS = """
    INSERT INTO webhook SELECT gen_random_uuid(), 'app:' || number % 3, gen_random_uuid(), '', now(), '', '{}', '[]'
    FROM generate_series(1, 3000) AS number;
    INSERT INTO hook_position SELECT game_id, webhook_id, gen_random_uuid(), NULL, 1, 0, 0, CASE WHEN random() < 0.1 THEN now() END
    FROM game CROSS JOIN (SELECT webhook_id FROM webhook LIMIT 2) AS webhook;
    INSERT INTO webhook_delivery SELECT gen_random_uuid(), webhook_id, 'game.started', gen_random_uuid(), 1, 0, now(), 9,
        now() - number * interval '1 hour', NULL, NULL, 'failed'
    FROM webhook CROSS JOIN generate_series(1, 5) AS number
"""
_FOLLOWER = "ARRAY[gen_random_uuid()], ARRAY['app:1'], ARRAY[now() - interval '1 day']"

PLANS = {
    "claim": (deadline_queue.CLAIM, "now(), now(), 10", ("game_deadline", "game_pkey")),
    "seated": (queries.SEATED, "'player-7', 10, 'app:1'", ("game_persons",)),
    "of player": (
        queries.OF_PLAYER,
        "'player-7', 'app:1', NULL, gen_random_uuid(), 10",
        ("game_persons", "game_persons_over"),
    ),
    "profiles": (profiles.PROFILES, "ARRAY[gen_random_uuid()]", ("player_pkey",)),
    "changed profiles": (profiles.CHANGED, "now()", ("player_changed",)),
    "listed": (
        queries.LISTED,
        "'app:1', ARRAY['public', 'private'], ARRAY['waiting', 'playing'], gen_random_uuid(), NULL, 10",
        ("game_lobby",),
    ),
    "heads": (queries.HEADS, "ARRAY[gen_random_uuid()]", ("game_commit_pkey",)),
    "read": (queries.READ, "gen_random_uuid(), 2, 10", ("game_commit_pkey",)),
    "find": (
        queries.FIND,
        "gen_random_uuid(), gen_random_uuid()",
        ("game_commit_game_id_command_id_key",),
    ),
    "overdue": (deadline_queue.OVERDUE, "now(), 10", ("game_deadline",)),
    "delete games": (
        retention.DELETE_GAMES,
        "now(), 10",
        ("game_over", "game_commit_pkey", "game_commit_pkey", "hook_position_pkey", "game_pkey"),
    ),
    "delete reservations": (
        retention.DELETE_RESERVATIONS,
        "now(), 10",
        ("reservation_age", "game_pkey", "reservation_pkey"),
    ),
    "read score sheet": (score_keepers.READ, "gen_random_uuid()", ("score_keeper_pkey",)),
    "read entries": (score_keepers.ENTRIES, "gen_random_uuid()", ("score_keeper_entry_",)),
    "done entry": (
        score_keepers.DONE,
        "gen_random_uuid(), gen_random_uuid()",
        ("score_keeper_entry_score_keeper_id_command_id_key",),
    ),
    "head of entries": (
        score_keepers.HEAD,
        "gen_random_uuid()",
        ("score_keeper_entry_pkey", "score_keeper_pkey"),
    ),
    "listed score sheets": (
        score_keepers.LISTED,
        "'app:1', 'player-7', gen_random_uuid(), 10",
        ("score_keeper_members",),
    ),
    "delete score sheets": (
        retention.DELETE_SCORE_KEEPERS,
        "now(), 10",
        ("score_keeper_changed", "score_keeper_entry_", "score_keeper_pkey"),
    ),
    "read match": (matches.READ, "gen_random_uuid()", ("match_request_pkey",)),
    "entered match": (matches.ENTERED, "gen_random_uuid()", ("match_request_command_id_key",)),
    "group of match": (matches.GROUP, "gen_random_uuid()", ("match_request_game",)),
    "settle match": (matches.SETTLE, "gen_random_uuid()", ("match_request_game",)),
    "due matches": (matches.CLAIM, "now(), now(), 10", ("match_request_due", "match_request_pkey")),
    "old matches": (matches.DELETE_OLD, "now()", ("match_request_age", "match_request_pkey")),
    "hooks behind": (
        hook_positions.BEHIND,
        f"{_FOLLOWER}, now(), 10",
        ("game_hooks", "game_commit_pkey", "hook_position_pkey", "game_commit_pkey"),
    ),
    "hooks due": (hook_positions.DUE, "now(), 10", ("hook_position_due",)),
    "take hook": (
        hook_positions.TAKE,
        "gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), now(), now()",
        ("hook_position_pkey",),
    ),
    "begin hook": (
        hook_positions.BEGIN,
        "gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), now()",
        ("game_pkey",),
    ),
    "forget hook": (hook_positions.FORGET, "gen_random_uuid()", ("hook_position_hook",)),
    "settle hooks": (
        hook_positions.SETTLE,
        f"{_FOLLOWER}, now(), 10",
        ("game_unsettled", "game_commit_pkey", "hook_position_pkey", "hook_position_pkey", "game_pkey"),
    ),
    "listed hooks": (webhooks.LISTED, "'app:1', gen_random_uuid(), 10", ("webhook_tenant",)),
    "created hook": (webhooks.CREATED, "gen_random_uuid()", ("webhook_command_id_key",)),
    "delete hook": (webhooks.DELETE, "gen_random_uuid()", ("webhook_delivery_hook", "webhook_pkey")),
    "deliveries": (
        webhooks.DELIVERIES,
        "gen_random_uuid(), ARRAY['failed'], gen_random_uuid(), 10",
        ("webhook_delivery_",),
    ),
    "old deliveries": (webhooks.DELETE_OLD, "now()", ("webhook_delivery_age", "webhook_delivery_pkey")),
    "is counted": (statistics.IS_COUNTED, "gen_random_uuid()", ("counted_game_game_id_key",)),
    "journal": (statistics.JOURNAL, "7, 10", ("counted_game_pkey",)),
    "records": (statistics.RECORDS, "ARRAY['player-7', 'player-8'], 'clasica', 0", ("player_record_pkey",)),
    "records of player": (
        statistics.OF_PLAYER,
        "'app:1', 'player-7'",
        ("player_record_pkey", "statistics_position_pkey"),
    ),
    "forget player": (statistics.FORGET, "'player-7'", ("player_record_pkey",)),
    "leaderboard": (
        statistics.LEADERBOARD,
        "'app:1', 'clasica', -3, 'player-7', 10",
        ("player_record_best", "statistics_position_pkey"),
    ),
    "find code": (join_codes.FIND, "'', 'CDFGHJ', now()", ("join_code_tenant_code_key",)),
    "code of target": (join_codes.OF_TARGET, "gen_random_uuid(), now()", ("join_code_pkey",)),
    "forget codes": (join_codes.FORGET, "now()", ("join_code_expiry", "join_code_pkey")),
}


FILL_RECORDS = """
    INSERT INTO counted_game SELECT number, gen_random_uuid(), '{}' FROM generate_series(1, 20000) AS number;
    INSERT INTO player_record SELECT 'player-' || number, 'clasica', 0, 'app:' || number % 3, 25, 8, number % 97, 3, '[]'
    FROM generate_series(1, 20000) AS number;
"""

_FULL = f"{FILL_GAMES};{FILL_COMMITS};{FILL_RESERVATIONS};{FILL_SCORE_KEEPERS};{FILL_HOOKS};{FILL_RECORDS}"
FILLINGS = {
    "empty": "SELECT",
    "full": _FULL,
    "full and analysed": f"{_FULL};ANALYZE",
}


@pytest.fixture(scope="module", params=FILLINGS)
def filled_dsn(postgres_server: str, migrated_template: str, request: pytest.FixtureRequest) -> Generator[str]:
    """A database for all statements."""
    databases = Databases(postgres_server, migrated_template)
    yield asyncio.run(_filled(databases, FILLINGS[request.param]))
    asyncio.run(databases.drop_all())


async def _filled(databases: Databases, filling: str) -> str:
    dsn = await databases.make()
    connection = await connect(dsn)
    await connection.execute(filling)
    await connection.close()
    return dsn


@pytest.fixture
async def session(filled_dsn: str) -> AsyncGenerator[Connection]:
    """A connection as the log's own ones are."""
    link = ReconnectingConnection(filled_dsn)
    yield await link.get()
    await link.close()


@pytest.mark.parametrize("name", PLANS)
async def test_the_statement_probes_its_index(session: Connection, name: str) -> None:
    statement, arguments, indexes = PLANS[name]
    await session.execute(f"PREPARE asked AS {statement}")
    rows = await session.fetch(f"EXPLAIN EXECUTE asked ({arguments})")
    plan = "\n".join(row["QUERY PLAN"] for row in rows)
    for index in indexes:
        assert index in plan
    assert "Seq Scan" not in plan
    assert plan.count("Index Cond") == len(indexes), plan


@pytest.mark.parametrize("filling", [FILL_GAMES, f"{FILL_GAMES}; ANALYZE;"], ids=["full", "full and analysed"])
async def test_games_under_way_are_found_by_their_deadlines(session: Connection, filling: str) -> None:
    await session.execute(filling)
    await session.execute(f"PREPARE asked AS {queries.UNDER_WAY}")
    rows = await session.fetch("EXPLAIN EXECUTE asked (100000)")
    plan = "\n".join(row["QUERY PLAN"] for row in rows)
    assert "game_deadline" in plan
    assert "Seq Scan" not in plan
