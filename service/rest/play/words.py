"""The words of the table in one language: those of the service, and the meanings of the glossary."""

from collections.abc import Mapping

import msgspec

from domain.cards import Suit
from domain.pocha.rules.schedule import HandKind
from domain.pocha.view.schema import Status
from service.rest.i18n import Language, messages_in
from service.rest.routes.glossary import glossary


class Words(msgspec.Struct, frozen=True):
    """All that the page says, as it gets it."""

    language: Language
    texts: Mapping[str, str]
    suits: Mapping[Suit, str]
    of_suit: Mapping[Suit, str]
    numbers: Mapping[str, str]
    kinds: Mapping[HandKind, str]
    levels: Mapping[str, str]
    status: Mapping[Status, str]
    meanings: Mapping[str, tuple[str, str]]


def of(language: Language) -> Words:
    """Return the words of a language; `meanings` has for each term its word and what it means."""
    messages = messages_in(language)
    meanings = {
        entry.term: (word.word, word.meaning)
        for entry in glossary().items
        for word in entry.words
        if word.language == language
    }
    return Words(
        language=language,
        texts=messages.play,
        suits=messages.suits,
        of_suit=messages.of_suit,
        numbers=messages.numbers,
        kinds=messages.sheet.kinds,
        levels=messages.sheet.levels,
        status=messages.sheet.status,
        meanings=meanings,
    )
