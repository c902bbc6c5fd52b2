"""The catalog of the documentation: which pages there are, in which sections, in which order, and where they are served."""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import pairwise
from posixpath import dirname, normpath, relpath
from typing import NamedTuple

from markdown_it.token import Token

from service.rest.docs import markdown, sources
from service.rest.i18n import Language

ROOT = "docs"
"""The path of the contents, without the slash; pages are below it."""
API_REFERENCE = "api/openapi.yaml"
"""The one source that is not Markdown: the contract, whose page is the API reference."""

_IN_LANGUAGE = re.compile(rf"docs/(\w+)/({'|'.join(Language)})\.md")


class Page(NamedTuple):
    """A page: its file in the repository, its path without the leading slash, its title in the contents, and its language."""

    source: str
    path: str
    title: str
    language: Language


class Section(NamedTuple):
    """A section of the contents."""

    title: str
    pages: Sequence[Page]


@cache
def sections() -> Sequence[Section]:
    """Return the sections of the contents, in order."""
    found: list[Section] = []
    title, pages = "", list[Page]()
    tokens = markdown.parse(sources.read(sources.CONTENTS))
    for before, token in pairwise(tokens):
        if before.type == "heading_open":
            title = token.content
        pages += [_page(normpath(f"{ROOT}/{target}"), text) for target, text in _links(token)]
        if token.type == "bullet_list_close" and token.level == 0:
            found.append(Section(title, tuple(pages)))
            pages = []
    return tuple(found)


@cache
def pages() -> Mapping[str, Page]:
    """Return the pages by their paths, in the order of the contents; the contents themselves come first."""
    contents = Page(sources.CONTENTS, ROOT, "Contents", Language.EN)
    return {page.path: page for page in (contents, *(page for section in sections() for page in section.pages))}


def translations(page: Page) -> Sequence[Page]:
    """Return all pages that say the same as `page`, itself included, each in its language."""
    written = _IN_LANGUAGE.fullmatch(page.source)
    if written is None:
        return (page,)
    return tuple(found for found in pages().values() if found.source.startswith(f"docs/{written[1]}/"))


def in_languages() -> Mapping[str, Mapping[Language, Page]]:
    """Return the paths at which a page is chosen by the language of the reader, such as `docs/rules`."""
    found: dict[str, dict[Language, Page]] = {}
    for page in pages().values():
        if len(translations(page)) > 1:
            found.setdefault(dirname(page.path), {})[page.language] = page
    return found


def link(page: Page, path: str) -> str:
    """Return the relative address of `path` in `page`. Relative addresses work behind any prefix."""
    here = dirname(page.path) or "."
    return f"{relpath('.', here)}/{ROOT}".removeprefix("./") if path == ROOT else relpath(path, here)


def resolve(page: Page, target: str) -> str:
    """Return where a link of the file of `page` leads in the served page.

    Raises:
        LookupError: the link leads to a file that is not among the pages.
    """
    if ":" in target or target.startswith("#"):
        return target
    file, _, anchor = target.partition("#")
    source = normpath(f"{dirname(page.source)}/{file}".lstrip("/"))
    led_to = next((found for found in pages().values() if found.source == source), None)
    if led_to is None:
        raise LookupError(f"{page.source}: {target} is not a page of the documentation")
    return link(page, led_to.path) + (f"#{anchor}" if anchor else "")


def _page(source: str, title: str) -> Page:
    in_language = _IN_LANGUAGE.fullmatch(source)
    return Page(source, _path(source), title, Language(in_language[2]) if in_language else Language.EN)


def _path(source: str) -> str:
    """`docs/streams.md` is served at `docs/streams`, `SECURITY.md` at `docs/security`, `k8s/README.md` at `docs/k8s`."""
    if source == API_REFERENCE:
        return f"{ROOT}/api"
    name = source.removeprefix(f"{ROOT}/").removesuffix(".md").removesuffix("/README")
    return f"{ROOT}/{name.lower()}"


def _links(token: Token) -> Sequence[tuple[str, str]]:
    parts = token.children or []
    return [
        (str(part.attrGet("href")), parts[index + 1].content)
        for index, part in enumerate(parts)
        if part.type == "link_open"
    ]
