"""Tables: make, list, read, give up."""

import asyncio
from uuid import UUID

import msgspec
from litestar import delete, get, post
from msgspec import UNSET

from domain.pocha.view.schema import MAX_VERSION, Status
from domain.table.table import Visibility
from service.application.caller import Caller
from service.application.games import Games
from service.application.hub import Watch
from service.application.lobby import LobbyEntry
from service.application.new_table import TableSpec, resolve_ruleset
from service.application.ports import ListedGame
from service.application.repository import Game
from service.rest.auth.authenticate import Authenticator
from service.rest.presenter import GamePresenter, etag, not_modified
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
from service.rest.responses import EncodedResponse, json_response
from service.rest.routing import Handlers
from service.rest.schemas import GameList, GameSummary, NewGame
from service.rest.streaming.waiters import WaiterRegistry, noticing

MOST_WAIT_SECONDS = 30
_NEW_GAME = BodyOf(NewGame)
_OUTSIDE = msgspec.json.Decoder(LobbyEntry)
_DEFAULT_LIMIT = 20
_LOBBY = {
    "visibility": text_like("|".join(Visibility), f"Expected one of {', '.join(Visibility)}."),
    "status": text_like("|".join(Status), f"Expected one of {', '.join(Status)}."),
    "ruleset": text_like(r"[a-z0-9]+(-[a-z0-9]+)*", "Expected the id of a ruleset.", 60),
    "cursor": text_like(r"[0-9a-f]{32}", "Expected a cursor from an earlier answer."),
    "limit": number_between(1, 100),
}
_NEWS = {"after_version": number_between(0, MAX_VERSION), "wait": number_between(0, MOST_WAIT_SECONDS)}


def handlers(games: Games, auth: Authenticator, showing: GamePresenter, room: WaiterRegistry) -> Handlers:
    """Return the handlers of `/v1/games` itself."""

    @post("/v1/games")
    async def create_game(request: AnyRequest) -> EncodedResponse:
        caller = await auth.caller_of(request)
        body = await _NEW_GAME.read(request)
        done = await games.create(caller, _plan(body), key_of(request, caller, body))
        return showing.seated_response(done, caller)

    @get("/v1/games")
    async def list_games(request: AnyRequest) -> EncodedResponse:
        caller = await auth.caller_of(request)
        query = query_of(request, _LOBBY)
        limit = int(query.get("limit", _DEFAULT_LIMIT))
        cursor = query.get("cursor")
        before = UUID(str(cursor)) if cursor else None
        # One more than asked for tells whether there is a next page.
        visibility = Visibility(str(query["visibility"])) if "visibility" in query else None
        status, ruleset = _text(query.get("status")), _text(query.get("ruleset"))
        listed = await games.list_games(caller, visibility, status, ruleset, before, limit + 1)
        items = tuple(_summary(game) for game in listed[:limit])
        return json_response(GameList(items, listed[limit - 1].game_id.hex if len(listed) > limit else UNSET))

    @get("/v1/games/{game_id:str}")
    async def get_game(request: AnyRequest) -> EncodedResponse:
        caller = await auth.caller_of(request)
        query = query_of(request, _NEWS)
        if "after_version" in query:
            snapshot = await awaited(request, caller, query["after_version"], query.get("wait", 0))
        elif "wait" in query:
            raise invalid("query/wait", "There is nothing to wait for without after_version.")
        else:
            snapshot = await games.get_game(game_id_of(request), caller)
        viewer = snapshot.seat_of(caller)
        if _matches(request, etag(snapshot, viewer)):
            return not_modified(snapshot, viewer)
        return showing.game_response(snapshot, caller)

    async def awaited(request: AnyRequest, caller: Caller, after: int, seconds: int) -> Game:
        """Return the game when it is past version `after`, or as it stands when so many seconds are over."""
        game_id = game_id_of(request)
        with games.hub.watch(game_id) as watch:
            snapshot = await games.get_game(game_id, caller)
            if snapshot.version > after or not seconds:
                return snapshot
            async with room.place(caller, request.scope) as stay, noticing(request.receive, stay):
                await _past(watch, snapshot.version, after, seconds)
            return await games.get_game(game_id, caller)

    @delete("/v1/games/{game_id:str}", status_code=200)
    async def abandon_game(request: AnyRequest) -> EncodedResponse:
        caller = await auth.caller_of(request)
        query_of(request, {})
        done = await games.abandon(game_id_of(request), caller, key_of(request, caller))
        return showing.command_response(done, caller)

    return [create_game, list_games, get_game, abandon_game]


async def _past(watch: Watch, version: int, wanted: int, seconds: float) -> None:
    """Return when the game is past version `wanted`, or the time is over."""
    loop = asyncio.get_running_loop()
    end = loop.time() + seconds
    while version <= wanted:
        steps = await watch.commits_after(version, end - loop.time())
        if not steps:
            return
        version = steps[-1].game.version


def _plan(body: NewGame) -> TableSpec:
    return TableSpec(
        ruleset=resolve_ruleset(body.ruleset, given(body.house_rules)),
        players=body.players,
        robots=tuple(robot.level for robot in body.robots),
        visibility=body.visibility,
        client_seed=given(body.client_seed),
        turn_seconds=given(body.turn_seconds),
        stand_in=body.on_timeout.level,
    )


def _text(value: str | int | None) -> str | None:
    return None if value is None else str(value)


def _matches(request: AnyRequest, tag: str) -> bool:
    """Compare weakly with `If-None-Progress` (RFC 9110, 13.1.2)."""
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
