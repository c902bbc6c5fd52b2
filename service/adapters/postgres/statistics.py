"""Statistics in Postgres."""

from collections.abc import Iterable, Mapping, Sequence
from uuid import UUID

import msgspec

from service.adapters.postgres.connection import Row
from service.adapters.postgres.pool import Pool
from service.application.ports import GameFacts, PlayerRecord, Position, TableTally

_COLUMNS = "tenant, ruleset_id, player_id, mu, sigma, games, tallies"

_POSITION = "SELECT generation, counted FROM statistics_position"
IS_COUNTED = "SELECT FROM counted_game WHERE game_id = $1"
RECORDS = (
    f"SELECT {_COLUMNS} FROM player_record WHERE player_id = ANY ($1::text[]) AND ruleset_id = $2 AND generation = $3"  # noqa: S608 - constants
)

_WRITE_RECORDS = f"""
    INSERT INTO player_record (generation, {_COLUMNS}, rating)
    SELECT step.generation, new.tenant, new.ruleset_id, new.player_id, new.mu, new.sigma, new.games, new.tallies,
        new.rating
    FROM step, unnest($1::text[], $2::text[], $3::text[], $4::float8[], $5::float8[], $6::integer[], $7::bytea[],
        $8::float8[]) AS new ({_COLUMNS}, rating)
    ORDER BY new.player_id
    ON CONFLICT (player_id, ruleset_id, generation) DO UPDATE SET
        mu = excluded.mu, sigma = excluded.sigma, rating = excluded.rating,
        games = excluded.games, tallies = excluded.tallies
"""  # noqa: S608 - constants

# The lock on the position puts those who count in a row; who comes second finds another position, and counts again from the new records.
COUNT = f"""
    WITH step AS (
        UPDATE statistics_position SET counted = counted + 1
        WHERE generation = $9 AND counted = $10 AND NOT EXISTS (SELECT FROM counted_game WHERE game_id = $11)
        RETURNING generation, counted
    ), noted AS (
        INSERT INTO counted_game (place, game_id, facts) SELECT counted, $11, $12 FROM step
    )
    {_WRITE_RECORDS}
"""  # noqa: S608 - constants
_ADD = f"WITH step AS (SELECT $9::integer AS generation) {_WRITE_RECORDS}"
JOURNAL = "SELECT facts FROM counted_game WHERE place > $1 ORDER BY place LIMIT $2"

_SWITCH = "UPDATE statistics_position SET generation = $3 WHERE generation = $1 AND counted = $2"
_DROP_OTHERS = (
    "DELETE FROM player_record WHERE generation <> (SELECT generation FROM statistics_position WHERE only_row)"
)

OF_PLAYER = f"""
    SELECT {_COLUMNS} FROM player_record
    WHERE player_id = $2 AND tenant = $1 AND generation = (SELECT generation FROM statistics_position WHERE only_row)
    ORDER BY ruleset_id
"""  # noqa: S608 - constants
LEADERBOARD = f"""
    SELECT {_COLUMNS} FROM player_record
    WHERE tenant = $1 AND ruleset_id = $2 AND generation = (SELECT generation FROM statistics_position WHERE only_row)
        AND (- rating, player_id) > ($3::float8, $4::text)
    ORDER BY tenant, ruleset_id, generation, - rating, player_id LIMIT $5
"""  # noqa: S608 - constants
FORGET = "DELETE FROM player_record WHERE player_id = $1"

_BEFORE_ALL = (float("-inf"), "")

_encode = msgspec.json.Encoder().encode
_decode_facts = msgspec.json.Decoder(GameFacts).decode
_decode_tallies = msgspec.json.Decoder(tuple[TableTally, ...]).decode


class PostgresStatistics:
    """Adapter of `service.application.ports.Statistics`. Every statement may run twice (`Pool.fetch`)."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def position(self) -> Position:
        """See `Statistics.position`."""
        [row] = await self._pool.fetch(_POSITION)
        return Position(row["generation"], row["counted"])

    async def is_counted(self, game_id: UUID) -> bool:
        """See `Statistics.is_counted`."""
        return bool(await self._pool.fetch(IS_COUNTED, game_id))

    async def records(self, generation: int, ruleset_id: str, player_ids: Sequence[str]) -> Mapping[str, PlayerRecord]:
        """See `Statistics.records`."""
        rows = await self._pool.fetch(RECORDS, list(player_ids), ruleset_id, generation)
        return {row["player_id"]: _record(row) for row in rows}

    async def count(self, at: Position, facts: GameFacts, records: Sequence[PlayerRecord]) -> bool:
        """See `Statistics.count`."""
        await self._pool.fetch(COUNT, *_columns(records), at.generation, at.counted, facts.game_id, _encode(facts))
        return await self.is_counted(facts.game_id)

    async def journal(self, after: int, limit: int) -> Sequence[GameFacts]:
        """See `Statistics.journal`. Places have no gaps."""
        return [_decode_facts(row["facts"]) for row in await self._pool.fetch(JOURNAL, after, limit)]

    async def add(self, generation: int, records: Sequence[PlayerRecord]) -> None:
        """See `Statistics.add`."""
        await self._pool.fetch(_ADD, *_columns(records), generation)

    async def switch(self, at: Position, generation: int) -> bool:
        """See `Statistics.switch`."""
        await self._pool.fetch(_SWITCH, at.generation, at.counted, generation)
        await self._pool.fetch(_DROP_OTHERS)
        return (await self.position()).generation == generation

    async def of_player(self, tenant: str, player_id: str) -> Sequence[PlayerRecord]:
        """See `Statistics.of_player`."""
        return [_record(row) for row in await self._pool.fetch(OF_PLAYER, tenant, player_id)]

    async def leaderboard(
        self, tenant: str, ruleset_id: str, after: tuple[float, str] | None, limit: int
    ) -> Sequence[PlayerRecord]:
        """See `Statistics.leaderboard`."""
        first = _BEFORE_ALL if after is None else (-after[0], after[1])
        return [_record(row) for row in await self._pool.fetch(LEADERBOARD, tenant, ruleset_id, *first, limit)]

    async def forget(self, player_id: str) -> None:
        """See `Statistics.forget`."""
        await self._pool.fetch(FORGET, player_id)


def _columns(records: Sequence[PlayerRecord]) -> Iterable[Sequence[object]]:
    yield [each.tenant for each in records]
    yield [each.ruleset_id for each in records]
    yield [each.player_id for each in records]
    yield [each.mu for each in records]
    yield [each.sigma for each in records]
    yield [each.games for each in records]
    yield [_encode(each.tallies) for each in records]
    yield [each.rating for each in records]


def _record(row: Row) -> PlayerRecord:
    return PlayerRecord(
        tenant=row["tenant"],
        ruleset_id=row["ruleset_id"],
        player_id=row["player_id"],
        mu=row["mu"],
        sigma=row["sigma"],
        games=row["games"],
        tallies=_decode_tallies(row["tallies"]),
    )
