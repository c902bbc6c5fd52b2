"""What happened at a table: its events, and the score sheet."""

from litestar import get
from msgspec import UNSET

from domain.pocha import view
from domain.pocha.seen import MAX_VERSION
from domain.pocha.state import HandResult, results_of, table_of
from service.games import Games, Snapshot
from service.rest.auth import Tokens
from service.rest.bodies import EventPage, ScoreSheet, SheetEntry, SheetRow
from service.rest.replies import Reply, json_reply
from service.rest.requests import AnyRequest, game_id_of, number_between, query_of
from service.rest.routing import Handlers
from service.rest.showing import seen_events

_DEFAULT_LIMIT = 100
_PAGING = {"after": number_between(0, MAX_VERSION), "limit": number_between(1, 1000)}
_PRIVATE = {"Cache-Control": "private, no-cache", "Vary": "Authorization"}


def handlers(games: Games, tokens: Tokens) -> Handlers:
    """Return the handlers of `events` and `score-sheet`."""

    @get("/v1/games/{game_id:str}/events")
    async def list_events(request: AnyRequest) -> Reply:
        player = tokens.player_of(request)
        query = query_of(request, _PAGING)
        after = query.get("after", 0)
        limit = query.get("limit", _DEFAULT_LIMIT)
        snapshot, commits = await games.history(game_id_of(request), player, after, limit)
        viewer = snapshot.seat_of(player)
        items = tuple(event for commit in commits for event in seen_events(commit, viewer))
        next_after = commits[-1].version if commits else after
        return json_reply(EventPage(items, next_after, max(snapshot.version, next_after)), headers=_PRIVATE)

    @get("/v1/games/{game_id:str}/score-sheet")
    async def get_score_sheet(request: AnyRequest) -> Reply:
        player = tokens.player_of(request)
        query_of(request, {})
        return json_reply(_sheet(await games.look(game_id_of(request), player)), headers=_PRIVATE)

    return [list_events, get_score_sheet]


def _sheet(snapshot: Snapshot) -> ScoreSheet:
    table = table_of(snapshot.state)
    totals = [0] * len(table.seats)
    rows: list[SheetRow] = []
    for number, result in enumerate(results_of(snapshot.state), 1):
        totals = [total + points for total, points in zip(totals, result.points, strict=True)]
        rows.append(_row(number, result, totals))
    return ScoreSheet(
        game_id=str(snapshot.game_id),
        version=snapshot.version,
        status=view.status(snapshot.state),
        ruleset=view.ruleset_ref(table.ruleset),
        seats=view.seat_views(table.seats),
        rows=tuple(rows),
        totals=tuple(totals),
    )


def _row(number: int, result: HandResult, totals: list[int]) -> SheetRow:
    cells = zip(result.bids, result.tricks, result.points, totals, strict=True)
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
