"""Finds the Markdown files: in the installed package, or in a checkout."""

from importlib import resources
from pathlib import Path

CONTENTS = "docs/README.md"
"""The table of contents. Its headings are the sections of the documentation, and the links of its lists are the pages."""


def read(path: str) -> str:
    """Return the text of a documentation file; `path` is relative to the root of the repository.

    Raises:
        FileNotFoundError: there is no such file.
    """
    packaged = resources.files("service.rest").joinpath("pages", path)
    file = packaged if packaged.is_file() else _checkout().joinpath(path)
    return file.read_text(encoding="utf-8")


def _checkout() -> Path:
    return Path(__file__).parents[3]
