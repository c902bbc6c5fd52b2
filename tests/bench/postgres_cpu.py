"""The processor time of the database server."""

import math
import os
from pathlib import Path

from service.adapters.postgres.connection import connect

_TICKS = os.sysconf("SC_CLK_TCK")
_STATE, _PARENT, _USER, _SYSTEM, _CHILD_USER, _CHILD_SYSTEM = 0, 1, 11, 12, 13, 14
"""Fields of /proc/PID/stat after the name."""


class PostgresCpu:
    """Counts the time of all processes of a server on this machine."""

    def __init__(self, main: int) -> None:
        self._main = main

    @classmethod
    async def of(cls, dsn: str) -> "PostgresCpu":
        """Find the server."""
        connection = await connect(dsn)
        try:
            fields = _stat(connection.get_server_pid())
        finally:
            await connection.close()
        return cls(int(fields[_PARENT]) if fields else 0)

    def seconds(self) -> float:
        """Return the time that the server has used so far, to hundredths of a second; not a number where it cannot be told."""
        main = _stat(self._main)
        if not main:
            return math.nan
        processes = (_stat(int(entry.name)) for entry in Path("/proc").iterdir() if entry.name.isdigit())
        children = [fields for fields in processes if fields and int(fields[_PARENT]) == self._main]
        ended = int(main[_CHILD_USER]) + int(main[_CHILD_SYSTEM])
        return (ended + sum(int(fields[_USER]) + int(fields[_SYSTEM]) for fields in [main, *children])) / _TICKS


def _stat(pid: int) -> list[str]:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []
