"""Turns: the games in which the caller has to move."""

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime

from litestar import Router, get

from domain.pocha.model.state import ruleset_of
from domain.pocha.view.parts import ruleset_ref
from domain.pocha.view.schema import OwnTurn
from service.application.caller import Caller
from service.application.games import Games
from service.application.repository import Game
from service.rest.parameters import WaitSeconds
from service.rest.presenter import GamePresenter
from service.rest.rate_limit.policies import Policy, rate_limit
from service.rest.requests import ApiRequest
from service.rest.responses import PRIVATE, EncodedResponse, json_response
from service.rest.schemas.responses import TurnList, WaitingTurn
from service.rest.streaming.waiters import WaiterRegistry

_RELIST_SECONDS = 2.0
"""How often a waiting request lists the caller's games again: the caller may have joined another one."""
_NO_DEADLINE = datetime.max.replace(tzinfo=UTC)


def router(games: Games, presenter: GamePresenter, waiters: WaiterRegistry) -> Router:
    """Return the routes of `/v1/me`."""

    @get("/turns", opt=rate_limit(Policy.READS))
    async def list_my_turns(request: ApiRequest, wait: WaitSeconds = None) -> EncodedResponse:
        caller = request.user
        caller.require_player()  # an app has no seat, and would wait in vain
        on_turn = _on_turn(await games.list_seated_games(caller), caller)
        if wait and not on_turn:
            async with waiters.admit(caller, request.scope) as waiter, waiter.ends_on_disconnect(request.receive):
                on_turn = await wait_for_turn(caller, wait)
        items = tuple(_item(game, caller, presenter) for game in on_turn)
        return json_response(TurnList(items, presenter.clock.now()), headers=PRIVATE)

    async def wait_for_turn(caller: Caller, seconds: float) -> Sequence[Game]:
        """Return the games in which it is the caller's turn, once there are any; none after `seconds`."""
        loop = asyncio.get_running_loop()
        end = loop.time() + seconds
        while True:
            seated = await games.list_seated_games(caller)
            with games.hub.watch(*(game.game_id for game in seated)) as watch:
                on_turn = _on_turn(await games.list_seated_games(caller), caller)
                left = end - loop.time()
                if on_turn or left <= 0:
                    return on_turn
                await watch.wait_for_change(min(left, _RELIST_SECONDS))

    return Router("/v1/me", route_handlers=[list_my_turns])


def _on_turn(games: Sequence[Game], caller: Caller) -> Sequence[Game]:
    """Return the games in which it is the caller's turn, nearest deadline first."""
    on_turn = (game for game in games if game.is_on_turn(caller))
    return sorted(on_turn, key=lambda game: (game.turn_deadline or _NO_DEADLINE, game.game_id))


def _item(game: Game, caller: Caller, presenter: GamePresenter) -> WaitingTurn:
    seat = game.seat_of(caller)
    turn = presenter.turn(game, seat)
    assert seat is not None  # noqa: S101 - it is the caller's turn there
    assert isinstance(turn, OwnTurn)  # noqa: S101 - as above
    return WaitingTurn(str(game.game_id), game.version, ruleset_ref(ruleset_of(game.state)), seat, turn)
