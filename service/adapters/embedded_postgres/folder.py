"""The folder of the embedded server."""

import fcntl
import os
import shutil
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from service.adapters.embedded_postgres.account import Account, of_server
from service.adapters.embedded_postgres.failure import ServerFailed

SOCKET_NAME = ".s.PGSQL.5432"

_FOR_ROOT = Path("/var/lib/pocha")
_LONGEST_SOCKET_PATH = 103  # bytes: macOS allows that many, Linux four more
_LONGEST_LOG = 1_000_000  # bytes


def default_data_dir() -> Path:
    """Return where the service keeps its data unless told otherwise: the user's data folder.

    Root's is elsewhere when the server, which must not be root, could not pass through root's home.

    Raises:
        ServerFailed: the user has no home.
    """
    base = os.environ.get("XDG_DATA_HOME") or os.path.expanduser("~/.local/share")  # noqa: PTH111 - does not raise
    if not os.path.isabs(base):  # noqa: PTH117
        raise ServerFailed("this user has no home to keep data in: name a folder with POCHA_DATA_DIR")
    chosen = Path(base, "pocha")
    passable = os.geteuid() != 0 or of_server(chosen).may_enter(_nearest_existing(chosen))
    return chosen if passable else _FOR_ROOT


class Folder:
    """The layout of `data_dir`/postgres. All but the data and the socket belongs to this process's user."""

    def __init__(self, data_dir: Path) -> None:
        self.data_dir = data_dir.absolute()
        self.base = self.data_dir / "postgres"
        self.data = self.base / "data"
        self.unfinished = self.base / "data.unfinished"
        self.socket = self.base / "socket"
        self.programs = self.base / "programs"
        self.log = self.base / "server.log"
        self.lock = self.base / "lock"
        self.hba = self.base / "pg_hba.conf"
        self.ident = self.base / "pg_ident.conf"

    def make(self) -> None:
        """Create the folder, private to this user.

        Raises:
            OSError: it cannot be made.
        """
        self.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.base.mkdir(mode=0o700, exist_ok=True)

    def admit(self, account: Account) -> None:
        """Let `account` pass through the folder (not see what is in it).

        Raises:
            ServerFailed: a folder above is closed to it; permissions there are not ours to change.
        """
        for folder in (self.data_dir, self.base):
            if account.is_other and folder.stat().st_uid == os.geteuid():
                folder.chmod(folder.stat().st_mode | 0o011)
        if not account.may_enter(self.base):
            raise ServerFailed(
                f"Postgres runs as user {account.name} (it must not be root), which cannot enter {self.base}: "
                "name a folder open to that user with POCHA_DATA_DIR, or start the service as an ordinary user"
            )

    def made_by(self) -> int | None:
        """Return the major version of the Postgres that made the data; none before there are any.

        Raises:
            ServerFailed: the data do not tell.
        """
        file = self.data / "PG_VERSION"
        try:
            return int(file.read_text(encoding="ascii"))
        except FileNotFoundError:
            return None
        except ValueError:
            raise ServerFailed(
                f"{file} is damaged, it names no version of Postgres: restore it or the folder {self.data}, "
                "or name another folder with POCHA_DATA_DIR"
            ) from None

    def stale_pid(self) -> int | None:
        """Return the process that the data's pid file names, alive or not."""
        try:
            return int((self.data / "postmaster.pid").read_text(encoding="utf-8").splitlines()[0])
        except (FileNotFoundError, IndexError, ValueError):
            return None

    @contextmanager
    def locked(self) -> Generator[None]:
        """Hold the folder for this process alone; the system lets go of it when the process ends, however it ends.

        Raises:
            ServerFailed: another process holds it.
        """
        with self.lock.open("a+", encoding="ascii") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise ServerFailed(self._is_taken()) from None
            file.truncate(0)
            file.write(str(os.getpid()))
            file.flush()
            yield

    @contextmanager
    def socket_folder(self, account: Account) -> Generator[Path]:
        """Make a folder for the server's socket, private to `account`: here, or under the temporary folder if the path does not do."""
        shutil.rmtree(self.socket, ignore_errors=True)
        if _can_be_connected_to(self.socket):
            folder = self.socket
            folder.mkdir(mode=0o700)
        else:
            folder = Path(tempfile.mkdtemp(prefix="pocha-", dir=_short_temporary_folder(account)))
        account.take(folder)
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def log_end(self) -> int:
        """Return where the server's next run will write in the log; a log that grew long starts anew."""
        size = self.log.stat().st_size if self.log.exists() else 0
        if size > _LONGEST_LOG:
            self.log.unlink()
        return size if size <= _LONGEST_LOG else 0

    def _is_taken(self) -> str:
        holder = self.lock.read_text(encoding="ascii") or "unknown"
        return (
            f"another service (process {holder}) runs on {self.data_dir}: stop it, or name another folder with POCHA_DATA_DIR, "
            "or give both one Postgres with POCHA_DATABASE_URL"
        )


def _nearest_existing(folder: Path) -> Path:
    return next(each for each in (folder, *folder.parents) if each.exists())


def _can_be_connected_to(folder: Path) -> bool:
    """Tell whether a socket in `folder` has a short enough path, and one that clients take for one: a comma parts hosts."""
    return len(os.fsencode(folder / SOCKET_NAME)) <= _LONGEST_SOCKET_PATH and "," not in str(folder)


def _short_temporary_folder(account: Account) -> str:
    usual = Path(tempfile.gettempdir())
    fits = _can_be_connected_to(usual / "pocha-12345678")
    return str(usual) if fits and account.may_enter(usual) else "/tmp"  # noqa: S108 - mkdtemp makes a private one in it
