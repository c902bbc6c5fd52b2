"""The key that signs the players' tokens, where none is given: made once, and kept beside the data."""

import os
import secrets
from pathlib import Path

_KEY_BYTES = 32


def kept_secret(data_dir: Path) -> bytes:
    """Return the key in `data_dir/secret`, made (readable by its owner alone) if it is not there.

    Raises:
        OSError: the file can be neither read nor made.
    """
    path = data_dir / "secret"
    data_dir.mkdir(parents=True, exist_ok=True)
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return bytes.fromhex(path.read_text().strip())
    with os.fdopen(descriptor, "w") as file:
        file.write(secrets.token_hex(_KEY_BYTES))
    return kept_secret(data_dir)
