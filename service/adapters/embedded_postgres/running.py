"""Finding the embedded server that another process of the service runs, so that a command can work on the same database meanwhile."""

from pathlib import Path

from service.adapters.embedded_postgres import probe
from service.adapters.embedded_postgres.folder import Folder, default_data_dir
from service.application.ports import StoreUnavailable

_SOCKET_FOLDER_LINE = 4  # of postmaster.pid, counted from 0


def running_server(data_dir: Path | None = None) -> str | None:
    """Return the address of the server that runs on `data_dir` (`default_data_dir()` if none is given); none where none answers.

    It blocks.
    """
    folder = Folder(data_dir or default_data_dir())
    try:
        lines = (folder.data / "postmaster.pid").read_text(encoding="utf-8").splitlines()
        address = probe.dsn(Path(lines[_SOCKET_FOLDER_LINE]))
        is_ours = probe.data_directory(address).samefile(folder.data)
    except (OSError, IndexError, UnicodeDecodeError, StoreUnavailable):
        return None
    return address if is_ours else None


def has_data(data_dir: Path | None = None) -> bool:
    """Tell whether a server was set up in `data_dir` (`default_data_dir()` if none is given).

    Raises:
        ServerFailed: what is there is damaged.
        OSError: it cannot be looked at.
    """
    return Folder(data_dir or default_data_dir()).made_by() is not None
