"""Turns: the games in which the caller has to move."""

import asyncio
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Annotated
from uuid import UUID

import msgspec
from litestar import get
from litestar.params import QueryParameter
from msgspec import UNSET

from domain.pocha.model.state import Finished, ruleset_of
from domain.pocha.view import game_view
from domain.pocha.view.parts import ruleset_ref
from domain.pocha.view.schema import OwnTurn, Result
from service.application.caller import Caller
from service.application.games import Games
from service.application.repository import Game
from service.rest.errors import invalid_request
from service.rest.parameters import WaitSeconds
from service.rest.presenter import GamePresenter
from service.rest.rate_limit.policies import Policy, rate_limit
from service.rest.requests import ApiRequest
from service.rest.responses import PRIVATE, EncodedResponse, json_response
from service.rest.routing import Router
from service.rest.schemas.responses import EndedGame, TurnList, WaitingTurn
from service.rest.streaming.waiters import WaiterRegistry

After = Annotated[str, QueryParameter(max_length=2200, pattern=r"^[A-Za-z0-9_-]*\Z")]

_MAX_KNOWN = 100
"""Of how many games `after` can tell; it has to fit into an address."""
_RELIST_SECONDS = 2.0
"""How often a waiting request lists the caller's games again: the caller may have joined another one."""
_NO_DEADLINE = datetime.max.replace(tzinfo=UTC)


class _Standing(msgspec.Struct, frozen=True):
    """Where the caller's games stand: those that are open, those known before that have ended, and those known before that go on."""

    seated: Sequence[Game]
    on_turn: Sequence[Game]
    ended: Sequence[Game]
    others: Sequence[Game]

    @property
    def is_news(self) -> bool:
        """Tell whether there is anything that the caller waits for."""
        return bool(self.on_turn or self.ended)


def router(games: Games, presenter: GamePresenter, waiters: WaiterRegistry) -> Router:
    """Return the routes of `/v1/me/turns`."""

    @get("/turns", opt=rate_limit(Policy.READS))
    async def list_my_turns(request: ApiRequest, after: After = "", wait: WaitSeconds = None) -> EncodedResponse:
        caller, known = request.user, _read_known(after)
        caller.require_player()  # an app has no seat, and would wait in vain
        standing = await read_standing(caller, known)
        if wait and not standing.is_news:
            async with waiters.admit(caller, request.scope) as waiter, waiter.ends_on_disconnect(request.receive):
                standing = await wait_for_news(caller, known, wait)
        return json_response(_turn_list(standing, caller, presenter), headers=PRIVATE)

    async def read_standing(caller: Caller, known: Sequence[UUID]) -> _Standing:
        seated = await games.list_seated_games(caller)
        open_ids = {game.game_id for game in seated}
        gone = await games.latest_of([game_id for game_id in known if game_id not in open_ids])
        visible = [game for game in gone if game.is_known_to(caller)]
        ended = [game for game in visible if game.is_over]
        return _Standing(seated, _on_turn(seated, caller), ended, [game for game in visible if not game.is_over])

    async def wait_for_news(caller: Caller, known: Sequence[UUID], seconds: float) -> _Standing:
        """Return where the games stand once it is the caller's turn or one has ended, or after `seconds`."""
        loop = asyncio.get_running_loop()
        end = loop.time() + seconds
        standing = await read_standing(caller, known)
        while True:
            # What was open in the last look, and is not in the next one, has ended in between.
            known = _known(standing)
            with games.hub.watch(*known) as watch:
                standing = await read_standing(caller, known)
                left = end - loop.time()
                if standing.is_news or left <= 0:
                    return standing
                await watch.wait_for_change(min(left, _RELIST_SECONDS))

    return Router("/v1/me", route_handlers=[list_my_turns])


def _known(standing: _Standing) -> list[UUID]:
    """Return the games whose end is still to be told."""
    return [game.game_id for game in (*standing.seated, *standing.others)]


def _write_known(game_ids: Sequence[UUID]) -> str:
    """Return the newest of the games as the `after` of the next request: so the service need not remember who knows what."""
    newest = sorted(game_ids, reverse=True)[:_MAX_KNOWN]
    return urlsafe_b64encode(b"".join(game_id.bytes for game_id in newest)).decode().rstrip("=")


def _read_known(after: str) -> list[UUID]:
    try:
        written = urlsafe_b64decode(after + "=" * (-len(after) % 4))
        return [UUID(bytes=written[at : at + 16]) for at in range(0, len(written), 16)]
    except ValueError:
        raise invalid_request("query/after", "This is no `next_after` of an earlier answer.") from None


def _turn_list(standing: _Standing, caller: Caller, presenter: GamePresenter) -> TurnList:
    return TurnList(
        items=tuple(_item(game, caller, presenter) for game in standing.on_turn),
        ended=tuple(_ended(game) for game in standing.ended),
        open_games=len(standing.seated),
        next_after=_write_known(_known(standing)),
        server_time=presenter.clock.now(),
    )


def _ended(game: Game) -> EndedGame:
    state = game.state
    result = Result(state.winners) if isinstance(state, Finished) else UNSET
    return EndedGame(str(game.game_id), game.version, game_view.status(state), result)


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
