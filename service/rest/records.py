"""What happened at a table: its events."""

from litestar import get

from domain.pocha.seen import MAX_VERSION
from service.games import Games
from service.rest.auth import Tokens
from service.rest.bodies import EventPage
from service.rest.replies import PRIVATE, Reply, json_reply
from service.rest.requests import AnyRequest, game_id_of, number_between, query_of
from service.rest.routing import Handlers
from service.rest.showing import seen_events

_DEFAULT_LIMIT = 100
_PAGING = {"after": number_between(0, MAX_VERSION), "limit": number_between(1, 1000)}


def handlers(games: Games, tokens: Tokens) -> Handlers:
    """Return the handler of `events`."""

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
        return json_reply(EventPage(items, next_after, max(snapshot.version, next_after)), headers=PRIVATE)

    return [list_events]
