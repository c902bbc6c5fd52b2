"""The page of the table and its files, all below one address that changes with any of them."""

import hashlib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from types import MappingProxyType
from typing import NamedTuple

import msgspec
from jinja2 import Environment, PackageLoader, StrictUndefined

from service.rest.i18n import Language
from service.rest.play import words

ROOT = "play"
"""The path of the page, without the slash; its files are below it."""
MEDIA_TYPES: Mapping[str, str] = MappingProxyType(
    {
        "css": "text/css; charset=utf-8",
        "js": "text/javascript; charset=utf-8",
        "json": "application/json",
        "svg": "image/svg+xml",
        "webmanifest": "application/manifest+json",
    }
)
"""What is served, by the ending of its name."""
_VERSION_LENGTH = 16


class File(NamedTuple):
    """A file: its bytes and its media type."""

    body: bytes
    media_type: str


@cache
def files() -> Mapping[str, File]:
    """Return all files by their paths: those of the folder `static`, and the words in each language."""
    found = {
        path: _file(path, body) for path, body in _read(resources.files("service.rest.play").joinpath("static"), "")
    }
    for language in Language:
        path = f"words/{language}.json"
        found[path] = _file(path, msgspec.json.encode(words.of(language)))
    return found


@cache
def version() -> str:
    """Return what changes when any file does."""
    digest = hashlib.sha256()
    for path, file in sorted(files().items()):
        digest.update(f"{path} {len(file.body)}\n".encode() + file.body)
    return digest.hexdigest()[:_VERSION_LENGTH]


@cache
def page() -> bytes:
    """Return the page, which names the address of the files."""
    environment = Environment(loader=PackageLoader("service.rest", "play"), autoescape=True, undefined=StrictUndefined)
    modules = sorted(path for path, file in files().items() if file.media_type.startswith("text/javascript"))
    text = environment.get_template("page.html.jinja").render(files=f"{ROOT}/{version()}", modules=modules)
    return text.encode()


def _read(folder: Traversable, prefix: str) -> list[tuple[str, bytes]]:
    found: list[tuple[str, bytes]] = []
    for entry in folder.iterdir():
        path = f"{prefix}{entry.name}"
        if entry.is_dir():
            found += _read(entry, f"{path}/")
        elif entry.name.rpartition(".")[2] in MEDIA_TYPES:
            found.append((path, entry.read_bytes()))
    return found


def _file(path: str, body: bytes) -> File:
    return File(body, MEDIA_TYPES[path.rpartition(".")[2]])
