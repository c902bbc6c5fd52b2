"""Tables: make, list, read."""

import asyncio
from uuid import UUID

import msgspec
from litestar import get, post
from msgspec import UNSET

from domain.pocha.seen import MAX_VERSION, Status
from domain.pocha.table import Player
from service.games import Games
from service.live.hub import Watch
from service.lobby import Outside
from service.plans import TablePlan, ruled
from service.ports import ListedGame
from service.rest.auth import Tokens
from service.rest.bodies import GameList, GameSummary, NewGame
from service.rest.replies import Reply, json_reply
from service.rest.requests import (
    AnyRequest,
    BodyOf,
    game_id_of,
    given,
    invalid,
    key_of,
    number_between,
    query_of,
    text_like,
)
from service.rest.routing import Handlers
from service.rest.showing import Showing, etag, not_modified
from service.rest.waiting import WaitingRoom
from service.snapshots import Snapshot

MOST_WAIT_SECONDS = 30
_NEW_GAME = BodyOf(NewGame)
_OUTSIDE = msgspec.json.Decoder(Outside)
_DEFAULT_LIMIT = 20
_LOBBY = {
    "status": text_like("|".join(Status), f"Expected one of {', '.join(Status)}."),
    "ruleset": text_like(r"[a-z0-9]+(-[a-z0-9]+)*", "Expected the id of a ruleset.", 60),
    "cursor": text_like(r"[0-9a-f]{32}", "Expected a cursor from an earlier answer."),
    "limit": number_between(1, 100),
}
_NEWS = {"after_version": number_between(0, MAX_VERSION), "wait": number_between(0, MOST_WAIT_SECONDS)}


def handlers(games: Games, tokens: Tokens, showing: Showing, room: WaitingRoom) -> Handlers:
    """Return the handlers of `/v1/games` itself."""

    @post("/v1/games")
    async def create_game(request: AnyRequest) -> Reply:
        player = tokens.player_of(request)
        body = await _NEW_GAME.read(request)
        done = await games.create(player, _plan(body), key_of(request, player, body))
        return showing.seated_reply(done, player)

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
        query = query_of(request, _NEWS)
        if "after_version" in query:
            snapshot = await awaited(request, player, query["after_version"], query.get("wait", 0))
        elif "wait" in query:
            raise invalid("query/wait", "There is nothing to wait for without after_version.")
        else:
            snapshot = await games.look(game_id_of(request), player)
        viewer = snapshot.seat_of(player)
        if _matches(request, etag(snapshot, viewer)):
            return not_modified(snapshot, viewer)
        return showing.view_reply(snapshot, player)

    async def awaited(request: AnyRequest, player: Player, after: int, seconds: int) -> Snapshot:
        """Return the game when it is past version `after`, or as it stands when so many seconds are over."""
        game_id = game_id_of(request)
        with games.hub.watch(game_id) as watch:
            snapshot = await games.look(game_id, player)
            if snapshot.version > after or not seconds:
                return snapshot
            async with room.place(player.player_id, request.scope):
                await _past(watch, snapshot.version, after, seconds)
            return await games.look(game_id, player)

    return [create_game, list_games, get_game]


async def _past(watch: Watch, version: int, wanted: int, seconds: float) -> None:
    """Return when the game is past version `wanted`, or the time is over."""
    loop = asyncio.get_running_loop()
    end = loop.time() + seconds
    while version <= wanted:
        steps = await watch.after(version, end - loop.time())
        if not steps:
            return
        version = steps[-1].snapshot.version


def _plan(body: NewGame) -> TablePlan:
    return TablePlan(
        ruleset=ruled(body.ruleset, given(body.house_rules)),
        players=body.players,
        robots=tuple(robot.level for robot in body.robots),
        visibility=body.visibility,
        client_seed=given(body.client_seed),
        turn_seconds=given(body.turn_seconds),
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
