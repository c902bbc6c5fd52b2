"""The launcher of the embedded server."""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Generator, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import TracebackType

from service.ports import LogUnavailable
from service.store.embedded import account, leftovers, probe, programs
from service.store.embedded.account import Account
from service.store.embedded.failure import ServerFailed
from service.store.embedded.folder import Folder, default_data_dir
from service.store.embedded.programs import Programs

START_SECONDS = 120.0
"""How long the server may take to start; after a crash it first replays what was written since the last checkpoint."""

_STOPS = ((signal.SIGINT, 20.0), (signal.SIGQUIT, 10.0), (signal.SIGKILL, 10.0))
_SETTINGS = {
    "listen_addresses": "",
    "max_connections": "50",
    "fsync": "on",
    "synchronous_commit": "on",
    "full_page_writes": "on",
    "log_checkpoints": "off",
    "timezone": "UTC",
    "log_timezone": "UTC",
}


class EmbeddedPostgres:
    """A Postgres server of the service's own, for as long as the service runs. Use it as a context manager, or `start` and `stop` it."""

    def __init__(
        self, data_dir: Path | None = None, pg_bin: Path | None = None, settings: Mapping[str, str] | None = None
    ) -> None:
        """Set nothing going yet.

        Args:
            data_dir: the folder to live in, `default_data_dir()` if none is given; made when it does not exist.
            pg_bin: the folder of Postgres's programs; looked for if none is given.
            settings: further settings of the server, by their names in postgresql.conf.
        """
        self._data_dir = data_dir
        self._pg_bin = pg_bin
        self._settings = {**_SETTINGS, **(settings or {})}
        self._running = ExitStack()

    def start(self) -> str:
        """Start the server, on the data of its last run if there was one, and return its address once it answers.

        It blocks: for some seconds the first time, when the data folder is set up.

        Raises:
            ServerFailed: it cannot be started; the message says what to do.
        """
        with ExitStack() as started:
            try:
                address = self._start(started)
            except OSError as error:
                raise ServerFailed(
                    f"the embedded Postgres cannot work in its data folder: {error}; free some space, or name another folder "
                    "with POCHA_DATA_DIR"
                ) from error
            self._running = started.pop_all()
        return address

    def stop(self) -> None:
        """Stop the server, if it was started: running statements are cut off, everything acknowledged is on disk."""
        self._running.close()

    def __enter__(self) -> str:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.stop()

    def _start(self, started: ExitStack) -> str:
        folder = Folder(self._data_dir or default_data_dir())
        folder.make()
        started.enter_context(folder.locked())
        runs_as = account.of_server(folder.data)
        folder.admit(runs_as)
        found = programs.find(self._pg_bin, folder.made_by())
        usable = programs.for_account(found, runs_as, folder.programs)
        leftovers.stop(folder)
        if folder.made_by() is None:
            _initialise(folder, usable, runs_as)
        socket_folder = started.enter_context(folder.socket_folder(runs_as))
        return started.enter_context(_running(folder, usable, runs_as, socket_folder, self._settings))


@contextmanager
def temporary_server(pg_bin: Path | None = None, settings: Mapping[str, str] | None = None) -> Generator[str]:
    """Run a server that leaves nothing behind, and give its address: for tests and measurements."""
    folder = Path(tempfile.mkdtemp(prefix="pocha-"))
    try:
        with EmbeddedPostgres(folder, pg_bin, settings) as address:
            yield address
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _initialise(folder: Folder, using: Programs, runs_as: Account) -> None:
    """Make the data; they get their name when they are whole."""
    shutil.rmtree(folder.unfinished, ignore_errors=True)
    folder.unfinished.mkdir(mode=0o700)
    runs_as.take(folder.unfinished)
    options = ["--username", probe.ROLE, "--auth", "peer", "--encoding", "UTF8", "--locale", "C", "--no-instructions"]
    made = subprocess.run(  # noqa: S603 - our own program and options
        [using.bin / "initdb", "--pgdata", folder.unfinished, *options],
        cwd=folder.base,
        env=_environment(),
        user=runs_as.user,
        group=runs_as.group,
        extra_groups=runs_as.extra_groups,
        capture_output=True,
        text=True,
        check=False,
    )
    if made.returncode != 0:
        raise ServerFailed(f"{using.bin / 'initdb'} could not set up {folder.data}: {made.stderr.strip()}")
    folder.unfinished.rename(folder.data)


@contextmanager
def _running(
    folder: Folder, using: Programs, runs_as: Account, socket_folder: Path, settings: Mapping[str, str]
) -> Generator[str]:
    """Run the server, give its address once it answers, and stop it afterwards."""
    _write_access_rules(folder)
    address = probe.dsn(socket_folder)
    said_before = folder.log_end()
    with folder.log.open("ab") as log:
        process = subprocess.Popen(  # noqa: S603 - our own program and options
            [using.bin / "postgres", "-D", folder.data, *_options(folder, socket_folder, settings)],
            cwd=folder.base,
            # Postgres takes the "grandparent" that a launcher names here for no rival: so a stale pid file is no obstacle, whoever
            # has its number now, while the check of the shared memory it names still stands.
            env=_environment() | {"PG_GRANDPARENT_PID": str(folder.stale_pid() or 0)},
            user=runs_as.user,
            group=runs_as.group,
            extra_groups=runs_as.extra_groups,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,  # Ctrl-C in the terminal is for the service, which stops the server last
        )
    try:
        if not _answers(process, address):
            raise ServerFailed(f"Postgres did not start on {folder.data}: {_said(folder.log, said_before)}")
        yield address
    finally:
        _stop(process)


def _write_access_rules(folder: Folder) -> None:
    """Let the service's own user in, as the owning role, and nobody else."""
    folder.hba.write_text(f"local all {probe.ROLE} peer map=service\n", encoding="utf-8")
    folder.ident.write_text(f'service "{account.own().name}" {probe.ROLE}\n', encoding="utf-8")
    for file in (folder.hba, folder.ident):
        file.chmod(0o644)


def _options(folder: Folder, socket_folder: Path, settings: Mapping[str, str]) -> Iterator[str]:
    files = {"hba_file": str(folder.hba), "ident_file": str(folder.ident)}
    quoted = str(socket_folder).replace('"', '""')
    for name, value in {**settings, **files, "port": "5432", "unix_socket_directories": f'"{quoted}"'}.items():
        yield from ("-c", f"{name}={value}")


def _environment() -> dict[str, str]:
    return {name: os.environ[name] for name in ("PATH", "LD_LIBRARY_PATH") if name in os.environ} | {"LC_ALL": "C"}


def _answers(process: subprocess.Popen[bytes], address: str) -> bool:
    """Tell whether the server answers; waits as long as it may still come to it."""
    end = time.monotonic() + START_SECONDS
    while process.poll() is None and time.monotonic() < end:
        try:
            probe.data_directory(address)
        except LogUnavailable:
            time.sleep(0.05)
        else:
            return True
    return False


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
