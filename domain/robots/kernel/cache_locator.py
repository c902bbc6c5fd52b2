"""Where the compiled kernel is kept on disk, and when it is out of date.

numba itself compares only the file that a function is written in, though a function contains those that it calls: a kept function would
outlive a change elsewhere in the kernel. Here the stamp covers all of the package's sources.
"""

import os
import tempfile
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Self

from numba.core.caching import UserWideCacheLocator

_SOURCES = Path(__file__).parent


@cache
def _stamp() -> str:
    digest = sha256()
    for source in sorted(_SOURCES.glob("*.py")):
        digest.update(source.read_bytes())
    return digest.hexdigest()


class KernelCacheLocator(UserWideCacheLocator):
    """`NUMBA_CACHE_DIR`, else `__pycache__` beside the sources, else the user's cache folder: the first one that can be written.

    A `__pycache__` that holds a cache is used even where it cannot be written, as in a read-only image that was compiled when built.
    """

    @classmethod
    def from_function(cls, py_func: Callable[..., Any], py_file: str) -> Self | None:
        """Return where `py_func` is kept; None where there is no place."""
        locator = cls(py_func, py_file)
        place = _place(Path(locator.get_cache_path()))
        if place is None:
            return None
        locator._cache_path = str(place)
        return locator

    def ensure_cache_path(self) -> None:
        """The place was looked at when it was chosen."""

    def get_source_stamp(self) -> str:  # pyright: ignore[reportIncompatibleMethodOverride] - any value that can be pickled
        """Return what changes with any source of the kernel."""
        return _stamp()


@cache
def _place(of_the_user: Path) -> Path | None:
    wanted = os.environ.get("NUMBA_CACHE_DIR")
    beside = _SOURCES / "__pycache__"
    places = [Path(wanted) / "pocha-kernel"] if wanted else [beside, of_the_user]
    writable = next((place for place in places if _is_writable(place)), None)
    return writable or (beside if any(beside.glob("*.nbi")) else None)


def _is_writable(place: Path) -> bool:
    try:
        place.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=place):
            return os.access(place, os.W_OK)
    except OSError:
        return False
