"""Links to the score sheet of a game, to be opened without a header."""

from typing import Annotated

from litestar import Router, get, post
from litestar.params import PathParameter

from service.application.caller import InvalidCredential
from service.application.games import Games
from service.application.names import Names
from service.application.repository import Game
from service.rest.auth.sheet_links import SheetLinks
from service.rest.errors import ApiError, ErrorCode
from service.rest.middleware.path_prefix import path_prefix
from service.rest.parameters import CsvDialect, GameId
from service.rest.rate_limit.policies import Policy, rate_limit
from service.rest.requests import ApiRequest
from service.rest.responses import PRIVATE, EncodedResponse, json_response
from service.rest.routes.score_sheet import csv_response, html_response
from service.rest.schemas.score_sheet import ScoreSheetLinks
from service.rest.score_sheet.csv_table import Dialect

Link = Annotated[str, PathParameter(max_length=1000)]

_VARY = "Accept-Language"


def router(games: Games, links: SheetLinks) -> Router:
    """Return the route of `/v1/games/{game_id}/score-sheet-links`."""

    @post("/", opt=rate_limit(Policy.COMMANDS))
    async def create_score_sheet_links(request: ApiRequest, game_id: GameId) -> EncodedResponse:
        await games.get_game(game_id, request.user)
        issued = links.issue(game_id, request.user)
        at = f"{path_prefix()}/v1/score-sheet-links/{issued.token}/score-sheet"
        return json_response(ScoreSheetLinks(f"{at}.html", f"{at}.csv", issued.expires_at), 201, PRIVATE)

    return Router("/v1/games/{game_id:str}/score-sheet-links", route_handlers=[create_score_sheet_links])


def open_router(games: Games, links: SheetLinks, names: Names) -> Router:
    """Return the routes of `/v1/score-sheet-links/{link}`, for anybody."""
    limit = rate_limit(Policy.READS, cost=3)

    async def linked(link: str) -> Game:
        try:
            game_id, caller = links.read(link)
        except InvalidCredential:
            raise ApiError(ErrorCode.NOT_FOUND) from None
        if await names.deleted_at(caller.id):
            raise ApiError(ErrorCode.NOT_FOUND)
        return await games.get_game(game_id, caller)

    @get("/score-sheet.html", opt=limit)
    async def open_score_sheet_as_html(request: ApiRequest, link: Link) -> EncodedResponse:
        return html_response(await linked(link), request, _VARY)

    @get("/score-sheet.csv", opt=limit)
    async def open_score_sheet_as_csv(request: ApiRequest, link: Link, dialect: CsvDialect = None) -> EncodedResponse:
        return csv_response(await linked(link), request, _VARY, dialect or Dialect.RFC4180)

    return Router(
        "/v1/score-sheet-links/{link:str}", route_handlers=[open_score_sheet_as_html, open_score_sheet_as_csv]
    )
