"""The launcher of the embedded server."""

import shutil
import tempfile
from collections.abc import Callable, Generator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import TracebackType

from service.adapters.embedded_postgres import account, leftovers, process, programs
from service.adapters.embedded_postgres.failure import ServerFailed
from service.adapters.embedded_postgres.folder import Folder, default_data_dir

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
    """A Postgres server of the service's own. Use it as a context manager, or `start` and `stop` it.

    The server does not outlive this object: keep it as long as the service runs.
    """

    def __init__(
        self,
        data_dir: Path | None = None,
        pg_bin: Path | None = None,
        settings: Mapping[str, str] | None = None,
        on_death: Callable[[str], None] | None = None,
    ) -> None:
        """Set nothing going yet.

        Args:
            data_dir: the folder to live in, `default_data_dir()` if none is given; made when it does not exist.
            pg_bin: the folder of Postgres's programs; looked for if none is given.
            settings: further settings of the server, by their names in postgresql.conf.
            on_death: called, from another thread, with a sentence for the operator when the server ends by itself.
        """
        self._data_dir = data_dir
        self._pg_bin = pg_bin
        self._settings = {**_SETTINGS, **(settings or {})}
        self._on_death = on_death or _ignore
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
            process.initialise(folder, usable, runs_as)
        socket_folder = started.enter_context(folder.socket_folder(runs_as))
        return started.enter_context(
            process.running(folder, usable, runs_as, socket_folder, self._settings, self._on_death)
        )


def _ignore(_: str) -> None:
    """Log the unexpected end of a server."""


@contextmanager
def temporary_server(pg_bin: Path | None = None, settings: Mapping[str, str] | None = None) -> Generator[str]:
    """Run a temporary server and yield its address, for tests and measurements."""
    folder = Path(tempfile.mkdtemp(prefix="pocha-"))
    try:
        with EmbeddedPostgres(folder, pg_bin, settings) as address:
            yield address
    finally:
        shutil.rmtree(folder, ignore_errors=True)
