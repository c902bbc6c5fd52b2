"""Guests."""

from litestar import post

from domain.pocha.table import Player
from service import ids
from service.rest.auth import Tokens
from service.rest.bodies import Guest, NewPlayer
from service.rest.replies import Reply, json_reply
from service.rest.requests import AnyRequest, BodyOf
from service.rest.routing import Handlers

_NEW_PLAYER = BodyOf(NewPlayer)


def handlers(tokens: Tokens) -> Handlers:
    """Return the handlers of `/v1/players`."""

    @post("/v1/players")
    async def create_player(request: AnyRequest) -> Reply:
        body = await _NEW_PLAYER.read(request)
        player = Player(ids.new_player_id(), body.display_name)
        return json_reply(Guest(player.player_id, player.display_name, tokens.issue(player)), 201)

    return [create_player]
