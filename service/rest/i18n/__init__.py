"""Texts in the languages of the service: one file a language, all with the same keys."""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from functools import lru_cache
from importlib import resources
from typing import cast

import msgspec
from litestar.types import Scope

from domain.cards import Card, Suit
from domain.pocha.model.refusals import Reason
from domain.pocha.rules.schedule import HandKind
from domain.pocha.view.schema import Status
from service.rest.negotiation import best_language
from service.rest.scope import header


class Language(StrEnum):
    """The languages; the first is the default."""

    EN = "en"
    ES = "es"
    FR = "fr"
    DE = "de"


class _Texts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Base of the texts of one language."""


class ErrorMessages(_Texts, frozen=True):
    """The title of an error code, and its detail where no closer one is known."""

    title: str
    detail: str


class ScoreSheetMessages(_Texts, frozen=True):
    """The texts of the score sheet."""

    title: str
    hand: str
    cards: str
    trump: str
    no_trump: str
    multiplied: str
    points: str
    total: str
    bid_and_tricks: str
    hit: str
    miss: str
    penalty: str
    winner: str
    won: str
    shared: str
    robot: str
    free: str
    hits: str
    house_rules: str
    empty: str
    pending: str
    legend: str
    minus: str
    made: str
    date: str
    months: tuple[str, ...]
    status: dict[Status, str]
    kinds: dict[HandKind, str]
    levels: dict[str, str]
    and_: str = msgspec.field(name="and")


class Messages(_Texts, frozen=True):
    """All texts of one language. `details` are keyed by `ErrorDetail`, `facts` by the field of a refusal's facts.

    `play` is what the table in the browser says.
    """

    codes: dict[str, ErrorMessages]
    details: dict[str, str]
    reasons: dict[Reason, str]
    facts: dict[str, str]
    suits: dict[Suit, str]
    of_suit: dict[Suit, str]
    numbers: dict[str, str]
    sheet: ScoreSheetMessages
    play: dict[str, str]
    deleted_player: str
    or_: str = msgspec.field(name="or")

    def card(self, card: Card) -> str:
        """Return the name of a card: `sota de copas`."""
        return f"{self.numbers.get(str(card.number), card.number)} {self.of_suit[card.suit]}"

    def refusal(self, reason: Reason, facts: Mapping[str, object]) -> str:
        """Return the reason of a refusal, followed by its facts, such as the legal moves."""
        more = (
            text.format(self._fact(facts[name]))
            for name, text in self.facts.items()
            if facts.get(name) not in (None, ())
        )
        return " ".join((self.reasons[reason], *more))

    def _fact(self, fact: object) -> str:
        if isinstance(fact, tuple):
            return join_list((self._fact(item) for item in cast("tuple[object, ...]", fact)), self.or_)
        return self.card(fact) if isinstance(fact, Card) else str(fact)


def join_list(items: Iterable[str], conjunction: str) -> str:
    """Return `1, 2 or 3`."""
    *others, last = items
    return f"{', '.join(others)} {conjunction} {last}" if others else last


@lru_cache(256)
def preferred_language(accept_language: str) -> Language:
    """Return the language that an `Accept-Language` header prefers."""
    return best_language(accept_language, tuple(Language))


def language_of(scope: Scope) -> Language:
    """Return the language that a request prefers."""
    return preferred_language(header(scope, b"accept-language"))


def messages_in(language: Language) -> Messages:
    """Return the texts of a language."""
    return _MESSAGES[language]


def _read(language: Language) -> Messages:
    return msgspec.toml.decode(resources.files(__name__).joinpath(f"{language}.toml").read_bytes(), type=Messages)


_MESSAGES = {language: _read(language) for language in Language}
