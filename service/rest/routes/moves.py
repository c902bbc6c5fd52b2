"""What is done at a table: sitting down and getting up, and every move of the game."""

from collections.abc import Callable
from typing import TypeVar

from litestar import delete, post, put
from litestar.handlers import HTTPRouteHandler

from domain.pocha.model.commands import (
    ChooseTrump,
    ClaimRenuncio,
    Command,
    MakeAuctionBid,
    MakeBid,
    PassAuction,
    PickBlind,
    PlayCard,
)
from service.application.games import Games
from service.rest.auth.authenticate import Authenticator
from service.rest.presenter import GamePresenter
from service.rest.requests import AnyRequest, BodyOf, game_id_of, given, key_of, query_of, seat_of
from service.rest.responses import EncodedResponse
from service.rest.routing import Handlers
from service.rest.schemas import (
    BidRequest,
    BlindPickRequest,
    ClaimRequest,
    JoinRequest,
    MoveRequest,
    PassRequest,
    PlayRequest,
    RobotSpec,
    TrumpRequest,
)

Asked = TypeVar("Asked", bound=MoveRequest)

_JOIN = BodyOf(JoinRequest)
_ROBOT = BodyOf(RobotSpec)


def handlers(games: Games, auth: Authenticator, showing: GamePresenter) -> Handlers:
    """Return the handlers of seats and moves."""

    @post("/v1/games/{game_id:str}/seats")
    async def join_game(request: AnyRequest) -> EncodedResponse:
        caller, game_id = await auth.caller_of(request), game_id_of(request)
        body = await _JOIN.read(request)
        seat, code, seed = given(body.seat), given(body.invite_code), given(body.client_seed)
        done = await games.join(game_id, caller, seat, code, seed, key_of(request, caller, body))
        return showing.seated_response(done, caller)

    @delete("/v1/games/{game_id:str}/seats/{seat:str}", status_code=200)
    async def leave_game(request: AnyRequest) -> EncodedResponse:
        caller = await auth.caller_of(request)
        query_of(request, {})
        done = await games.leave(game_id_of(request), caller, seat_of(request), key_of(request, caller))
        return showing.command_response(done, caller)

    @put("/v1/games/{game_id:str}/seats/{seat:str}/robot")
    async def seat_robot(request: AnyRequest) -> EncodedResponse:
        caller, game_id, seat = await auth.caller_of(request), game_id_of(request), seat_of(request)
        body = await _ROBOT.read(request)
        done = await games.seat_robot(game_id, caller, seat, body.level, key_of(request, caller, body))
        return showing.command_response(done, caller)

    def move(path: str, body_kind: type[Asked], command: Callable[[int, Asked], Command]) -> HTTPRouteHandler:
        """Return the handler of one kind of move: `command` says what its body asks for a seat."""
        bodies = BodyOf(body_kind)

        @post(f"/v1/games/{{game_id:str}}/{path}", status_code=200)
        async def make_move(request: AnyRequest) -> EncodedResponse:
            caller, game_id = await auth.caller_of(request), game_id_of(request)
            body = await bodies.read(request)
            expected, key = given(body.expected_version), key_of(request, caller, body)
            done = await games.move(game_id, caller, lambda seat: command(seat, body), expected, key)
            return showing.move_response(done, caller)

        return make_move

    return [
        join_game,
        leave_game,
        seat_robot,
        move("bids", BidRequest, lambda seat, body: MakeBid(seat, body.bid)),
        move("plays", PlayRequest, lambda seat, body: PlayCard(seat, body.card)),
        move("auction-bids", BidRequest, lambda seat, body: MakeAuctionBid(seat, body.bid)),
        move("auction-passes", PassRequest, lambda seat, _: PassAuction(seat)),
        move("trump", TrumpRequest, lambda seat, body: ChooseTrump(seat, body.suit)),
        move("blind-pick", BlindPickRequest, lambda seat, body: PickBlind(seat, body.position)),
        move("renuncio-claims", ClaimRequest, lambda seat, body: ClaimRenuncio(seat, body.seat, body.trick)),
    ]
