"""The contract of `GameStore`, kept by a log whose games are packed all the time, under the hands of who reads and writes them."""

import asyncio
from collections.abc import AsyncGenerator, Mapping, Sequence
from uuid import UUID

import pytest

from service.adapters.postgres import archive
from service.adapters.postgres.connection import Connection, connect
from service.adapters.postgres.reconnecting import SESSION
from service.adapters.postgres.store import PostgresStore
from service.application.ports import Commit, NewCommit, Outcome
from tests.adapters.store_contract import GameStoreContract

NOT_PACKED = """
    SELECT DISTINCT game_id FROM game_commit WHERE NOT EXISTS (SELECT FROM game_archive WHERE game_archive.game_id = game_commit.game_id)
"""


class Packer:
    """Packs all games that there are, over or not."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._lock = asyncio.Lock()
        self.packed = 0

    async def pack_all(self) -> None:
        """Return when no game is unpacked that had a commit before."""
        await asyncio.shield(
            asyncio.ensure_future(self._pack_all())
        )  # a cancelled caller must not leave a transaction open

    async def _pack_all(self) -> None:
        async with self._lock:
            await self._connection.execute("BEGIN")
            for row in await self._connection.fetch(NOT_PACKED):
                await archive.pack(self._connection, row["game_id"])
                self.packed += 1
            await self._connection.execute("COMMIT")


class PackedForReaders(PostgresStore):
    """Whoever reads a game finds it packed."""

    packer: Packer

    async def read(self, game_id: UUID, after: int = 0, limit: int | None = None) -> Sequence[Commit]:
        await self.packer.pack_all()
        return await super().read(game_id, after, limit)

    async def find(self, game_id: UUID, command_id: UUID) -> Commit | None:
        await self.packer.pack_all()
        return await super().find(game_id, command_id)

    async def heads(self, game_ids: Sequence[UUID]) -> Mapping[UUID, int]:
        await self.packer.pack_all()
        return await super().heads(game_ids)


class PackedByWriters(PackedForReaders):
    """Whoever writes to a game finds it packed, or sees it packed in between."""

    async def append(self, commit: NewCommit) -> Outcome:
        outcome = await super().append(commit)
        await self.packer.pack_all()
        return outcome


class PackedContract(GameStoreContract):
    kind: type[PackedForReaders]

    @pytest.fixture
    async def store(self, emptied_dsns: list[str]) -> AsyncGenerator[PostgresStore]:
        connection = await connect(emptied_dsns[0], SESSION)
        store = await self.kind.open(emptied_dsns[0])
        store.packer = Packer(connection)
        yield store
        await store.close()
        await connection.close()


class TestGamesPackedForReaders(PackedContract):
    kind = PackedForReaders


class TestGamesPackedByWriters(PackedContract):
    kind = PackedByWriters
