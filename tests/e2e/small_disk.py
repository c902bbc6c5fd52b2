"""A Postgres whose disk is full when a test wants it to be."""

import contextlib
import os
import subprocess
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import pytest

from service.adapters.postgres.connection import DATABASE_ERRORS, connect

_BLOCK = b"\0" * 65_536
MOST_MESSAGES = 2000
"""200 MB: more than the write-ahead log has room for."""


class SmallDisk:
    """A file system of its own, mounted at `path`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._filler = path / "filler"

    def fill(self) -> None:
        """Leave no room."""
        with self._filler.open("ab", buffering=0) as file:
            while True:
                try:
                    file.write(_BLOCK)
                except OSError:
                    return

    def make_room(self) -> None:
        """Take away what filled it."""
        self._filler.unlink()


@contextmanager
def small_disk(megabytes: int) -> Generator[SmallDisk]:
    """Mount one of that size; skip the test where that is not allowed."""
    path = Path(tempfile.mkdtemp(prefix="pocha-disk-"))
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m,mode=0755", "tmpfs", path], capture_output=True, check=False
    )
    if mounted.returncode:
        path.rmdir()
        pytest.skip("a file system of its own cannot be mounted here")
    try:
        yield SmallDisk(path)
    finally:
        subprocess.run(["umount", "--lazy", path], check=True)
        path.rmdir()


async def database_on(disk: SmallDisk, server: str) -> str:
    """Make a database of `server` whose tables are on the disk, and return its address."""
    connection = await connect(server)
    try:
        folder = _folder_for(await connection.fetchval("SHOW data_directory"), disk)
        await connection.execute(f"CREATE TABLESPACE small LOCATION '{folder}'")
        await connection.execute("CREATE DATABASE cramped TABLESPACE small")
    finally:
        await connection.close()
    return urlunsplit(urlsplit(server)._replace(path="/cramped"))


async def write_ahead(server: str) -> None:
    """Have the server write to its write-ahead log alone, until it cannot."""
    connection = await connect(server)
    with contextlib.suppress(*DATABASE_ERRORS):
        for _ in range(MOST_MESSAGES):
            await connection.execute("SELECT pg_logical_emit_message(true, 'full', repeat('x', 100000))")
        raise AssertionError("there is still room")
    connection.terminate()


def _folder_for(data_directory: str, disk: SmallDisk) -> Path:
    """Make a folder on the disk that belongs to whom the server runs as."""
    folder = disk.path / "tables"
    folder.mkdir()
    owner = Path(data_directory).stat()
    os.chown(folder, owner.st_uid, owner.st_gid)
    return folder
