"""The documentation as it is served: HTML pages and the files that they use, each with its type and entity tag."""

import hashlib
from collections.abc import Mapping, Sequence
from functools import cache, partial
from importlib import resources
from types import MappingProxyType
from typing import NamedTuple

from jinja2 import Environment, PackageLoader, StrictUndefined, Template
from markupsafe import Markup

from service.rest.docs import catalog, markdown, sources
from service.rest.docs.catalog import Page, Section
from service.rest.docs.markdown import Heading
from service.rest.i18n import Language

ASSETS: Mapping[str, str] = MappingProxyType(
    {
        "docs.css": "text/css; charset=utf-8",
        "docs-api.css": "text/css; charset=utf-8",
        "docs-api.js": "text/javascript; charset=utf-8",
        "favicon-32x32.png": "image/png",
        "swagger-ui-bundle.js": "text/javascript; charset=utf-8",
        "swagger-ui.css": "text/css; charset=utf-8",
    }
)
"""The files that pages use, with their media types; they are served below `docs/static/`."""

_LANGUAGE_NAMES = {Language.EN: "English", Language.ES: "Español", Language.FR: "Français", Language.DE: "Deutsch"}
_ON_THIS_PAGE = {
    Language.EN: "On this page",
    Language.ES: "En esta página",
    Language.FR: "Sur cette page",
    Language.DE: "Auf dieser Seite",
}
_OUTLINED = 2
"""The level of the headings that a page lists at its top."""
_TAG_LENGTH = 16


class Document(NamedTuple):
    """Something to serve: its bytes, and an entity tag that changes with them."""

    body: bytes
    etag: str


@cache
def html(path: str) -> Document:
    """Return the page at `path`, which is one of `catalog.pages()`.

    Raises:
        LookupError: the page has a link that leads nowhere.
    """
    page = catalog.pages()[path]
    if page.source == catalog.API_REFERENCE:
        return _document(_api_reference(page))
    rendered = markdown.render(sources.read(page.source), partial(catalog.resolve, page))
    title = next(heading.text for heading in rendered.headings if heading.level == 1)
    outline = [heading for heading in rendered.headings if heading.level == _OUTLINED and path != catalog.ROOT]
    heading, end, body = rendered.body.partition("</h1>\n")
    parts = {"heading": Markup(heading + end), "body": Markup(body)}  # noqa: S704 - the renderer has escaped them
    return _document(_whole(page, title, parts, outline))


@cache
def asset(name: str) -> Document:
    """Return one of `ASSETS`."""
    content = resources.files("service.rest").joinpath("static", name).read_bytes()
    return Document(content, _etag(content))


def _api_reference(page: Page) -> str:
    here = partial(_asset_address, page)
    body = Markup(
        '<link rel="stylesheet" href="{}"><link rel="stylesheet" href="{}"><div id="contract" data-url="{}"></div>'
        '<script src="{}"></script><script src="{}"></script>'
    ).format(
        here("swagger-ui.css"),
        here("docs-api.css"),
        catalog.link(page, "openapi.json"),
        here("swagger-ui-bundle.js"),
        here("docs-api.js"),
    )
    return _whole(page, page.title, {"heading": Markup(), "body": body}, [])


def _whole(page: Page, title: str, parts: Mapping[str, Markup], outline: Sequence[Heading]) -> str:
    order = [found for found in catalog.pages().values() if found.language == page.language]
    place = order.index(page)
    return _template().render(
        page=page,
        title=title,
        outline=outline,
        on_this_page=_ON_THIS_PAGE[page.language],
        sections=_navigation(page.language),
        translations=catalog.translations(page),
        names=_LANGUAGE_NAMES,
        before=order[place - 1] if place > 0 else None,
        after=order[place + 1] if place + 1 < len(order) else None,
        link=partial(catalog.link, page),
        asset=partial(_asset_address, page),
        **parts,
    )


@cache
def _navigation(language: Language) -> Sequence[Section]:
    """Return the sections with one page for each subject: in `language`, or in English where there is none."""
    return [Section(section.title, _one_for_each_subject(section.pages, language)) for section in catalog.sections()]


def _one_for_each_subject(pages: Sequence[Page], language: Language) -> Sequence[Page]:
    subjects = dict.fromkeys(tuple(catalog.translations(page)) for page in pages)
    return [next((page for page in subject if page.language == language), subject[0]) for subject in subjects]


@cache
def _template() -> Template:
    environment = Environment(
        loader=PackageLoader("service.rest", "docs"), autoescape=True, undefined=StrictUndefined, trim_blocks=False
    )
    return environment.get_template("page.html.jinja")


def _asset_address(page: Page, name: str) -> str:
    """Return the address of a file in `page`. It has the file's tag in it, so that a new version of the service brings a new address."""
    version = asset(name).etag.removeprefix("W/").strip('"')
    return f"{catalog.link(page, f'{catalog.ROOT}/static/{name}')}?v={version}"


def _document(text: str) -> Document:
    content = text.encode()
    return Document(content, _etag(content))


def _etag(content: bytes) -> str:
    # Weak: the compressed body is another one.
    return f'W/"{hashlib.sha256(content).hexdigest()[:_TAG_LENGTH]}"'
