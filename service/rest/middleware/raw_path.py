"""Paths that two readers may take for different ones."""

import re

from litestar.types import HTTPScope

_AMBIGUOUS = re.compile(rb"%(?:2[DdEeFf]|3[0-9]|4[1-9A-Fa-f]|5[0-9AaCcFf]|6[1-9A-Fa-f]|7[0-9AaEe]|00)|\\")
"""Escaped letters, digits, `-`, `.`, `_`, `~`, `/` and backslashes, and NUL; none of them has to be escaped (RFC 3986, 2.3), or may be."""


def is_ambiguous(scope: HTTPScope) -> bool:
    """Tell whether a proxy that compares paths as they are written would take the path for another one than we do."""
    return _AMBIGUOUS.search(scope["raw_path"]) is not None
