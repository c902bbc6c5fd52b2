"""Signing key of the players' tokens, created in the data folder when `POCHA_SECRET` is not set."""

import contextlib
import os
import re
import secrets
import tempfile
from pathlib import Path

_KEY_BYTES = 32
_KEY = re.compile(rb"[0-9a-f]{64}")


class SigningKeyUnavailable(OSError):
    """The key can be neither read nor created, or the file is damaged. The message says what to do."""


def load_or_create(data_dir: Path) -> bytes:
    """Return the key in `data_dir/secret`; create the file, readable by its owner only, if it is missing.

    The file's content is also a valid value of `POCHA_SECRET`.

    Raises:
        SigningKeyUnavailable: the file can be neither read nor created, or is damaged.
    """
    path = data_dir / "secret"
    try:
        key = _read_or_create(path)
    except OSError as error:
        raise SigningKeyUnavailable(f"POCHA_DATA_DIR: cannot store the secret in {data_dir}: {error}") from error
    if not _KEY.fullmatch(key):
        raise SigningKeyUnavailable(
            f"{path} holds no key: restore the file, or remove it, which voids all tokens issued so far"
        )
    return key


def _read_or_create(path: Path) -> bytes:
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        _create(path)
    return path.read_bytes().strip()


def _create(path: Path) -> None:
    """Write a new key to a temporary file and link it to `path`; of concurrent processes the first one wins."""
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
