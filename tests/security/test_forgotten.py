"""After a deletion no byte of a name or of an app's id is left in the database: neither in a row, nor in a page of a table or index."""

from collections.abc import AsyncGenerator, Iterator
from pathlib import Path
from typing import Any, cast

import pytest

from service.adapters.clock import SystemClock
from service.adapters.memory.apps import MemoryApps
from service.adapters.postgres import layout
from service.adapters.postgres.connection import Connection, connect
from service.adapters.postgres.pool import Pool
from service.adapters.postgres.reconnecting import ReconnectingConnection
from service.adapters.postgres.store import open_store
from service.application.shuffle import SeededShuffler
from service.bootstrap.service import Service
from service.bootstrap.side_stores import SideStores
from service.rest.auth import api_keys
from service.rest.auth.config import AuthConfig
from tests.contract.kinds import hands
from tests.kit.player import Api, Guest, client_of
from tests.rest.test_apps import App
from tests.rest.test_me import finish, rename

SECRET = b"a secret of the tests, long enough for every algorithm that they try"
NAMES = ("Zoraida-Xénia", "Quetzalli-Ñ", "Wilhelmína-Ø")
EXTERNAL_ID = "user-8f3c-of-the-shop"
TRACES = tuple(text.encode() for text in (*NAMES, EXTERNAL_ID))
ONE_CARD = hands(("normal", "1", "1"))
FOLDER = """
    SELECT current_setting('data_directory') || '/base/' || oid FROM pg_database WHERE datname = current_database()
"""


@pytest.fixture(params=[1, 2], ids=["one bucket", "two buckets"])
async def app(request: pytest.FixtureRequest, database_url: str) -> AsyncGenerator[App]:
    await layout.migrate(database_url, request.param)
    store, pool = await open_store(database_url), Pool([ReconnectingConnection(database_url, 10)], 64)
    apps, clock = MemoryApps(), SystemClock()
    written, key = api_keys.new_key("shop", clock.now())
    await apps.create(key)
    trust = AuthConfig(apps=apps)
    service = Service(store, clock, SeededShuffler(), SECRET, trust=trust, side_stores=SideStores.over(pool))
    async with client_of(service.asgi) as client:
        yield App(service, client, written)
    await pool.close()
    await store.close()


async def test_no_byte_of_a_deleted_player_is_left(app: App, database_url: str) -> None:
    api = Api(app.client)
    guest, user = await api.guest(NAMES[0]), await app.user(EXTERNAL_ID, NAMES[1])
    for player in (guest, user):
        await leave_traces(player)
    await rename(user, NAMES[2])
    database = await connect(database_url)
    found = {trace async for row in rows(database) for trace in TRACES if trace in row}
    assert found == {name.encode() for name in NAMES}
    assert (await guest.ask("DELETE", "/v1/me")).status_code == 204
    assert (await app.ask("DELETE", f"/v1/players/{user.player_id}")).status_code == 204
    assert [row async for row in rows(database) for trace in TRACES if trace in row] == []
    await database.execute("VACUUM FULL")
    await database.execute("CHECKPOINT")
    folder = await database.fetchval(FOLDER)
    await database.close()
    pages = pages_in(folder)
    assert len(pages) > 100
    assert not [trace for page in pages for trace in TRACES if trace in page]


def pages_in(folder: str) -> list[bytes]:
    """Return the files of the database: its tables, their indexes and the values that lie apart from them."""
    return [page.read_bytes() for page in Path(folder).iterdir() if page.is_file()]


async def leave_traces(player: Guest) -> None:
    await finish(player, await player.create("clasica", robots=2, house_rules=ONE_CARD))
    await player.create(players=3)
    await player.create(players=3, robots=2)
    assert (await player.ask("POST", "/v1/matches", {"players": 3})).status_code == 201
    sheet = {"players": [*NAMES[:2], "Carmen"]}
    assert (await player.ask("POST", "/v1/score-keepers", sheet)).status_code == 201


async def rows(database: Connection) -> AsyncGenerator[bytes]:
    """Yield the values of every row of every table, uncompressed."""
    tables = await database.fetch(
        "SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname NOT LIKE 'pg\\_%'"
    )
    for table in tables:
        for row in await database.fetch(f"SELECT * FROM {table['name']}"):  # noqa: S608 - names of the catalog
            yield b"\0".join(values(list(cast("Any", row).values())))


def values(found: list[Any]) -> Iterator[bytes]:
    for value in found:
        if isinstance(value, list):
            yield from values(cast("list[Any]", value))
        else:
            yield value if isinstance(value, bytes) else str(value).encode()
