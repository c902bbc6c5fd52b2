"""Liveness check of a server, by connecting to it."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import quote

from service.adapters.postgres.connection import connect

ROLE = "pocha"
"""The role that the service connects as; it owns everything."""


def dsn(socket_folder: Path) -> str:
    """Return the address of the server whose socket is in `socket_folder`. It says all, so that no `PG*` variable has a say."""
    return f"postgresql://{ROLE}:@/postgres?host={quote(str(socket_folder), safe='')}&port=5432"


def data_directory(address: str) -> Path:
    """Return the data directory of the server at `address`.

    Raises:
        StoreUnavailable: no server answers there, or it is not ready yet.
    """
    # In a thread of its own, because the caller's may be running an event loop.
    with ThreadPoolExecutor(max_workers=1) as thread:
        return Path(thread.submit(asyncio.run, _ask(address)).result())


async def _ask(address: str) -> str:
    connection = await connect(address)
    try:
        return str(await connection.fetchval("SHOW data_directory"))
    finally:
        await connection.close()
