"""What is written on the sheet, one record an entry. Their tags are stored forever."""

import msgspec

from domain.cards import Card, Suit


class BidNoted(msgspec.Struct, frozen=True, tag_field="type", tag="bid"):
    """`seat` said how many tricks it will take."""

    seat: int
    bid: int


class AuctionNoted(msgspec.Struct, frozen=True, tag_field="type", tag="auction"):
    """`seat` won the auction of a subastado hand with `bid`, and named trump."""

    seat: int
    bid: int
    suit: Suit


class TrumpNoted(msgspec.Struct, frozen=True, tag_field="type", tag="trump"):
    """What marks trump in a hand where a card is turned up: its suit, and the card where somebody wrote it down."""

    suit: Suit
    turn_up: Card | None = None


class TricksNoted(msgspec.Struct, frozen=True, tag_field="type", tag="tricks"):
    """The hand was played; `tricks` are those taken, by seat."""

    tricks: tuple[int, ...]


class PenaltyNoted(msgspec.Struct, frozen=True, tag_field="type", tag="penalty"):
    """`seat` loses `points`: it played an illegal card, or wrongly said so of a rival."""

    seat: int
    points: int
    wrong_claim: bool = False


class Correction(msgspec.Struct, frozen=True, tag_field="type", tag="correction"):
    """The last so many of the `entries` that counted do not count any more."""

    entries: int


Note = BidNoted | AuctionNoted | TrumpNoted | TricksNoted | PenaltyNoted
"""The entries that say what happened at the table."""

Entry = Note | Correction
