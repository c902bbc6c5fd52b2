"""The server process: initialise the data, run, stop."""

import logging
import os
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from service.adapters.embedded_postgres import account, probe
from service.adapters.embedded_postgres.account import Account
from service.adapters.embedded_postgres.failure import ServerFailed
from service.adapters.embedded_postgres.folder import Folder
from service.adapters.embedded_postgres.programs import Programs
from service.application.ports import StoreUnavailable

START_SECONDS = 120.0
"""Time limit of a start; after a crash the server first replays what was written since the last checkpoint."""

_INTERRUPTIONS = (signal.SIGTERM, signal.SIGINT)
_STOPS = ((signal.SIGINT, 20.0), (signal.SIGQUIT, 10.0), (signal.SIGKILL, 10.0))
_LOGGER = logging.getLogger(__name__)
_INITDB_OPTIONS = (
    *("--username", probe.ROLE, "--auth", "peer"),
    *("--encoding", "UTF8", "--locale", "C", "--no-instructions"),
)


def initialise(folder: Folder, using: Programs, runs_as: Account) -> None:
    """Make the data; they get their name when they are whole.

    Raises:
        ServerFailed: initdb failed.
    """
    shutil.rmtree(folder.unfinished, ignore_errors=True)
    folder.unfinished.mkdir(mode=0o700)
    runs_as.take(folder.unfinished)
    made = _run_initdb(folder, using, runs_as)
    if made.returncode != 0:
        raise ServerFailed(f"{using.bin / 'initdb'} could not set up {folder.data}: {made.stderr.strip()}")
    folder.unfinished.rename(folder.data)


@contextmanager
def running(
    folder: Folder,
    using: Programs,
    runs_as: Account,
    socket_folder: Path,
    settings: Mapping[str, str],
    on_death: Callable[[str], None],
) -> Generator[str]:
    """Run the server, give its address once it answers, and stop it afterwards.

    When the server ends before that, `on_death` is called with a sentence about it, in another thread.

    Raises:
        ServerFailed: it did not start.
    """
    _write_access_rules(folder)
    address = probe.dsn(socket_folder)
    said_before = folder.log_end()
    process: subprocess.Popen[bytes] | None = None
    asked = threading.Event()
    try:
        with _uninterrupted():
            process = _launch(folder, using, runs_as, _options(folder, socket_folder, settings))
        hindrance = _hindrance(process, address)
        if hindrance:
            said = _said(folder.log, said_before)
            raise ServerFailed(f"Postgres did not start on {folder.data}: {hindrance}; its log says: {said}")
        threading.Thread(target=_watch, args=(process, folder, said_before, asked, on_death), daemon=True).start()
        yield address
    finally:
        asked.set()
        if process is not None:
            _stop(process)


def _watch(
    process: subprocess.Popen[bytes],
    folder: Folder,
    said_before: int,
    asked: threading.Event,
    on_death: Callable[[str], None],
) -> None:
    """Wait for the end of the server, and report it unless it was requested."""
    code = process.wait()
    if not asked.is_set():
        _LOGGER.error("the embedded Postgres ended by itself (code %d): %s", code, _said(folder.log, said_before))
        on_death(f"the embedded Postgres ended by itself; see {folder.log}; start again")


@contextmanager
def _uninterrupted() -> Generator[None]:
    """Defer the signals that end the service until the new server process is known and can be stopped."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _INTERRUPTIONS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _run_initdb(folder: Folder, using: Programs, runs_as: Account) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # noqa: S603 - our own program and options
        [using.bin / "initdb", "--pgdata", folder.unfinished, *_INITDB_OPTIONS],
        cwd=folder.base,
        env=environment(),
        user=runs_as.user,
        group=runs_as.group,
        extra_groups=runs_as.extra_groups,
        capture_output=True,
        text=True,
        check=False,
    )


def _launch(folder: Folder, using: Programs, runs_as: Account, options: Iterator[str]) -> subprocess.Popen[bytes]:
    with folder.log.open("ab") as log:
        return subprocess.Popen(  # noqa: S603 - our own program and options
            [using.bin / "postgres", "-D", folder.data, *options],
            cwd=folder.base,
            # Postgres takes the "grandparent" that a launcher names here for no rival: so a stale pid file is no obstacle, whoever
            # has its number now, while the check of the shared memory it names still stands.
            env=environment() | {"PG_GRANDPARENT_PID": str(folder.stale_pid() or 0)},
            user=runs_as.user,
            group=runs_as.group,
            extra_groups=runs_as.extra_groups,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,  # Ctrl-C in the terminal is for the service, which stops the server last
        )


def _write_access_rules(folder: Folder) -> None:
    """Allow connections of the service's own user only, as the owning role."""
    folder.hba.write_text(f"local all {probe.ROLE} peer map=service\n", encoding="utf-8")
    folder.ident.write_text(f'service "{account.own().name}" {probe.ROLE}\n', encoding="utf-8")
    for file in (folder.hba, folder.ident):
        file.chmod(0o644)


def _options(folder: Folder, socket_folder: Path, settings: Mapping[str, str]) -> Iterator[str]:
    files = {"hba_file": str(folder.hba), "ident_file": str(folder.ident)}
    quoted = str(socket_folder).replace('"', '""')
    for name, value in {**settings, **files, "port": "5432", "unix_socket_directories": f'"{quoted}"'}.items():
        yield from ("-c", f"{name}={value}")


def environment() -> dict[str, str]:
    """Return the environment of Postgres's programs, without `PG*` variables and locale."""
    return {name: os.environ[name] for name in ("PATH", "LD_LIBRARY_PATH") if name in os.environ} | {"LC_ALL": "C"}


def _hindrance(process: subprocess.Popen[bytes], address: str) -> str:
    """Return why the server does not answer, empty once it does; waits as long as it may still come to it."""
    end = time.monotonic() + START_SECONDS
    hindrance = "it was not asked"
    while process.poll() is None and time.monotonic() < end:
        try:
            probe.data_directory(address)
        except StoreUnavailable as error:
            hindrance = f"after {START_SECONDS:g} s there is {error}"
            time.sleep(0.05)
        else:
            return ""
    return hindrance if process.returncode is None else f"it ended with code {process.returncode}"


def _said(log: Path, after: int) -> str:
    lines = log.read_bytes()[after:].decode(errors="replace").splitlines()
    return " / ".join(lines[-8:]) or "it said nothing"


def _stop(process: subprocess.Popen[bytes]) -> None:
    for number, seconds in _STOPS:
        process.send_signal(number)
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            continue
        return
