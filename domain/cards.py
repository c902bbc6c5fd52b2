"""The Spanish pack: suits, cards, the packs of 40 and 48, and what is taken out so that all cards can be dealt.

A card is written `suit-number` everywhere (code, log, wire): `oros-1` is the ace of coins, `espadas-12` the king of swords. 10, 11 and
12 are sota, caballo and rey. Which card beats which is no property of the pack but of the ruleset: see `domain.tricks`.
"""

from collections.abc import Collection, Sequence
from enum import StrEnum
from typing import assert_never


class Suit(StrEnum):
    """The four suits: coins, cups, swords, clubs."""

    OROS = "oros"
    COPAS = "copas"
    ESPADAS = "espadas"
    BASTOS = "bastos"


class Card(StrEnum):
    """One of the 48 cards of the Spanish pack; its value is its written form.

    Attributes:
        suit: the suit, `Card("oros-1").suit is Suit.OROS`.
        number: the number printed on it, 1 to 12.
    """

    suit: Suit
    number: int

    def __init__(self, written: str) -> None:
        suit, number = written.split("-")
        self.suit = Suit(suit)
        self.number = int(number)

    # Cards are keys and set members on every hot path; Enum's own hash is a Python function.
    __hash__ = str.__hash__

    OROS_1 = "oros-1"
    OROS_2 = "oros-2"
    OROS_3 = "oros-3"
    OROS_4 = "oros-4"
    OROS_5 = "oros-5"
    OROS_6 = "oros-6"
    OROS_7 = "oros-7"
    OROS_8 = "oros-8"
    OROS_9 = "oros-9"
    OROS_10 = "oros-10"
    OROS_11 = "oros-11"
    OROS_12 = "oros-12"

    COPAS_1 = "copas-1"
    COPAS_2 = "copas-2"
    COPAS_3 = "copas-3"
    COPAS_4 = "copas-4"
    COPAS_5 = "copas-5"
    COPAS_6 = "copas-6"
    COPAS_7 = "copas-7"
    COPAS_8 = "copas-8"
    COPAS_9 = "copas-9"
    COPAS_10 = "copas-10"
    COPAS_11 = "copas-11"
    COPAS_12 = "copas-12"

    ESPADAS_1 = "espadas-1"
    ESPADAS_2 = "espadas-2"
    ESPADAS_3 = "espadas-3"
    ESPADAS_4 = "espadas-4"
    ESPADAS_5 = "espadas-5"
    ESPADAS_6 = "espadas-6"
    ESPADAS_7 = "espadas-7"
    ESPADAS_8 = "espadas-8"
    ESPADAS_9 = "espadas-9"
    ESPADAS_10 = "espadas-10"
    ESPADAS_11 = "espadas-11"
    ESPADAS_12 = "espadas-12"

    BASTOS_1 = "bastos-1"
    BASTOS_2 = "bastos-2"
    BASTOS_3 = "bastos-3"
    BASTOS_4 = "bastos-4"
    BASTOS_5 = "bastos-5"
    BASTOS_6 = "bastos-6"
    BASTOS_7 = "bastos-7"
    BASTOS_8 = "bastos-8"
    BASTOS_9 = "bastos-9"
    BASTOS_10 = "bastos-10"
    BASTOS_11 = "bastos-11"
    BASTOS_12 = "bastos-12"


class Trim(StrEnum):
    """How cards are taken out when the pack does not divide by the number of players (rulebook R-DECK-2 to R-DECK-4)."""

    NONE = "none"
    ALL_TWOS = "all-twos"
    ALL_TWOS_IF_INEXACT = "all-twos-if-inexact"
    SEQUENCE = "sequence"


SIZES = (40, 48)
_ONLY_IN_THE_LARGE_PACK = (8, 9)
_TRIM_SUITS = (Suit.ESPADAS, Suit.BASTOS, Suit.COPAS, Suit.OROS)
_TRIM_ORDER = tuple(Card(f"{suit}-{number}") for number in (2, 4) for suit in _TRIM_SUITS)
_TWOS = _TRIM_ORDER[:4]


def pack(size: int) -> tuple[Card, ...]:
    """Return the pack of 40 (without eights and nines) or 48 cards, suit by suit in ascending number.

    Raises:
        ValueError: there is no pack of that size.
    """
    if size not in SIZES:
        raise ValueError(f"there are packs of 40 and 48 cards, not of {size}")
    return tuple(card for card in Card if size == max(SIZES) or card.number not in _ONLY_IN_THE_LARGE_PACK)


def trimmed(trim: Trim, size: int, players: int) -> tuple[Card, ...]:
    """Return the cards that are taken out of a pack of `size` for `players`, in the order in which they go.

    `SEQUENCE` takes just as many as are too many: the twos, then the fours, each in the order espadas, bastos, copas, oros (seed 004:8).
    """
    surplus = size % players
    match trim:
        case Trim.NONE:
            return ()
        case Trim.ALL_TWOS:
            return _TWOS
        case Trim.ALL_TWOS_IF_INEXACT:
            return _TWOS if surplus else ()
        case Trim.SEQUENCE:
            return _TRIM_ORDER[:surplus]
        case _:
            assert_never(trim)


def without(cards: Sequence[Card], removed: Collection[Card]) -> tuple[Card, ...]:
    """Return `cards` in their order, those of `removed` left out."""
    return tuple(card for card in cards if card not in removed)
