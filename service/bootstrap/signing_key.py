"""The key that signs the players' tokens, where none is given: made once, and kept beside the data."""

import contextlib
import os
import re
import secrets
import tempfile
from pathlib import Path

_KEY_BYTES = 32
_KEY = re.compile(rb"[0-9a-f]{64}")


class SigningKeyUnavailable(OSError):
    """There is no key, and none can be kept; or the file holds none that this module made. The message says what to do."""


def load_or_create(data_dir: Path) -> bytes:
    """Return the key in `data_dir/secret`, made (readable by its owner alone) if it is not there.

    The file holds the key as it may be given in `POCHA_SECRET`.

    Raises:
        NoSecret: it can be neither read nor made, or is damaged.
    """
    path = data_dir / "secret"
    try:
        key = _read_or_make(path)
    except OSError as error:
        raise SigningKeyUnavailable(f"POCHA_DATA_DIR: no secret can be kept in {data_dir}: {error}") from error
    if not _KEY.fullmatch(key):
        raise SigningKeyUnavailable(
            f"{path} holds no key: put it back, or remove it (then all tokens given out so far are void)"
        )
    return key


def _read_or_make(path: Path) -> bytes:
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        _make(path)
    return path.read_bytes().strip()


def _make(path: Path) -> None:
    """Write a new key beside `path`, and give it the name when it is whole; who comes second leaves the first one's."""
    descriptor, unfinished = tempfile.mkstemp(dir=path.parent, prefix="secret.")
    try:
        with os.fdopen(descriptor, "w") as file:
            file.write(secrets.token_hex(_KEY_BYTES))
            file.flush()
            os.fsync(file.fileno())
        with contextlib.suppress(FileExistsError):
            os.link(unfinished, path)
    finally:
        Path(unfinished).unlink()
