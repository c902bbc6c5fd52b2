"""The glossary: the terms of the game in every language."""

from functools import cache
from importlib import resources

import msgspec
from litestar import get

from service.rest.i18n import Language
from service.rest.rate_limit.policies import Policy, rate_limit
from service.rest.requests import ApiRequest
from service.rest.responses import CachedJson, EncodedResponse
from service.rest.routing import Router
from service.rest.schemas.responses import Glossary, GlossaryEntry, GlossaryWord


class _Item(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An entry of `i18n/glossary.toml`: for each language the word and its meaning."""

    term: str
    source: str
    en: tuple[str, str]
    es: tuple[str, str]
    fr: tuple[str, str]
    de: tuple[str, str]


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    items: tuple[_Item, ...]


def router() -> Router:
    """Return the route of `/v1/glossary`."""
    terms = CachedJson(glossary())

    @get("/", opt=rate_limit(Policy.READS))
    async def get_glossary(request: ApiRequest) -> EncodedResponse:
        return terms.response(request.scope)

    return Router("/v1/glossary", route_handlers=[get_glossary])


@cache
def glossary() -> Glossary:
    """Return all terms."""
    source = resources.files("service.rest.i18n").joinpath("glossary.toml").read_bytes()
    return Glossary(tuple(_entry(item) for item in msgspec.toml.decode(source, type=_File).items))


def _entry(item: _Item) -> GlossaryEntry:
    texts = {Language.ES: item.es, Language.EN: item.en, Language.FR: item.fr, Language.DE: item.de}
    words = tuple(GlossaryWord(language, word, meaning) for language, (word, meaning) in texts.items())
    return GlossaryEntry(item.term, item.source, words)
