"""The terms of the game, in the four languages of the documents."""

from importlib import resources

import msgspec
from litestar import get

from service.rest.i18n import Language
from service.rest.requests import AnyRequest, query_of
from service.rest.responses import EncodedResponse, json_response
from service.rest.routing import Handlers
from service.rest.schemas import Glossary, GlossaryEntry, GlossaryWord

_FOR_AN_HOUR = {"Cache-Control": "public, max-age=3600"}


class _Item(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An entry as it is written down: in each language the word, and what it means."""

    term: str
    source: str
    en: tuple[str, str]
    es: tuple[str, str]
    fr: tuple[str, str]
    de: tuple[str, str]


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    items: tuple[_Item, ...]


def handlers() -> Handlers:
    """Return the handler of `/v1/glossary`."""
    glossary = _read()

    @get("/v1/glossary")
    async def get_glossary(request: AnyRequest) -> EncodedResponse:
        query_of(request, {})
        return json_response(glossary, headers=_FOR_AN_HOUR)

    return [get_glossary]


def _read() -> Glossary:
    written = resources.files("service.rest.i18n").joinpath("glossary.toml").read_bytes()
    return Glossary(tuple(_entry(item) for item in msgspec.toml.decode(written, type=_File).items))


def _entry(item: _Item) -> GlossaryEntry:
    written = {Language.ES: item.es, Language.EN: item.en, Language.FR: item.fr, Language.DE: item.de}
    return GlossaryEntry(
        item.term, item.source, tuple(GlossaryWord(language, *texts) for language, texts in written.items())
    )
