"""What the service says in words, in the four languages of the documents: one file a language, with the same keys in each."""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from importlib import resources
from typing import cast

import msgspec

from domain.cards import Card, Suit
from domain.pocha.model.refusals import Reason
from domain.pocha.rules.schedule import HandKind
from domain.pocha.view.schema import Status
from service.rest import negotiation


class Language(StrEnum):
    """The languages of the documents; the first is spoken to whoever asks for none of them."""

    EN = "en"
    ES = "es"
    FR = "fr"
    DE = "de"


class _Texts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Base of the texts of one language."""


class ErrorMessages(_Texts, frozen=True):
    """The title of a problem's code, and the sentence for where there is nothing closer to say."""

    title: str
    detail: str


class ScoreSheetMessages(_Texts, frozen=True):
    """The words of the score sheet."""

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
    """All texts of one language. `details` and `facts` are keyed by what they are about, `numbers` by the card's."""

    codes: dict[str, ErrorMessages]
    details: dict[str, str]
    reasons: dict[Reason, str]
    facts: dict[str, str]
    suits: dict[Suit, str]
    of_suit: dict[Suit, str]
    numbers: dict[str, str]
    sheet: ScoreSheetMessages
    or_: str = msgspec.field(name="or")

    def card(self, card: Card) -> str:
        """Return a card's name: `sota de copas`."""
        return f"{self.numbers.get(str(card.number), card.number)} {self.of_suit[card.suit]}"

    def why(self, reason: Reason, facts: Mapping[str, object]) -> str:
        """Return why a command was refused, and what is known of what it should have been."""
        more = (
            text.format(self._fact(facts[name]))
            for name, text in self.facts.items()
            if facts.get(name) not in (None, ())
        )
        return " ".join((self.reasons[reason], *more))

    def _fact(self, fact: object) -> str:
        if isinstance(fact, tuple):
            return listed((self._fact(item) for item in cast("tuple[object, ...]", fact)), self.or_)
        return self.card(fact) if isinstance(fact, Card) else str(fact)


def listed(items: Iterable[str], last: str) -> str:
    """Return `1, 2 or 3`; `last` is the word before the last item."""
    *others, final = items
    return f"{', '.join(others)} {last} {final}" if others else final


def preferred_language(accept_language: str) -> Language:
    """Return the language to speak to who sent this `Accept-Language`."""
    return negotiation.language(accept_language, tuple(Language))


def messages_in(language: Language) -> Messages:
    """Return the texts of a language."""
    return _WORDS[language]


def _read(language: Language) -> Messages:
    return msgspec.toml.decode(resources.files(__name__).joinpath(f"{language}.toml").read_bytes(), type=Messages)


_WORDS = {language: _read(language) for language in Language}
