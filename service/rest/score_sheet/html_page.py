"""The score sheet as an HTML page, to look at and to print: without scripts, and without resources from elsewhere."""

import base64
import hashlib
from collections.abc import Sequence
from datetime import datetime
from functools import cache
from importlib import resources

from jinja2 import Environment, PackageLoader, StrictUndefined, Template
from markupsafe import Markup, escape
from msgspec import UNSET

from domain.pocha.view.schema import SeatView
from service.rest.i18n import Language, ScoreSheetMessages, join_list, messages_in
from service.rest.schemas.score_sheet import ScoreSheet


def _static(name: str) -> Markup:
    return Markup(resources.files("service.rest").joinpath("static", name).read_text("utf-8"))  # noqa: S704 - our own file


_STYLE = _static("sheet.css")
_SUIT_SYMBOLS = _static("suits.svg")
_STYLE_HASH = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
_MINUS = "\u2212"
"""The minus sign, as wide as a digit."""

POLICY = (
    f"default-src 'none'; style-src 'sha256-{_STYLE_HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""The content security policy of the page: nothing but its own style sheet."""


def page(sheet: ScoreSheet, ranks: Sequence[int], created_at: datetime, language: Language) -> bytes:
    """Return the page in UTF-8; `ranks` are by seat, and empty before the start."""
    messages = messages_in(language)
    texts = messages.sheet
    names = [_isolated(_name(seat, texts)) for seat in sheet.seats]
    winners = () if sheet.result is UNSET else sheet.result.winners
    html = _template().render(
        sheet=sheet,
        language=language,
        texts=texts,
        suit_names=messages.suits,
        style=_STYLE,
        suit_symbols=_SUIT_SYMBOLS,
        about=_about(sheet, created_at, texts),
        names=names,
        ranks=ranks,
        standings=sorted(range(len(ranks)), key=ranks.__getitem__),
        hits=_hits(sheet),
        winners=winners,
        winner_names=_joined([names[seat] for seat in winners], texts.and_) if winners else "",
        has_penalties=_has_penalties(sheet),
    )
    return html.encode()


@cache
def _template() -> Template:
    environment = Environment(
        loader=PackageLoader("service.rest", "score_sheet"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"number": _number, "signed": _signed}
    environment.tests["given"] = _is_given
    return environment.get_template("page.html.jinja")


def _name(seat: SeatView, texts: ScoreSheetMessages) -> str:
    if seat.player is not UNSET:
        return seat.player.display_name
    if seat.robot is UNSET:
        return texts.free.format(seat=seat.seat)
    return texts.robot.format(seat=seat.seat, level=texts.levels[seat.robot.level])


def _isolated(name: str) -> Markup:
    """Return a name as markup, so that one written from right to left turns nothing around it."""
    return Markup("<bdi>{}</bdi>").format(name)


def _joined(names: Sequence[Markup], and_: str) -> Markup:
    return Markup(join_list(names, escape(and_)))  # noqa: S704 - all parts are markup


def _about(sheet: ScoreSheet, created_at: datetime, texts: ScoreSheetMessages) -> Sequence[str]:
    date = texts.date.format(day=created_at.day, month=texts.months[created_at.month - 1], year=created_at.year)
    house_rules = [texts.house_rules] if sheet.ruleset.house_rules else []
    return [sheet.ruleset.title, *house_rules, texts.made.format(date), texts.status[sheet.status]]


def _hits(sheet: ScoreSheet) -> Sequence[int]:
    """Return the number of exact bids by seat."""
    return [
        sum(row.entries[seat].bid == row.entries[seat].tricks for row in sheet.rows) for seat in range(len(sheet.seats))
    ]


def _has_penalties(sheet: ScoreSheet) -> bool:
    entries = (entry for row in sheet.rows for entry in row.entries)
    return sheet.open_penalties is not UNSET or any(entry.penalty is not UNSET for entry in entries)


def _is_given(value: object) -> bool:
    return value is not UNSET


def _number(number: int) -> str:
    return str(number).replace("-", _MINUS)


def _signed(number: int) -> str:
    return f"+{number}" if number > 0 else _number(number)
