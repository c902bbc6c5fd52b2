"""The game's terms in four languages."""

import msgspec

from domain.pocha.view.parts import SOURCES
from service.rest.schemas.responses import Glossary
from tests.kit.player import Api

# What the step asks for, and the words of the documents that nobody can do without.
TERMS = {
    "baza", "mano", "ser-mano", "pinte", "triunfo", "palo", "hook", "india", "subastado", "oros", "ciega", "renuncio",
    "fallar", "asistir", "montar", "arrastrar", "achicarse", "contrafallar", "pisar", "semifallo", "fallo-redondo",
    "postre", "puja", "apuesta", "baraja", "sota", "caballo", "rey", "jarana", "lucha", "regalo", "hacer-pocha",
    "tirarse-lo-gordo", "viejo-truco",
}  # fmt: skip


async def glossary(api: Api) -> Glossary:
    response = await api.client.get("/v1/glossary")
    assert response.status_code == 200
    return msgspec.json.decode(response.content, type=Glossary)


async def test_the_glossary_has_the_terms_of_the_documents_each_once(api: Api) -> None:
    terms = [entry.term for entry in (await glossary(api)).items]
    assert set(terms) >= TERMS
    assert len(terms) == len(set(terms))


async def test_every_term_has_word_meaning_and_source_in_every_language(api: Api) -> None:
    for entry in (await glossary(api)).items:
        assert [word.language for word in entry.words] == ["es", "en", "fr", "de"]
        for word in entry.words:
            assert word.word == word.word.strip() != ""
            assert word.meaning.endswith(".") or word.meaning.endswith(".»")
            assert len(word.meaning) <= 160, "short enough for a bubble beside the word"
        assert len({word.meaning for word in entry.words}) == 4
        assert entry.source in {*SOURCES.values(), "De viva voz"}


async def test_the_glossary_needs_no_token_and_takes_no_query(api: Api) -> None:
    assert (await api.client.head("/v1/glossary")).headers["cache-control"] == "public, max-age=3600"
    assert (await api.client.get("/v1/glossary?language=es")).status_code == 400
