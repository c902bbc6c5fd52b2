"""The score sheet of a game, as JSON, CSV or an HTML page."""

from litestar import Router, get

from domain.pocha.model.state import progress_of
from service.application.games import Games
from service.application.repository import Game
from service.rest.errors import ApiError, ErrorCode, ErrorDetail
from service.rest.i18n import Language, preferred_language
from service.rest.negotiation import best_media_type
from service.rest.parameters import GameId
from service.rest.rate_limit.policies import Policy, rate_limit
from service.rest.requests import ApiRequest
from service.rest.responses import PRIVATE, EncodedResponse, json_response
from service.rest.scope import header
from service.rest.score_sheet import csv_table, html_page
from service.rest.score_sheet.sheet import sheet_of

_JSON, _CSV, _HTML = "application/json", "text/csv", "text/html"
_VARY = "Accept, Accept-Language, Authorization"
_HEADERS = PRIVATE | {"Vary": _VARY}


def router(games: Games) -> Router:
    """Return the route of `/v1/games/{game_id}/score-sheet`."""

    @get("/", opt=rate_limit(Policy.READS, cost=3))
    async def get_score_sheet(request: ApiRequest, game_id: GameId) -> EncodedResponse:
        media_type = best_media_type(header(request.scope, b"accept"), (_JSON, _CSV, _HTML))
        if media_type is None:
            raise ApiError(ErrorCode.NOT_ACCEPTABLE, ErrorDetail.SHEET_FORMATS, headers={"Vary": _VARY})
        game = await games.get_game(game_id, request.user)
        if media_type == _JSON:
            return json_response(sheet_of(game), headers=_HEADERS)
        if media_type == _CSV:
            return _csv(game)
        return _html(game, preferred_language(header(request.scope, b"accept-language")))

    return Router("/v1/games/{game_id:str}/score-sheet", route_handlers=[get_score_sheet])


def _csv(game: Game) -> EncodedResponse:
    headers = {**_HEADERS, "Content-Disposition": f'attachment; filename="pocha-{game.game_id}.csv"'}
    return EncodedResponse(csv_table.table(sheet_of(game)), 200, "text/csv; charset=utf-8; header=present", headers)


def _html(game: Game, language: Language) -> EncodedResponse:
    progress = progress_of(game.state)
    page = html_page.page(sheet_of(game), progress.ranks if progress else (), game.created_at, language)
    headers = {**_HEADERS, "Content-Language": language, "Content-Security-Policy": html_page.POLICY}
    return EncodedResponse(page, 200, "text/html; charset=utf-8", headers)
