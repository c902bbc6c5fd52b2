"""Games: create, list, read, abandon, rematch."""

import asyncio
from datetime import datetime
from typing import Annotated
from uuid import UUID

import msgspec
from litestar import delete, get, post
from litestar.params import JSONBody, QueryParameter

from domain.pocha.view.schema import RulesetRef, SeatView, Status
from domain.table.table import Visibility
from service.application.games import Games
from service.application.hub import Watch
from service.application.lobby import LobbyEntry
from service.application.new_table import TableSpec, resolve_ruleset
from service.application.ports import ListedGame
from service.application.repository import Game
from service.rest.i18n import language_of
from service.rest.idempotency_key import idempotency_key
from service.rest.pagination import PageCursor, PageSize, cursor_after, read_cursor
from service.rest.parameters import AfterVersion, GameId, WaitSeconds
from service.rest.presenter import GamePresenter, etag, not_modified
from service.rest.rate_limit.policies import Policy, rate_limit
from service.rest.requests import ApiRequest
from service.rest.responses import EncodedResponse, is_current, json_response
from service.rest.routing import Router
from service.rest.schemas.requests import RULESET_ID_PATTERN, NewGame, RematchRequest, value_or_none
from service.rest.schemas.responses import GameList, GameSummary
from service.rest.shown import shown_by
from service.rest.streaming.waiters import WaiterRegistry

VisibilityFilter = Annotated[Visibility | None, QueryParameter()]
StatusFilter = Annotated[Status | None, QueryParameter()]
RulesetFilter = Annotated[str | None, QueryParameter(max_length=60, pattern=RULESET_ID_PATTERN)]

_NO_BODY = RematchRequest()
_decode_entry = msgspec.json.Decoder(LobbyEntry).decode


def router(games: Games, presenter: GamePresenter, waiters: WaiterRegistry) -> Router:
    """Return the routes of `/v1/games`."""

    @post("/", opt=rate_limit(Policy.CREATION))
    async def create_game(request: ApiRequest, data: JSONBody[NewGame]) -> EncodedResponse:
        committed = await games.create(request.user, _table_spec(data), idempotency_key(request, data))
        return presenter.seat_response(committed, request)

    @get("/", opt=rate_limit(Policy.READS))
    async def list_games(
        request: ApiRequest,
        visibility: VisibilityFilter = None,
        status: StatusFilter = None,
        ruleset: RulesetFilter = None,
        cursor: PageCursor = None,
        limit: PageSize = 20,
    ) -> EncodedResponse:
        listed = await games.list_games(request.user, visibility, status, ruleset, read_cursor(cursor), limit + 1)
        next_cursor = cursor_after([game.game_id for game in listed], limit)
        now = presenter.clock.now()
        entries = [_decode_entry(game.listing.seats) for game in listed[:limit]]
        names = await games.names_of({player_id for entry in entries for player_id in entry.player_ids})
        shown = shown_by(names, language_of(request.scope))

        def summary(game: ListedGame, entry: LobbyEntry) -> GameSummary:
            return _summary(game, entry, presenter.listed_seats(entry.seats_at(now, shown)), now)

        items = tuple(map(summary, listed, entries))
        return json_response(GameList(items, next_cursor))

    @get("/{game_id:str}", opt=rate_limit(Policy.READS))
    async def get_game(
        request: ApiRequest,
        game_id: GameId,
        after_version: AfterVersion = None,
        wait: WaitSeconds = None,
    ) -> EncodedResponse:
        caller = request.user
        if after_version is not None:
            game = await wait_for_version(request, game_id, after_version, wait or 0)
        else:
            game = await games.get_game(game_id, caller)
        viewer = game.seat_of(caller)
        if is_current(request.scope, etag(game, viewer)):
            return not_modified(game, viewer)
        return presenter.game_response(game, request)

    async def wait_for_version(request: ApiRequest, game_id: UUID, after_version: int, seconds: int) -> Game:
        """Return the game once it is past `after_version`, or as it is after `seconds`."""
        caller = request.user
        with games.hub.watch(game_id) as watch:
            game = await games.get_game(game_id, caller)
            if game.version > after_version or not seconds:
                return game
            async with waiters.admit(caller, request.scope) as waiter, waiter.ends_on_disconnect(request.receive):
                await _wait_past(watch, game.version, after_version, seconds)
            return await games.get_game(game_id, caller)

    @delete("/{game_id:str}", status_code=200, opt=rate_limit(Policy.COMMANDS))
    async def abandon_game(request: ApiRequest, game_id: GameId) -> EncodedResponse:
        committed = await games.abandon(game_id, request.user, idempotency_key(request))
        return presenter.command_response(committed, request)

    @post("/{game_id:str}/rematch", opt=rate_limit(Policy.CREATION))
    async def request_rematch(
        request: ApiRequest, game_id: GameId, data: JSONBody[RematchRequest] = _NO_BODY
    ) -> EncodedResponse:
        idempotency_key(request, data)  # checked only: a rematch is idempotent without a key
        game, is_new = await games.rematch(game_id, request.user, value_or_none(data.client_seed))
        location = {"Location": f"/v1/games/{game.game_id}"}
        return presenter.game_response(game, request, 201 if is_new else 200, location)

    return Router("/v1/games", route_handlers=[create_game, list_games, get_game, abandon_game, request_rematch])


async def _wait_past(watch: Watch, version: int, after_version: int, seconds: float) -> None:
    """Return once the game is past `after_version`, or after `seconds`."""
    loop = asyncio.get_running_loop()
    end = loop.time() + seconds
    while version <= after_version:
        commits = await watch.commits_after(version, end - loop.time())
        if not commits:
            return
        version = commits[-1].game.version


def _table_spec(body: NewGame) -> TableSpec:
    return TableSpec(
        ruleset=resolve_ruleset(body.ruleset, value_or_none(body.house_rules)),
        players=body.players,
        robots=tuple(robot.level for robot in body.robots),
        visibility=body.visibility,
        client_seed=value_or_none(body.client_seed),
        turn_seconds=value_or_none(body.turn_seconds),
        stand_in=body.on_timeout.level,
        commitment=value_or_none(body.commitment),
        robot_seconds=value_or_none(body.robot_seconds) or 0,
    )


def _summary(listed: ListedGame, entry: LobbyEntry, seats: tuple[SeatView, ...], now: datetime) -> GameSummary:
    listing = listed.listing
    return GameSummary(
        game_id=str(listed.game_id),
        status=Status(listing.status),
        ruleset=RulesetRef(*msgspec.structs.astuple(entry.ruleset)),
        players=listing.players,
        free_seats=entry.free_seats(listing, now),
        created_at=listed.created_at,
        seats=seats,
    )
