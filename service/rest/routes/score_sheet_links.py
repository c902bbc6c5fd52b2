"""Links to score sheets, of games and of tables with real cards, to be opened without a header."""

from typing import Annotated
from uuid import UUID

from litestar import get, post
from litestar.params import PathParameter

from service.application.caller import InvalidCredential
from service.application.games import Games
from service.application.repository import Game
from service.application.score_keeping import KeptSheet, ScoreKeeping
from service.rest.auth.authenticate import Authenticator
from service.rest.auth.tickets import SCORE_SHEET
from service.rest.errors import ApiError, ErrorCode
from service.rest.middleware.path_prefix import path_prefix
from service.rest.parameters import CsvDialect, GameId, ScoreKeeperId
from service.rest.rate_limit.policies import Policy, rate_limit
from service.rest.requests import ApiRequest
from service.rest.responses import PRIVATE, EncodedResponse, json_response
from service.rest.routes import kept_sheets, score_sheet
from service.rest.routing import Router
from service.rest.schemas.score_sheet import ScoreSheetLinks
from service.rest.score_sheet.csv_table import Dialect

Link = Annotated[str, PathParameter(max_length=1000)]

_VARY = "Accept-Language"


def router(games: Games, keeping: ScoreKeeping, authenticator: Authenticator) -> Router:
    """Return the routes of `/v1/games/{game_id}/score-sheet-links`, and of the same under `/v1/score-keepers/{score_keeper_id}`."""
    limit = rate_limit(Policy.COMMANDS)

    async def links(request: ApiRequest, path: str) -> EncodedResponse:
        issued = await authenticator.issue_ticket(request.scope, path, SCORE_SHEET)
        at = f"{path_prefix()}/v1/score-sheet-links/{issued.token}/score-sheet"
        return json_response(ScoreSheetLinks(f"{at}.html", f"{at}.csv", issued.expires_at), 201, PRIVATE)

    @post("/games/{game_id:str}/score-sheet-links", opt=limit)
    async def create_score_sheet_links(request: ApiRequest, game_id: GameId) -> EncodedResponse:
        await games.get_game(game_id, request.user)
        return await links(request, f"/v1/games/{game_id}/score-sheet")

    @post("/score-keepers/{score_keeper_id:str}/score-sheet-links", opt=limit)
    async def create_kept_sheet_links(request: ApiRequest, score_keeper_id: ScoreKeeperId) -> EncodedResponse:
        await keeping.get(score_keeper_id, request.user)
        return await links(request, f"/v1/score-keepers/{score_keeper_id}/score-sheet")

    return Router("/v1", route_handlers=[create_score_sheet_links, create_kept_sheet_links])


def open_router(games: Games, keeping: ScoreKeeping, authenticator: Authenticator) -> Router:
    """Return the routes of `/v1/score-sheet-links/{link}`, for anybody."""
    limit = rate_limit(Policy.READS, cost=3)

    async def linked(link: str) -> Game | KeptSheet:
        try:
            path, caller = await authenticator.read_link(link)
        except InvalidCredential:
            raise ApiError(ErrorCode.NOT_FOUND) from None
        _, _, kind, sheet_id, _ = path.split("/")
        if kind == "games":
            return await games.get_game(UUID(sheet_id), caller)
        return await keeping.get(UUID(sheet_id), caller)

    @get("/score-sheet.html", opt=limit)
    async def open_score_sheet_as_html(request: ApiRequest, link: Link) -> EncodedResponse:
        found = await linked(link)
        if isinstance(found, Game):
            return score_sheet.html_response(found, request, _VARY)
        return kept_sheets.html_response(found, request, _VARY)

    @get("/score-sheet.csv", opt=limit)
    async def open_score_sheet_as_csv(request: ApiRequest, link: Link, dialect: CsvDialect = None) -> EncodedResponse:
        found = await linked(link)
        if isinstance(found, Game):
            return score_sheet.csv_response(found, request, _VARY, dialect or Dialect.RFC4180)
        return kept_sheets.csv_response(found, _VARY, dialect or Dialect.RFC4180)

    return Router(
        "/v1/score-sheet-links/{link:str}", route_handlers=[open_score_sheet_as_html, open_score_sheet_as_csv]
    )
