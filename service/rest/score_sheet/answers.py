"""Responses with a score sheet as CSV or as a page."""

from collections.abc import Sequence
from datetime import datetime

from service.rest.i18n import Language
from service.rest.responses import PRIVATE, EncodedResponse
from service.rest.schemas.score_sheet import ScoreSheet
from service.rest.score_sheet import csv_table, html_page
from service.rest.score_sheet.csv_table import Dialect


def as_csv(sheet: ScoreSheet, vary: str, dialect: Dialect = Dialect.RFC4180) -> EncodedResponse:
    """Return the response with the sheet as CSV."""
    disposition = f'attachment; filename="pocha-{sheet.game_id}.csv"'
    headers = {**PRIVATE, "Vary": vary, "Content-Disposition": disposition}
    return EncodedResponse(csv_table.table(sheet, dialect), 200, "text/csv; charset=utf-8; header=present", headers)


def as_page(
    sheet: ScoreSheet, ranks: Sequence[int], created_at: datetime, language: Language, vary: str
) -> EncodedResponse:
    """Return the response with the sheet as a page; the arguments are those of `html_page.page`."""
    page = html_page.page(sheet, ranks, created_at, language)
    headers = {**PRIVATE, "Vary": vary, "Content-Language": language, "Content-Security-Policy": html_page.POLICY}
    return EncodedResponse(page, 200, "text/html; charset=utf-8", headers)
