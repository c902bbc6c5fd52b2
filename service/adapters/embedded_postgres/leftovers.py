"""Cleanup after a killed service: its server may still run, or have left its pid file.

A pid alone proves nothing (it may be a zombie's, or another program's by now). Alive is what answers as the server of this very data
folder, or what the system shows to be a Postgres process working in it.
"""

import contextlib
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

from service.adapters.embedded_postgres import probe
from service.adapters.embedded_postgres.failure import ServerFailed
from service.adapters.embedded_postgres.folder import Folder
from service.application.ports import StoreUnavailable

_FAST_SECONDS = 20.0
_IMMEDIATE_SECONDS = 10.0
_SOCKET_LINE = 4


def stop(folder: Folder) -> None:
    """Stop the server that an earlier service left running on `folder`, if there is one; the caller holds the folder's lock.

    Raises:
        ServerFailed: it does not stop.
    """
    postmaster = folder.stale_pid()
    if postmaster is None:
        return
    if postmaster in _processes_in(folder.data) or _answers(folder):
        _signal([postmaster], signal.SIGINT)
        _wait_until(lambda: folder.stale_pid() != postmaster, _FAST_SECONDS)
    # Backends that outlive a killed postmaster still write to the data.
    if not _wait_until(lambda: not _processes_in(folder.data), _IMMEDIATE_SECONDS):
        _signal(_processes_in(folder.data), signal.SIGQUIT)
        if not _wait_until(lambda: not _processes_in(folder.data), _IMMEDIATE_SECONDS):
            raise ServerFailed(
                f"processes {_processes_in(folder.data)} still use {folder.data}, and do not stop: end them"
            )


def _answers(folder: Folder) -> bool:
    lines = (folder.data / "postmaster.pid").read_text(encoding="utf-8").splitlines()
    if len(lines) <= _SOCKET_LINE:
        return False
    with contextlib.suppress(StoreUnavailable):
        return probe.data_directory(probe.dsn(Path(lines[_SOCKET_LINE]))).samefile(folder.data)
    return False


def _processes_in(data: Path) -> list[int]:
    """Return the living Postgres processes whose working directory is `data`, as far as the system shows them (on Linux)."""
    folders = (each for each in Path("/proc").glob("[0-9]*"))
    return [int(each.name) for each in folders if _is_postgres_in(each, data)]


def _is_postgres_in(process: Path, data: Path) -> bool:
    try:
        return (process / "comm").read_text().strip() == "postgres" and (process / "cwd").readlink() == data.resolve()
    except OSError:
        return False


def _signal(processes: list[int], number: signal.Signals) -> None:
    for process in processes:
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, number)


def _wait_until(holds: Callable[[], bool], seconds: float) -> bool:
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True
