"""The score sheet of a game, as JSON, CSV or an HTML page."""

from litestar import get

from domain.pocha.model.state import progress_of
from service.application.games import Games
from service.application.repository import Game
from service.rest.errors import ApiError, ErrorCode, ErrorDetail
from service.rest.i18n import language_of
from service.rest.negotiation import best_media_type
from service.rest.parameters import CsvDialect, GameId
from service.rest.rate_limit.policies import Policy, rate_limit
from service.rest.requests import ApiRequest
from service.rest.responses import PRIVATE, EncodedResponse, json_response
from service.rest.routing import Router
from service.rest.scope import header
from service.rest.score_sheet import answers
from service.rest.score_sheet.csv_table import Dialect
from service.rest.score_sheet.sheet import sheet_of

_JSON, _CSV, _HTML = "application/json", "text/csv", "text/html"
_VARY = "Accept, Accept-Language, Authorization"


def router(games: Games) -> Router:
    """Return the routes of `/v1/games/{game_id}/score-sheet`, and of `.csv` and `.html` for who cannot send `Accept`."""
    limit = rate_limit(Policy.READS, cost=3)

    @get("/score-sheet", opt=limit)
    async def get_score_sheet(request: ApiRequest, game_id: GameId) -> EncodedResponse:
        media_type = best_media_type(header(request.scope, b"accept"), (_JSON, _CSV, _HTML))
        if media_type is None:
            raise ApiError(ErrorCode.NOT_ACCEPTABLE, ErrorDetail.SHEET_FORMATS, headers={"Vary": _VARY})
        game = await games.get_game(game_id, request.user)
        if media_type == _JSON:
            return json_response(sheet_of(game, language_of(request.scope)), headers=PRIVATE | {"Vary": _VARY})
        return csv_response(game, request, _VARY) if media_type == _CSV else html_response(game, request, _VARY)

    @get("/score-sheet.csv", opt=limit)
    async def get_score_sheet_as_csv(
        request: ApiRequest, game_id: GameId, dialect: CsvDialect = None
    ) -> EncodedResponse:
        game = await games.get_game(game_id, request.user)
        return csv_response(game, request, "Accept-Language, Authorization", dialect or Dialect.RFC4180)

    @get("/score-sheet.html", opt=limit)
    async def get_score_sheet_as_html(request: ApiRequest, game_id: GameId) -> EncodedResponse:
        game = await games.get_game(game_id, request.user)
        return html_response(game, request, "Accept-Language, Authorization")

    return Router(
        "/v1/games/{game_id:str}", route_handlers=[get_score_sheet, get_score_sheet_as_csv, get_score_sheet_as_html]
    )


def csv_response(game: Game, request: ApiRequest, vary: str, dialect: Dialect = Dialect.RFC4180) -> EncodedResponse:
    """Return the sheet of a game as CSV."""
    return answers.as_csv(sheet_of(game, language_of(request.scope)), vary, dialect)


def html_response(game: Game, request: ApiRequest, vary: str) -> EncodedResponse:
    """Return the sheet of a game as a page in the language of the request."""
    language = language_of(request.scope)
    progress = progress_of(game.state)
    return answers.as_page(
        sheet_of(game, language), progress.ranks if progress else (), game.created_at, language, vary
    )
