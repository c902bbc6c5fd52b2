"""The score sheet as CSV (RFC 4180, or for Excel): a header row, then a row a hand. Column names are for programs, and not translated."""

import csv
import io
from collections import Counter
from collections.abc import Iterator, Sequence
from enum import StrEnum

from msgspec import UNSET

from domain.pocha.view.schema import SeatView
from service.rest.schemas.score_sheet import ScoreSheet, SheetRow

_HAND_COLUMNS = ("number", "cards", "kind", "trump", "multiplier")
_PLAYER_COLUMNS = ("bid", "tricks", "points", "penalty", "total")
# What makes a spreadsheet take a text for a formula, also in full-width forms.
_FORMULA_PREFIXES = tuple("=+-@\t\r\n\uff1d\uff0b\uff0d\uff20")


class Dialect(StrEnum):
    """The form of the file, for whoever reads it."""

    RFC4180 = "rfc4180"
    EXCEL = "excel"


def table(sheet: ScoreSheet, dialect: Dialect = Dialect.RFC4180) -> bytes:
    """Return the table in UTF-8."""
    is_for_excel = dialect is Dialect.EXCEL
    text = io.StringIO()
    writer = csv.writer(text, delimiter=";" if is_for_excel else ",")
    writer.writerow((*_HAND_COLUMNS, *_player_columns(sheet)))
    writer.writerows((*_hand(row), *_cells(row)) for row in sheet.rows)
    return text.getvalue().encode("utf-8-sig" if is_for_excel else "utf-8")


def _player_columns(sheet: ScoreSheet) -> Iterator[str]:
    for name in unique_names([_escape_formula(_name(seat)) for seat in sheet.seats]):
        yield from (f"{name} {column}" for column in _PLAYER_COLUMNS)


def unique_names(names: Sequence[str]) -> Sequence[str]:
    """Return the names by seat, those that are the same but for capitals with their seat's number added.

    A name with its number may be another player's name. Then both get theirs, after which they end differently: every round numbers one
    seat more, so this ends.
    """
    counts = Counter(name.casefold() for name in names)
    if len(counts) == len(names):
        return names
    return unique_names(
        [name if counts[name.casefold()] == 1 else f"{name} ({seat})" for seat, name in enumerate(names)]
    )


def _name(seat: SeatView) -> str:
    if seat.player is not UNSET:
        return seat.player.display_name
    return f"seat {seat.seat}" if seat.robot is UNSET else f"robot {seat.seat}"


def _escape_formula(text: str) -> str:
    return f"'{text}" if text.lstrip(" ").startswith(_FORMULA_PREFIXES) else text


def _hand(row: SheetRow) -> tuple[object, ...]:
    return row.number, row.cards, row.kind, "" if row.trump is UNSET else row.trump, row.multiplier


def _cells(row: SheetRow) -> Iterator[int]:
    for entry in row.entries:
        yield from (entry.bid, entry.tricks, entry.points, 0 if entry.penalty is UNSET else entry.penalty, entry.total)
