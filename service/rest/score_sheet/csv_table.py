"""The score sheet as comma-separated values (RFC 4180): a header, and a row a hand. Its words are names for programs, in no language."""

import csv
import io
from collections.abc import Iterator

from msgspec import UNSET

from domain.pocha.view.schema import SeatView
from service.rest.schemas import ScoreSheet, SheetRow

_OF_A_HAND = ("number", "cards", "kind", "trump", "multiplier")
_OF_A_PLAYER = ("bid", "tricks", "points", "penalty", "total")
# What makes a spreadsheet take a text for a formula, in their full-width forms too.
_FORMULA = tuple("=+-@\t\r\n\uff1d\uff0b\uff0d\uff20")


def table(sheet: ScoreSheet) -> bytes:
    """Return the table, in UTF-8."""
    written = io.StringIO()
    writer = csv.writer(written)
    writer.writerow((*_OF_A_HAND, *_player_columns(sheet)))
    writer.writerows((*_hand(row), *_cells(row)) for row in sheet.rows)
    return written.getvalue().encode()


def _player_columns(sheet: ScoreSheet) -> Iterator[str]:
    for name in _names(sheet):
        yield from (_text(f"{name} {column}") for column in _OF_A_PLAYER)


def _names(sheet: ScoreSheet) -> Iterator[str]:
    """Every column has a name of its own: those who share one get their seat's number."""
    names = [_name(seat) for seat in sheet.seats]
    yield from (name if names.count(name) == 1 else f"{name} ({seat})" for seat, name in enumerate(names))


def _name(seat: SeatView) -> str:
    if seat.player is not UNSET:
        return seat.player.display_name
    return f"seat {seat.seat}" if seat.robot is UNSET else f"robot {seat.seat}"


def _text(text: str) -> str:
    """Keep a text from being computed."""
    return f"'{text}" if text.lstrip(" ").startswith(_FORMULA) else text


def _hand(row: SheetRow) -> tuple[object, ...]:
    return row.number, row.cards, row.kind, "" if row.trump is UNSET else row.trump, row.multiplier


def _cells(row: SheetRow) -> Iterator[int]:
    for entry in row.entries:
        yield from (entry.bid, entry.tricks, entry.points, 0 if entry.penalty is UNSET else entry.penalty, entry.total)
