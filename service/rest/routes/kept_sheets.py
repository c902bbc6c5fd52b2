"""Score sheets of tables with real cards, as tables to read, to calculate with, and to print."""

from litestar import get

from service.application.score_keeping import KeptSheet, ScoreKeeping
from service.rest import score_keeper_presenter as presenter
from service.rest.i18n import language_of
from service.rest.parameters import CsvDialect, ScoreKeeperId
from service.rest.rate_limit.policies import Policy, rate_limit
from service.rest.requests import ApiRequest
from service.rest.responses import PRIVATE, EncodedResponse, json_response
from service.rest.routing import Router
from service.rest.score_sheet import answers
from service.rest.score_sheet.csv_table import Dialect

_LIMIT = rate_limit(Policy.READS, cost=3)


def router(keeping: ScoreKeeping) -> Router:
    """Return the routes of `/v1/score-keepers/{score_keeper_id}/score-sheet`, and of `.csv` and `.html`."""

    @get("/score-sheet", opt=_LIMIT)
    async def get_kept_sheet(request: ApiRequest, score_keeper_id: ScoreKeeperId) -> EncodedResponse:
        kept = await keeping.get(score_keeper_id, request.user)
        return json_response(presenter.score_sheet(kept), headers=PRIVATE)

    @get("/score-sheet.csv", opt=_LIMIT)
    async def get_kept_sheet_as_csv(
        request: ApiRequest, score_keeper_id: ScoreKeeperId, dialect: CsvDialect = None
    ) -> EncodedResponse:
        kept = await keeping.get(score_keeper_id, request.user)
        return csv_response(kept, PRIVATE["Vary"], dialect or Dialect.RFC4180)

    @get("/score-sheet.html", opt=_LIMIT)
    async def get_kept_sheet_as_html(request: ApiRequest, score_keeper_id: ScoreKeeperId) -> EncodedResponse:
        kept = await keeping.get(score_keeper_id, request.user)
        return html_response(kept, request, "Accept-Language, Authorization")

    return Router(
        "/v1/score-keepers/{score_keeper_id:str}",
        route_handlers=[get_kept_sheet, get_kept_sheet_as_csv, get_kept_sheet_as_html],
    )


def csv_response(kept: KeptSheet, vary: str, dialect: Dialect) -> EncodedResponse:
    """Return a sheet as CSV."""
    return answers.as_csv(presenter.printable(kept), vary, dialect)


def html_response(kept: KeptSheet, request: ApiRequest, vary: str) -> EncodedResponse:
    """Return a sheet as a page in the language of the request."""
    ranks, created_at = kept.sheet.game.progress.ranks, kept.keeper.created_at
    return answers.as_page(presenter.printable(kept), ranks, created_at, language_of(request.scope), vary)
