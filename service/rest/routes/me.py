"""The caller: who it is, and the games that it sits or sat at."""

from collections.abc import Sequence
from typing import Annotated
from uuid import UUID

from litestar import Router, get, patch
from litestar.params import JSONBody, QueryParameter
from msgspec import UNSET

from domain.pocha.model.state import Finished, ruleset_of, table_of
from domain.pocha.view import game_view
from domain.pocha.view.parts import present, ruleset_ref
from domain.pocha.view.schema import Result, Status
from domain.table.table import Player
from service.application.caller import Caller
from service.application.display_names import InvalidName
from service.application.games import Games
from service.application.players import Players
from service.application.repository import Game
from service.rest.errors import invalid_request
from service.rest.presenter import GamePresenter
from service.rest.rate_limit.policies import Policy, RouteLimit, rate_limit
from service.rest.requests import ApiRequest
from service.rest.responses import PRIVATE, EncodedResponse, json_response
from service.rest.routes.games import PageCursor, StatusFilter
from service.rest.schemas.requests import NameChange
from service.rest.schemas.responses import Me, MyGame, MyGameList

PageSize = Annotated[int, QueryParameter(ge=1, le=50)]

_PAGE_LIMIT = RouteLimit(Policy.READS, cost=10)
"""Each game of a page may have to be read from its log."""


def router(games: Games, players: Players, presenter: GamePresenter) -> Router:
    """Return the routes of `/v1/me` that tell who the caller is, and of `/v1/me/games`."""

    @get("/", opt=rate_limit(Policy.READS))
    async def get_me(request: ApiRequest) -> EncodedResponse:
        return _me((await players.named(request.user)).require_player())

    @patch("/", opt=rate_limit(Policy.COMMANDS))
    async def update_me(request: ApiRequest, data: JSONBody[NameChange]) -> EncodedResponse:
        try:
            return _me(await players.rename(request.user, data.display_name))
        except InvalidName as error:
            raise invalid_request("/display_name", f"The name {error}.") from None

    @get("/games", opt=rate_limit(lambda _: _PAGE_LIMIT))
    async def list_my_games(
        request: ApiRequest, status: StatusFilter = None, cursor: PageCursor = None, limit: PageSize = 20
    ) -> EncodedResponse:
        caller = request.user
        before = None if cursor is None else UUID(cursor)
        # One more than the page holds tells whether there is a next page.
        ids = await games.list_ids_of_player(caller, status, before, limit + 1)
        found = await games.latest_of(ids[:limit])
        next_cursor = ids[limit - 1].hex if len(ids) > limit else UNSET
        page = MyGameList(_items(found, caller, presenter), presenter.clock.now(), next_cursor)
        return json_response(page, headers=PRIVATE)

    return Router("/v1/me", route_handlers=[get_me, update_me, list_my_games])


def _me(player: Player) -> EncodedResponse:
    return json_response(Me(player.player_id, player.display_name), headers=PRIVATE)


def _items(found: Sequence[Game], caller: Caller, presenter: GamePresenter) -> tuple[MyGame, ...]:
    return tuple(_item(game, caller, presenter) for game in found)


def _item(game: Game, caller: Caller, presenter: GamePresenter) -> MyGame:
    viewer, state = game.seat_of(caller), game.state
    table = table_of(state)
    return MyGame(
        game_id=str(game.game_id),
        version=game.version,
        status=Status(game_view.status(state)),
        ruleset=ruleset_ref(ruleset_of(state)),
        players=len(table.seats),
        visibility=table.visibility,
        created_at=game.created_at,
        seats=presenter.seats(game),
        scores=game_view.scores(state),
        my_seat=present(viewer),
        turn=presenter.turn(game, viewer),
        result=Result(state.winners) if isinstance(state, Finished) else UNSET,
    )
