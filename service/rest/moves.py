"""What is done at a table: sitting down and getting up, bids and plays."""

from litestar import delete, post, put
from msgspec import UNSET

from service.games import Games
from service.ports import Clock
from service.rest.auth import Tokens
from service.rest.bodies import BidRequest, JoinRequest, PlayRequest, RobotSpec
from service.rest.replies import Reply
from service.rest.requests import AnyRequest, BodyOf, game_id_of, query_of, seat_of
from service.rest.routing import Handlers
from service.rest.showing import move_reply, view_reply

_JOIN = BodyOf(JoinRequest)
_ROBOT = BodyOf(RobotSpec)
_BID = BodyOf(BidRequest)
_PLAY = BodyOf(PlayRequest)


def handlers(games: Games, tokens: Tokens, clock: Clock) -> Handlers:
    """Return the handlers of seats and moves."""

    @post("/v1/games/{game_id:str}/seats")
    async def join_game(request: AnyRequest) -> Reply:
        player, game_id = tokens.player_of(request), game_id_of(request)
        body = await _JOIN.read(request)
        seat = None if body.seat is UNSET else body.seat
        code = None if body.invite_code is UNSET else body.invite_code
        done = await games.join(game_id, player, seat, code)
        return view_reply(done.snapshot, player, clock, 201, f"/v1/games/{game_id}")

    @delete("/v1/games/{game_id:str}/seats/{seat:str}", status_code=200)
    async def leave_game(request: AnyRequest) -> Reply:
        player = tokens.player_of(request)
        query_of(request, {})
        done = await games.leave(game_id_of(request), player, seat_of(request))
        return view_reply(done.snapshot, player, clock)

    @put("/v1/games/{game_id:str}/seats/{seat:str}/robot")
    async def seat_robot(request: AnyRequest) -> Reply:
        player, game_id, seat = tokens.player_of(request), game_id_of(request), seat_of(request)
        body = await _ROBOT.read(request)
        done = await games.seat_robot(game_id, player, seat, body.level)
        return view_reply(done.snapshot, player, clock)

    @post("/v1/games/{game_id:str}/bids")
    async def make_bid(request: AnyRequest) -> Reply:
        player, game_id = tokens.player_of(request), game_id_of(request)
        body = await _BID.read(request)
        expected = None if body.expected_version is UNSET else body.expected_version
        return move_reply(await games.bid(game_id, player, body.bid, expected), player, clock)

    @post("/v1/games/{game_id:str}/plays")
    async def play_card(request: AnyRequest) -> Reply:
        player, game_id = tokens.player_of(request), game_id_of(request)
        body = await _PLAY.read(request)
        expected = None if body.expected_version is UNSET else body.expected_version
        return move_reply(await games.play(game_id, player, body.card, expected), player, clock)

    return [join_game, leave_game, seat_robot, make_bid, play_card]
