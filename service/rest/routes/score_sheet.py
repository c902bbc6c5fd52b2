"""The score sheet as on paper: as JSON, as CSV, or as a page to look at and to print."""

from litestar import get
from msgspec import UNSET, UnsetType

from domain.pocha.model.state import Claim, Finished, HandResult, Progress, progress_of, ruleset_of, table_of
from domain.pocha.view import game_view, parts
from domain.pocha.view.schema import Result
from service.application.games import Games
from service.application.repository import Game
from service.rest.auth.authenticate import Authenticator
from service.rest.errors import ApiError, ErrorCode, ErrorDetail
from service.rest.i18n import preferred_language
from service.rest.negotiation import header_of, media_type
from service.rest.requests import AnyRequest, game_id_of, query_of
from service.rest.responses import PRIVATE, EncodedResponse, json_response
from service.rest.routing import Handlers
from service.rest.schemas import ScoreSheet, SheetEntry, SheetRow
from service.rest.score_sheet import csv_table, html_page

_JSON, _CSV, _HTML = "application/json", "text/csv", "text/html"
_VARY = "Accept, Accept-Language, Authorization"
_PRIVATE = PRIVATE | {"Vary": _VARY}


def handlers(games: Games, auth: Authenticator) -> Handlers:
    """Return the handler of `score-sheet`."""

    @get("/v1/games/{game_id:str}/score-sheet")
    async def get_score_sheet(request: AnyRequest) -> EncodedResponse:
        caller = await auth.caller_of(request)
        query_of(request, {})
        wanted = _wanted(request)
        snapshot = await games.get_game(game_id_of(request), caller)
        return _reply(request, snapshot, wanted)

    return [get_score_sheet]


def _wanted(request: AnyRequest) -> str:
    wanted = media_type(header_of(request.scope, b"accept"), (_JSON, _CSV, _HTML))
    if wanted is None:
        raise ApiError(ErrorCode.NOT_ACCEPTABLE, ErrorDetail.SHEET_FORMATS, headers={"Vary": _VARY})
    return wanted


def _reply(request: AnyRequest, snapshot: Game, wanted: str) -> EncodedResponse:
    sheet = sheet_of(snapshot)
    if wanted == _JSON:
        return json_response(sheet, headers=_PRIVATE)
    if wanted == _CSV:
        name = {"Content-Disposition": f'attachment; filename="pocha-{sheet.game_id}.csv"'}
        return EncodedResponse(
            csv_table.table(sheet), 200, "text/csv; charset=utf-8; header=present", {**_PRIVATE, **name}
        )
    language = preferred_language(header_of(request.scope, b"accept-language"))
    progress = progress_of(snapshot.state)
    page = html_page.page(sheet, progress.ranks if progress else (), snapshot.created_at, language)
    about = {"Content-Language": language, "Content-Security-Policy": html_page.POLICY}
    return EncodedResponse(page, 200, "text/html; charset=utf-8", {**_PRIVATE, **about})


def sheet_of(snapshot: Game) -> ScoreSheet:
    """Return the score sheet of a game."""
    state = snapshot.state
    table, progress = table_of(state), progress_of(state)
    return ScoreSheet(
        game_id=str(snapshot.game_id),
        version=snapshot.version,
        status=game_view.status(state),
        ruleset=parts.ruleset_ref(ruleset_of(state)),
        seats=parts.seat_views(table.seats),
        rows=_rows(progress) if progress else (),
        totals=progress.totals if progress else (0,) * len(table.seats),
        open_penalties=_open_penalties(progress) if progress else UNSET,
        result=Result(state.winners) if isinstance(state, Finished) else UNSET,
    )


def _rows(progress: Progress) -> tuple[SheetRow, ...]:
    totals = (0,) * progress.players
    rows: list[SheetRow] = []
    for number, result in enumerate(progress.results, 1):
        lost = _penalties(progress, number)
        totals = tuple(total + won - less for total, won, less in zip(totals, result.points, lost, strict=True))
        rows.append(_row(number, result, totals, lost))
    return tuple(rows)


def _row(number: int, result: HandResult, totals: tuple[int, ...], lost: tuple[int, ...]) -> SheetRow:
    cells = zip(result.bids, result.tricks, result.points, totals, (less or UNSET for less in lost), strict=True)
    return SheetRow(
        number=number,
        kind=result.plan.kind,
        cards=result.plan.cards,
        dealer=result.dealer,
        multiplier=result.multiplier,
        entries=tuple(SheetEntry(*cell) for cell in cells),
        trump=UNSET if result.trump is None else result.trump,
        turn_up=UNSET if result.turn_up is None else result.turn_up,
    )


def _open_penalties(progress: Progress) -> tuple[int, ...] | UnsetType:
    lost = _penalties(progress, len(progress.results) + 1)
    return lost if any(lost) else UNSET


def _penalties(progress: Progress, hand: int) -> tuple[int, ...]:
    """What the claims about a hand have cost, by seat."""
    lost = [0] * progress.players
    for claim in progress.claims:
        if claim.hand == hand:
            lost[_loser(claim)] += claim.penalty
    return tuple(lost)


def _loser(claim: Claim) -> int:
    return claim.seat if claim.proven else claim.claimant
