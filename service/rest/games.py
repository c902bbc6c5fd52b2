"""Tables: make, list, read."""

from uuid import UUID

import msgspec
from litestar import get, post
from msgspec import UNSET

from domain.pocha.seen import Status
from service.games import Games, TablePlan
from service.lobby import Outside
from service.ports import Clock, ListedGame
from service.rest.auth import Tokens
from service.rest.bodies import GameList, GameSummary, NewGame
from service.rest.replies import Reply, json_reply
from service.rest.requests import AnyRequest, BodyOf, game_id_of, given, number_between, query_of, text_like
from service.rest.routing import Handlers
from service.rest.showing import etag, not_modified, view_reply

_NEW_GAME = BodyOf(NewGame)
_OUTSIDE = msgspec.json.Decoder(Outside)
_DEFAULT_LIMIT = 20
_LOBBY = {
    "status": text_like("|".join(Status), f"Expected one of {', '.join(Status)}."),
    "ruleset": text_like(r"[a-z0-9]+(-[a-z0-9]+)*", "Expected the id of a ruleset.", 60),
    "cursor": text_like(r"[0-9a-f]{32}", "Expected a cursor from an earlier answer."),
    "limit": number_between(1, 100),
}


def handlers(games: Games, tokens: Tokens, clock: Clock) -> Handlers:
    """Return the handlers of `/v1/games` itself."""

    @post("/v1/games")
    async def create_game(request: AnyRequest) -> Reply:
        player = tokens.player_of(request)
        body = await _NEW_GAME.read(request)
        done = await games.create(player, _plan(body))
        return view_reply(done.snapshot, player, clock, 201, f"/v1/games/{done.snapshot.game_id}")

    @get("/v1/games")
    async def list_games(request: AnyRequest) -> Reply:
        tokens.player_of(request)
        query = query_of(request, _LOBBY)
        limit = int(query.get("limit", _DEFAULT_LIMIT))
        cursor = query.get("cursor")
        before = UUID(str(cursor)) if cursor else None
        # One more than asked for tells whether there is a next page.
        listed = await games.lobby(_text(query.get("status")), _text(query.get("ruleset")), before, limit + 1)
        items = tuple(_summary(game) for game in listed[:limit])
        return json_reply(GameList(items, listed[limit - 1].game_id.hex if len(listed) > limit else UNSET))

    @get("/v1/games/{game_id:str}")
    async def get_game(request: AnyRequest) -> Reply:
        player = tokens.player_of(request)
        query_of(request, {})
        snapshot = await games.look(game_id_of(request), player)
        viewer = snapshot.seat_of(player)
        if _matches(request, etag(snapshot, viewer)):
            return not_modified(snapshot, viewer)
        return view_reply(snapshot, player, clock)

    return [create_game, list_games, get_game]


def _plan(body: NewGame) -> TablePlan:
    return TablePlan(
        ruleset_id=body.ruleset,
        players=body.players,
        robots=tuple(robot.level for robot in body.robots),
        visibility=body.visibility,
        house_rules=given(body.house_rules),
        client_seed=given(body.client_seed),
    )


def _text(value: str | int | None) -> str | None:
    return None if value is None else str(value)


def _matches(request: AnyRequest, tag: str) -> bool:
    """Compare weakly with `If-None-Match` (RFC 9110, 13.1.2)."""
    asked = request.headers.get("if-none-match", "")
    return asked.strip() == "*" or tag.removeprefix("W/") in {
        one.strip().removeprefix("W/") for one in asked.split(",")
    }


def _summary(game: ListedGame) -> GameSummary:
    listing = game.listing
    outside = _OUTSIDE.decode(listing.seats)
    return GameSummary(
        game_id=str(game.game_id),
        status=Status(listing.status),
        ruleset=outside.ruleset,
        players=listing.players,
        free_seats=listing.free_seats,
        created_at=game.created_at,
        seats=outside.seats,
    )
