"""What a player has to do next, over all tables: the turns that wait for them, and the game after a game."""

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime

from litestar import get, post

from domain.pocha.model.state import ruleset_of
from domain.pocha.view.parts import ruleset_ref
from domain.pocha.view.schema import OwnTurn
from service.application.caller import Caller
from service.application.games import Games, is_on_turn
from service.application.repository import Game
from service.rest.auth.authenticate import Authenticator
from service.rest.presenter import GamePresenter
from service.rest.requests import AnyRequest, BodyOf, game_id_of, given, key_of, number_between, query_of
from service.rest.responses import PRIVATE, EncodedResponse, json_response
from service.rest.routes.games import MOST_WAIT_SECONDS
from service.rest.routing import Handlers
from service.rest.schemas import RematchRequest, TurnList, WaitingTurn
from service.rest.streaming.waiters import WaiterRegistry, noticing

_FLOOR_SECONDS = 2.0
"""How often the list of tables is read again while one waits: the player may have sat down at another one."""
_WAIT = {"wait": number_between(0, MOST_WAIT_SECONDS)}
_REMATCH = BodyOf(RematchRequest)
_NEVER = datetime.max.replace(tzinfo=UTC)


def handlers(games: Games, auth: Authenticator, showing: GamePresenter, room: WaiterRegistry) -> Handlers:
    """Return the handlers of `/v1/me/turns` and of `rematch`."""

    @get("/v1/me/turns")
    async def list_my_turns(request: AnyRequest) -> EncodedResponse:
        caller = await auth.caller_of(request)
        caller.require_player()  # an app itself sits nowhere: nothing could ever wait for it
        seconds = query_of(request, _WAIT).get("wait", 0)
        waiting = _on_turn(await games.list_seated_games(caller), caller)
        if seconds and not waiting:
            async with room.place(caller, request.scope) as stay, noticing(request.receive, stay):
                waiting = await first_turns(caller, seconds)
        items = tuple(_item(snapshot, caller, showing) for snapshot in waiting)
        return json_response(TurnList(items, showing.clock.now()), headers=PRIVATE)

    async def first_turns(caller: Caller, seconds: float) -> Sequence[Game]:
        """Return the games that wait for the caller as soon as there are any; none when so many seconds are over."""
        loop = asyncio.get_running_loop()
        end = loop.time() + seconds
        while True:
            tables = await games.list_seated_games(caller)
            with games.hub.watch(*(snapshot.game_id for snapshot in tables)) as watch:
                waiting = _on_turn(await games.list_seated_games(caller), caller)
                left = end - loop.time()
                if waiting or left <= 0:
                    return waiting
                await watch.wait_for_change(min(left, _FLOOR_SECONDS))

    @post("/v1/games/{game_id:str}/rematch")
    async def request_rematch(request: AnyRequest) -> EncodedResponse:
        caller, game_id = await auth.caller_of(request), game_id_of(request)
        body = await _REMATCH.read_if_any(request)
        key_of(request, caller, body)  # asking twice is asking once, key or no key
        snapshot, is_new = await games.rematch(game_id, caller, given(body.client_seed))
        location = {"Location": f"/v1/games/{snapshot.game_id}"}
        return showing.game_response(snapshot, caller, 201 if is_new else 200, location)

    return [list_my_turns, request_rematch]


def _on_turn(tables: Sequence[Game], caller: Caller) -> Sequence[Game]:
    """Return the tables where it is the caller's turn, those with the nearest deadline first."""
    waiting = (snapshot for snapshot in tables if is_on_turn(snapshot, caller))
    return sorted(waiting, key=lambda snapshot: (snapshot.turn_deadline or _NEVER, snapshot.game_id))


def _item(snapshot: Game, caller: Caller, showing: GamePresenter) -> WaitingTurn:
    seat = snapshot.seat_of(caller)
    turn = showing.turn(snapshot, seat)
    assert seat is not None  # noqa: S101 - it is the caller's turn there
    assert isinstance(turn, OwnTurn)  # noqa: S101 - as above
    ruleset = ruleset_ref(ruleset_of(snapshot.state))
    return WaitingTurn(str(snapshot.game_id), snapshot.version, ruleset, seat, turn)
