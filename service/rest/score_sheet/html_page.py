"""The score sheet as a page to look at and to print, in the reader's language: no script, nothing from elsewhere, every text escaped."""

import base64
import hashlib
from collections.abc import Iterable, Iterator
from datetime import datetime
from html import escape
from importlib import resources

from msgspec import UNSET

from domain.cards import Suit
from domain.pocha.rules.schedule import HandKind
from domain.pocha.view.schema import SeatView
from service.rest.i18n import Language, Messages, ScoreSheetMessages, join_list, messages_in
from service.rest.schemas import ScoreSheet, SheetEntry, SheetRow


def _static(name: str) -> str:
    return resources.files("service.rest").joinpath("static", name).read_text("utf-8")


_STYLE = _static("sheet.css")
_SUITS = _static("suits.svg")
_HASH = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()

# The minus sign and the dash as wide as digits are, and the sign of multiplication.
_MINUS, _NONE, _TIMES = "\u2212", "\u2013", "\u00d7"

POLICY = f"default-src 'none'; style-src 'sha256-{_HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
"""The content security policy to send with the page: its own style sheet, and nothing else."""


def page(sheet: ScoreSheet, ranks: tuple[int, ...], created_at: datetime, language: Language) -> bytes:
    """Return the page, in UTF-8; `ranks` are join_list by seat, and empty before the start."""
    return _Page(sheet, ranks, created_at, language).html().encode()


class _Page:
    """One score sheet in one language. What its methods return is HTML."""

    def __init__(self, sheet: ScoreSheet, ranks: tuple[int, ...], created_at: datetime, language: Language) -> None:
        self._sheet = sheet
        self._ranks = ranks
        self._created_at = created_at
        self._language = language
        self._all_words: Messages = messages_in(language)
        self._words: ScoreSheetMessages = self._all_words.sheet
        self._names = [escape(self._name(seat)) for seat in sheet.seats]
        self._winners = () if sheet.result is UNSET else sheet.result.winners

    def html(self) -> str:
        """Return the whole page."""
        title = escape(f"{self._words.title} · {self._sheet.ruleset.title}")
        return (
            f'<!doctype html>\n<html lang="{self._language}">\n<head>\n<meta charset="utf-8">\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            f'<meta name="color-scheme" content="light dark">\n<title>{title}</title>\n<style>{_STYLE}</style>\n</head>\n'
            f"<body>\n{_SUITS}<main>\n{self._header()}\n{self._standings()}\n{self._paper()}\n{self._legend()}\n</main>\n"
            "</body>\n</html>\n"
        )

    def _header(self) -> str:
        words, sheet = self._words, self._sheet
        about = [sheet.ruleset.title, words.made.format(self._date()), words.status[sheet.status]]
        if sheet.ruleset.house_rules:
            about.insert(1, words.house_rules)
        suits = "".join(f'<svg class="suit"><use href="#{suit}"/></svg>' for suit in Suit)
        return (
            f'<header>\n<p class="row" aria-hidden="true">{suits}</p>\n<h1>{escape(words.title)}</h1>\n'
            f'<p class="about">{escape(" · ".join(about))}</p>\n{self._won()}</header>'
        )

    def _won(self) -> str:
        if not self._winners:
            return ""
        words = self._words
        names = join_list((self._names[seat] for seat in self._winners), escape(words.and_))
        said = escape(words.won if len(self._winners) == 1 else words.shared)
        return f'<p class="won">★ {said.format(names, _number(self._sheet.totals[self._winners[0]]))}</p>\n'

    def _date(self) -> str:
        at = self._created_at
        return self._words.date.format(day=at.day, month=self._words.months[at.month - 1], year=at.year)

    def _standings(self) -> str:
        seats = sorted(range(len(self._ranks)), key=lambda seat: self._ranks[seat])
        return f"<ol>\n{''.join(self._standing(seat) for seat in seats)}</ol>" if seats else ""

    def _standing(self, seat: int) -> str:
        rows = self._sheet.rows
        hits = sum(_is_hit(row.entries[seat]) for row in rows)
        said = self._words.hits.format(hits=hits, hands=len(rows))
        winner, rank = (' class="winner"', "★") if seat in self._winners else ("", str(self._ranks[seat]))
        label = f' aria-label="{escape(self._words.winner)}"' if winner else ""
        return (
            f'<li{winner}><span class="rank"{label}>{rank}</span><span class="name">{self._names[seat]}</span>'
            f'<span class="sum">{_number(self._sheet.totals[seat])}</span><span class="hits">{escape(said)}</span></li>\n'
        )

    def _paper(self) -> str:
        if not self._sheet.rows and self._sheet.open_penalties is UNSET:
            return f'<div class="paper"><p class="empty">{escape(self._words.empty)}</p></div>'
        title = escape(self._words.title)
        return (
            f'<div class="paper" role="region" aria-label="{title}" tabindex="0">\n<table>\n{self._head()}\n'
            f"<tbody>\n{''.join(self._row(row) for row in self._sheet.rows)}</tbody>\n{self._foot()}\n</table>\n</div>"
        )

    def _head(self) -> str:
        words = self._words
        deal = escape(f"{words.cards} · {words.trump}")
        names = "".join(self._column(seat) for seat in range(len(self._names)))
        what = f'<th class="what own" scope="col">{escape(words.points)}</th><th class="what" scope="col">{escape(words.total)}</th>'
        return (
            f'<thead>\n<tr><th class="deal" rowspan="2" scope="col">{deal}</th>{names}</tr>\n'
            f"<tr>{what * len(self._names)}</tr>\n</thead>"
        )

    def _column(self, seat: int) -> str:
        top, star = (" top", "★ ") if seat in self._winners else ("", "")
        return f'<th class="name own{top}" colspan="2" scope="colgroup">{star}{self._names[seat]}</th>'

    def _row(self, row: SheetRow) -> str:
        cells = "".join(self._cell(entry) for entry in row.entries)
        return f'<tr><th class="deal" scope="row">{self._deal(row)}</th>{cells}</tr>\n'

    def _deal(self, row: SheetRow) -> str:
        kind = "" if row.kind is HandKind.NORMAL else f'<span class="kind">{escape(self._words.kinds[row.kind])}</span>'
        return f"<b>{row.cards}</b> {self._trump(row)}{self._times(row)}{kind}"

    def _trump(self, row: SheetRow) -> str:
        if row.trump is UNSET:
            return f'<i role="img" aria-label="{escape(self._words.no_trump)}">{_NONE}</i>'
        name = escape(self._all_words.suits[row.trump])
        return f'<i><svg class="suit" role="img" aria-label="{name}"><use href="#{row.trump}"/></svg></i>'

    def _times(self, row: SheetRow) -> str:
        if row.multiplier == 1:
            return ""
        said = escape(self._words.multiplied.format(row.multiplier))
        return f'<span class="times" role="img" aria-label="{said}">{_TIMES}{row.multiplier}</span>'

    def _cell(self, entry: SheetEntry) -> str:
        said = escape(self._words.bid_and_tricks.format(bid=entry.bid, tricks=entry.tricks))
        return (
            f'<td class="points own {_kind_of(entry)}">{self._mark(entry)}{self._lost(entry)}'
            f'<small title="{said}">{entry.bid}/{entry.tricks}</small></td><td class="total">{_number(entry.total)}</td>'
        )

    def _mark(self, entry: SheetEntry) -> str:
        said, sign = (self._words.hit, "✓") if _is_hit(entry) else (self._words.miss, "✗")
        mark = f'<span class="mark" role="img" aria-label="{escape(said)}">{sign}</span>'
        return f"<b>{mark}{_signed(entry.points)}</b>"

    def _lost(self, entry: SheetEntry) -> str:
        if entry.penalty is UNSET:
            return ""
        return f'<small class="lost">{escape(self._words.penalty)} {_signed(-entry.penalty)}</small>'

    def _foot(self) -> str:
        cells = "".join(self._sum(seat, total) for seat, total in enumerate(self._sheet.totals))
        total = escape(self._words.total)
        return f'<tfoot>\n{self._open()}<tr><th class="deal" scope="row">{total}</th>{cells}</tr>\n</tfoot>'

    def _sum(self, seat: int, total: int) -> str:
        top = " top" if seat in self._winners else ""
        return f'<td class="own{top}" colspan="2">{_number(total)}</td>'

    def _open(self) -> str:
        if self._sheet.open_penalties is UNSET:
            return ""
        cells = "".join(self._open_cell(lost) for lost in self._sheet.open_penalties)
        return f'<tr class="open"><th class="deal" scope="row">{escape(self._words.pending)}</th>{cells}</tr>\n'

    def _open_cell(self, lost: int) -> str:
        said = f"{escape(self._words.penalty)} {_signed(-lost)}" if lost else ""
        return f'<td class="own" colspan="2">{said}</td>'

    def _legend(self) -> str:
        words = self._words
        marks = (("hit", "✓", words.hit), ("miss", "✗", words.miss))
        signs = " ".join(
            f'<span class="points {kind}"><b>{sign} {escape(said)}</b></span>' for kind, sign, said in marks
        )
        fined = f" {escape(words.minus)}" if self._is_fined() else ""
        return f"<footer>\n<p>{signs}</p>\n<p>{escape(words.legend)}{fined}</p>\n</footer>"

    def _is_fined(self) -> bool:
        return self._sheet.open_penalties is not UNSET or any(
            entry.penalty is not UNSET for entry in _entries(self._sheet.rows)
        )

    def _name(self, seat: SeatView) -> str:
        if seat.player is not UNSET:
            return seat.player.display_name
        if seat.robot is UNSET:
            return self._words.free.format(seat=seat.seat)
        return self._words.robot.format(seat=seat.seat, level=self._words.levels[seat.robot.level])


def _entries(rows: Iterable[SheetRow]) -> Iterator[SheetEntry]:
    return (entry for row in rows for entry in row.entries)


def _is_hit(entry: SheetEntry) -> bool:
    return entry.bid == entry.tricks


def _kind_of(entry: SheetEntry) -> str:
    return "hit" if _is_hit(entry) else "miss"


def _number(number: int) -> str:
    return str(number).replace("-", _MINUS)


def _signed(number: int) -> str:
    return f"+{number}" if number > 0 else _number(number)
