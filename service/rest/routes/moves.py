"""Moves of a game."""

from collections.abc import Callable
from uuid import UUID

from litestar import post
from litestar.params import JSONBody

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
from domain.table.table import Level
from service.application.command_handler import RobotMove
from service.application.games import Games
from service.rest.idempotency_key import idempotency_key
from service.rest.parameters import GameId
from service.rest.presenter import GamePresenter
from service.rest.rate_limit.policies import Policy, rate_limit
from service.rest.requests import ApiRequest
from service.rest.responses import EncodedResponse
from service.rest.routing import Router
from service.rest.schemas.requests import (
    BidRequest,
    BlindPickRequest,
    ClaimRequest,
    MoveRequest,
    PassRequest,
    PlayRequest,
    RobotMoveRequest,
    TrumpRequest,
    value_or_none,
)

_ROBOT_MOVE = RobotMoveRequest()
_PASS = PassRequest()
_LIMIT = rate_limit(Policy.COMMANDS, only_unsuccessful=True)


def router(games: Games, presenter: GamePresenter) -> Router:
    """Return the routes of moves, all under `/v1/games/{game_id}`."""

    async def move(
        request: ApiRequest, game_id: UUID, body: MoveRequest, command: Callable[[int], Command | RobotMove]
    ) -> EncodedResponse:
        """Carry out the command that `command` makes for the caller's seat."""
        expected_version, key = value_or_none(body.expected_version), idempotency_key(request, body)
        committed = await games.move(game_id, request.user, command, expected_version, key)
        return presenter.move_response(committed, request)

    @post("/bids", status_code=200, opt=_LIMIT)
    async def make_bid(request: ApiRequest, game_id: GameId, data: JSONBody[BidRequest]) -> EncodedResponse:
        return await move(request, game_id, data, lambda seat: MakeBid(seat, data.bid))

    @post("/plays", status_code=200, opt=_LIMIT)
    async def play_card(request: ApiRequest, game_id: GameId, data: JSONBody[PlayRequest]) -> EncodedResponse:
        return await move(request, game_id, data, lambda seat: PlayCard(seat, data.card))

    @post("/auction-bids", status_code=200, opt=_LIMIT)
    async def make_auction_bid(request: ApiRequest, game_id: GameId, data: JSONBody[BidRequest]) -> EncodedResponse:
        return await move(request, game_id, data, lambda seat: MakeAuctionBid(seat, data.bid))

    @post("/auction-passes", status_code=200, opt=_LIMIT)
    async def pass_auction(
        request: ApiRequest, game_id: GameId, data: JSONBody[PassRequest] = _PASS
    ) -> EncodedResponse:
        return await move(request, game_id, data, PassAuction)

    @post("/trump", status_code=200, opt=_LIMIT)
    async def choose_trump(request: ApiRequest, game_id: GameId, data: JSONBody[TrumpRequest]) -> EncodedResponse:
        return await move(request, game_id, data, lambda seat: ChooseTrump(seat, data.suit))

    @post("/blind-pick", status_code=200, opt=_LIMIT)
    async def pick_blind(request: ApiRequest, game_id: GameId, data: JSONBody[BlindPickRequest]) -> EncodedResponse:
        return await move(request, game_id, data, lambda seat: PickBlind(seat, data.position))

    @post("/renuncio-claims", status_code=200, opt=_LIMIT)
    async def claim_renuncio(request: ApiRequest, game_id: GameId, data: JSONBody[ClaimRequest]) -> EncodedResponse:
        return await move(request, game_id, data, lambda seat: ClaimRenuncio(seat, data.seat, data.trick))

    @post("/robot-moves", status_code=200, opt=rate_limit(Policy.COMMANDS))
    async def make_robot_move(
        request: ApiRequest, game_id: GameId, data: JSONBody[RobotMoveRequest] = _ROBOT_MOVE
    ) -> EncodedResponse:
        level = value_or_none(data.level) or Level.NORMAL
        return await move(request, game_id, data, lambda seat: RobotMove(seat, level))

    return Router(
        "/v1/games/{game_id:str}",
        route_handlers=[
            make_bid,
            play_card,
            make_auction_bid,
            pass_auction,
            choose_trump,
            pick_blind,
            claim_renuncio,
            make_robot_move,
        ],
    )
