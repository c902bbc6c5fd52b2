"""What players achieved, and leaderboards."""

import struct
from typing import Annotated
from uuid import UUID

from litestar import get
from litestar.params import FromPath, QueryParameter
from msgspec import UNSET

from domain.pocha.rules.presets import PRESETS
from service.application.names import Names
from service.application.ports import PlayerRecord
from service.application.statistics import StatisticsKeeper
from service.rest.errors import ApiError, ErrorCode, ErrorDetail
from service.rest.i18n import language_of
from service.rest.pagination import PageSize
from service.rest.parameters import PlayerId
from service.rest.rate_limit.policies import Policy, rate_limit
from service.rest.requests import ApiRequest
from service.rest.responses import PRIVATE, EncodedResponse, json_response
from service.rest.routing import Router
from service.rest.schemas.statistics import Leaderboard, PlayerStats, leaderboard_entry, ruleset_stats
from service.rest.shown import shown_by

BoardCursor = Annotated[str | None, QueryParameter(pattern=r"^[0-9a-f]{8}-[0-9a-f]{16}-[0-9a-f]{32}\Z")]

_READS = rate_limit(Policy.READS)


def player_router(statistics: StatisticsKeeper) -> Router:
    """Return the route of `/v1/players/{player_id}/stats`."""

    @get("/stats", opt=_READS)
    async def get_player_stats(request: ApiRequest, player_id: PlayerId) -> EncodedResponse:
        records = await statistics.of_player(request.user, str(player_id))
        stats = PlayerStats(str(player_id), tuple(map(ruleset_stats, records)))
        return json_response(stats, headers=PRIVATE)

    return Router("/v1/players/{player_id:str}", route_handlers=[get_player_stats])


def leaderboard_router(statistics: StatisticsKeeper, names: Names) -> Router:
    """Return the route of `/v1/leaderboards/{ruleset_id}`."""

    @get("/{ruleset_id:str}", opt=_READS)
    async def get_leaderboard(
        request: ApiRequest, ruleset_id: FromPath[str], cursor: BoardCursor = None, limit: PageSize = 20
    ) -> EncodedResponse:
        if ruleset_id not in PRESETS:
            raise ApiError(ErrorCode.NOT_FOUND, ErrorDetail.NO_SUCH_RULESET)
        passed, after = (0, None) if cursor is None else _decoded(cursor)
        # One more than the page holds tells whether there is a next page.
        found = await statistics.leaderboard(request.user, ruleset_id, after, limit + 1)
        known = await names.of([record.player_id for record in found[:limit]])
        shown = shown_by(known, language_of(request.scope))
        items = tuple(
            leaderboard_entry(passed + place, record, shown(record.player_id).display_name)
            for place, record in enumerate(found[:limit], 1)
        )
        next_cursor = _encoded(passed + limit, found[limit - 1]) if len(found) > limit else UNSET
        return json_response(Leaderboard(ruleset_id, items, next_cursor), headers=PRIVATE)

    return Router("/v1/leaderboards", route_handlers=[get_leaderboard])


def _encoded(passed: int, last: PlayerRecord) -> str:
    """Return the cursor after `passed` entries: their number, and the whole rating and player of the last one."""
    return f"{passed:08x}-{struct.pack('>d', last.rating).hex()}-{UUID(last.player_id).hex}"


def _decoded(cursor: str) -> tuple[int, tuple[float, str]]:
    passed, rating, player_id = cursor.split("-")
    [after] = struct.unpack(">d", bytes.fromhex(rating))
    return int(passed, 16) % 2**31, (after, str(UUID(player_id)))
