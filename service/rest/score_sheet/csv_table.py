"""The score sheet as CSV (RFC 4180): a header row, then a row a hand. Column names are for programs, and not translated."""

import csv
import io
from collections.abc import Iterator

from msgspec import UNSET

from domain.pocha.view.schema import SeatView
from service.rest.schemas.score_sheet import ScoreSheet, SheetRow

_HAND_COLUMNS = ("number", "cards", "kind", "trump", "multiplier")
_PLAYER_COLUMNS = ("bid", "tricks", "points", "penalty", "total")
# What makes a spreadsheet take a text for a formula, also in full-width forms.
_FORMULA_PREFIXES = tuple("=+-@\t\r\n\uff1d\uff0b\uff0d\uff20")


def table(sheet: ScoreSheet) -> bytes:
    """Return the table in UTF-8."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow((*_HAND_COLUMNS, *_player_columns(sheet)))
    writer.writerows((*_hand(row), *_cells(row)) for row in sheet.rows)
    return text.getvalue().encode()


def _player_columns(sheet: ScoreSheet) -> Iterator[str]:
    for name in _unique_names(sheet):
        yield from (_escape_formula(f"{name} {column}") for column in _PLAYER_COLUMNS)


def _unique_names(sheet: ScoreSheet) -> Iterator[str]:
    """Yield the names by seat; players of the same name get their seat's number added."""
    names = [_name(seat) for seat in sheet.seats]
    yield from (name if names.count(name) == 1 else f"{name} ({seat})" for seat, name in enumerate(names))


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
