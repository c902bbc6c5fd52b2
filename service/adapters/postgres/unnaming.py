"""The data step of migration 0014: moves the names of players out of stored events and listings, into `player`.

Of several names of a player the latest is kept, unless the player has chosen one. Each batch of rows is a transaction, and rows
without names are passed over, so a run that was interrupted continues.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Any, cast
from uuid import UUID

import msgspec

from service.adapters.postgres.connection import Connection, Row

ROWS_AT_ONCE = 500
_NAME = b'"display_name"'

_HOME = """
    SELECT quote_ident(nspname) || '.player' FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
    WHERE pg_class.oid = to_regclass('player')
"""
_NEXT_COMMITS = """
    SELECT game_id, seq, recorded_at AS at, payload AS document, (SELECT tenant FROM game WHERE game.game_id = game_commit.game_id)
    FROM game_commit WHERE (game_id, seq) > ($1::uuid, $2::integer) AND position($3::bytea IN payload) > 0
    ORDER BY game_id, seq LIMIT $4
"""
_WRITE_COMMITS = """
    UPDATE game_commit SET payload = written.document
    FROM unnest($1::uuid[], $2::integer[], $3::bytea[]) AS written (game_id, seq, document)
    WHERE game_commit.game_id = written.game_id AND game_commit.seq = written.seq
"""
_NEXT_LISTINGS = """
    SELECT game_id, version AS seq, created_at AS at, seats AS document, tenant
    FROM game WHERE (game_id, 0) > ($1::uuid, $2::integer) AND position($3::bytea IN seats) > 0 ORDER BY game_id LIMIT $4
"""
_WRITE_LISTINGS = """
    UPDATE game SET seats = written.document
    FROM unnest($1::uuid[], $2::integer[], $3::bytea[]) AS written (game_id, seq, document) WHERE game.game_id = written.game_id
"""
_KEEP = """
    INSERT INTO {player} AS kept (player_id, tenant, display_name, is_chosen, named_at)
    SELECT DISTINCT ON (player_id) player_id, tenant, display_name, false, named_at
    FROM unnest($1::uuid[], $2::text[], $3::text[], $4::timestamptz[]) AS said (player_id, tenant, display_name, named_at)
    ORDER BY player_id, named_at DESC
    ON CONFLICT (player_id) DO UPDATE SET
        tenant = excluded.tenant,
        display_name = CASE WHEN kept.is_chosen OR kept.named_at > excluded.named_at THEN kept.display_name ELSE excluded.display_name END,
        named_at = CASE WHEN kept.is_chosen THEN kept.named_at ELSE greatest(kept.named_at, excluded.named_at) END
"""


class _Said(msgspec.Struct, frozen=True):
    """What a row says of a player."""

    player_id: UUID
    tenant: str | None
    display_name: str
    at: datetime


async def move_names(connection: Connection) -> None:
    """Move all names of the games in the schema that the session is in."""
    player = await _home(connection)
    for following, write in ((_NEXT_COMMITS, _WRITE_COMMITS), (_NEXT_LISTINGS, _WRITE_LISTINGS)):
        last = (UUID(int=0), 0)
        while rows := await _move_some(connection, following, write, last, player):
            last = (rows[-1]["game_id"], rows[-1]["seq"])


async def _home(connection: Connection) -> str:
    """Return the name of the table of players, which is not among the tables of a bucket that the session is in."""
    path = await connection.fetchval("SHOW search_path")
    await connection.execute("RESET search_path")
    player = await connection.fetchval(_HOME)
    await connection.fetchval("SELECT set_config('search_path', $1, false)", path)
    return player


async def _move_some(
    connection: Connection, following: str, write: str, last: tuple[UUID, int], player: str
) -> Sequence[Row]:
    await connection.execute("BEGIN")
    rows = await connection.fetch(following, *last, _NAME, ROWS_AT_ONCE)
    said: list[_Said] = []
    documents = [_without_names(row, said) for row in rows]
    if said:
        await connection.fetch(
            _KEEP.format(player=player), *map(list, zip(*map(msgspec.structs.astuple, said), strict=True))
        )
    await connection.fetch(write, [row["game_id"] for row in rows], [row["seq"] for row in rows], documents)
    await connection.execute("COMMIT")
    return rows


def _without_names(row: Row, said: list[_Said]) -> bytes:
    """Return the document of a row without names, which are added to `said`. One that is not JSON is left to its readers."""
    try:
        document = msgspec.json.decode(row["document"])
    except (msgspec.DecodeError, RecursionError):
        return row["document"]
    for player in _players(document):
        name = player.pop("display_name")
        with suppress(ValueError):  # ids of players are UUIDs
            said.append(_Said(UUID(player["player_id"]), row["tenant"], name, row["at"]))
    return msgspec.json.encode(document)


def _players(value: Any) -> Iterator[dict[str, Any]]:
    """Yield every object that names a player."""
    if isinstance(value, dict):
        members = cast("dict[str, Any]", value)
        if isinstance(members.get("player_id"), str) and isinstance(members.get("display_name"), str):
            yield members
        for member in list(members.values()):
            yield from _players(member)
    elif isinstance(value, list):
        for item in cast("list[Any]", value):
            yield from _players(item)
