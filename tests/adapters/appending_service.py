"""A service to kill: runs the embedded server on the folder given, and appends without end, one line of output an acknowledged commit."""

import asyncio
import sys
from pathlib import Path
from uuid import uuid4

from service.adapters.embedded_postgres import EmbeddedPostgres
from service.adapters.postgres import migrate
from service.adapters.postgres.store import PostgresStore
from service.application.ports import Appended
from tests.adapters.samples import commit


async def append_without_end(log: PostgresStore) -> None:
    game, expected = uuid4(), 0
    while True:
        new = commit(game, expected)
        assert await log.append(new) == Appended(expected + 1)
        expected += 1
        sys.stdout.write(f"{game} {expected} {new.command_id}\n")
        sys.stdout.flush()


async def main(folder: Path) -> None:
    with EmbeddedPostgres(folder) as address:
        await migrate.migrate(address)
        log = await PostgresStore.open(address)
        await asyncio.gather(*(append_without_end(log) for _ in range(8)))


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))
