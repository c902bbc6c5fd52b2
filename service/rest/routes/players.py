"""Players, and their tokens."""

from typing import Any

from litestar import Request, delete, post
from litestar.params import JSONBody

from service.application import ids
from service.application.caller import GUEST_TENANT, Caller, app_tenant, player_caller
from service.application.deleting import Deleting
from service.application.display_names import InvalidName, clean_name
from service.application.players import Players
from service.application.ports import ApiKey
from service.rest.auth.authenticate import Authenticator
from service.rest.auth.middleware import AuthenticationMiddleware
from service.rest.auth.tokens import IssuedToken, Tokens, VerifiedToken
from service.rest.errors import invalid_request
from service.rest.idempotency_key import idempotency_key
from service.rest.parameters import PlayerId
from service.rest.rate_limit.policies import Policy, rate_limit
from service.rest.requests import ApiRequest
from service.rest.responses import EncodedResponse, json_response
from service.rest.routing import Router
from service.rest.schemas.requests import NewPlayer, value_or_none
from service.rest.schemas.responses import Guest


def router(authenticator: Authenticator, players: Players) -> Router:
    """Return the routes of `/v1/players`."""
    tokens = authenticator.tokens

    @post(
        "/",
        middleware=[AuthenticationMiddleware(authenticator.authenticate_app)],
        opt=rate_limit(Policy.CREATION),
    )
    async def create_player(request: Request[Any, ApiKey | None, Any], data: JSONBody[NewPlayer]) -> EncodedResponse:
        key, external_id, name = request.auth, value_or_none(data.external_id), _clean_name(data.display_name)
        if key is not None:
            player, token = await _player_of_app(players, tokens, key, external_id, name)
            await players.name_by_app(player)
        elif external_id is None:
            player = player_caller(GUEST_TENANT, ids.new_player_id(), name)
            token = tokens.issue(player)
        else:
            raise invalid_request("/external_id", "Only an app, which calls with its API key, may give one.")
        return _response(player, token, 201)

    return Router("/v1/players", route_handlers=[create_player])


def deletion_router(deleting: Deleting) -> Router:
    """Return the route by which apps delete their players."""

    @delete("/{player_id:str}", status_code=200, opt=rate_limit(Policy.COMMANDS))
    async def delete_player(request: ApiRequest, player_id: PlayerId) -> EncodedResponse:
        idempotency_key(request)  # checked only: who is deleted stays so
        await deleting.delete_of_app(request.user, str(player_id))
        return EncodedResponse(b"", 204)

    return Router("/v1/players", route_handlers=[delete_player])


def token_router(authenticator: Authenticator, players: Players) -> Router:
    """Return the route of `/v1/me/token`."""
    tokens = authenticator.tokens

    @post(
        "/token",
        status_code=200,
        middleware=[AuthenticationMiddleware(authenticator.authenticate_token)],
        opt=rate_limit(Policy.COMMANDS),
    )
    async def renew_token(request: Request[Any, VerifiedToken, Any]) -> EncodedResponse:
        token = request.auth
        player = await players.named(token.caller)
        return _response(player, tokens.issue(player, token.api_key_id), 200)

    return Router("/v1/me", route_handlers=[renew_token])


def _clean_name(text: str) -> str:
    try:
        return clean_name(text)
    except InvalidName as error:
        raise invalid_request("/display_name", f"The name {error}.") from None


async def _player_of_app(
    players: Players, tokens: Tokens, key: ApiKey, external_id: str | None, display_name: str
) -> tuple[Caller, IssuedToken]:
    if external_id is None:
        raise invalid_request("/external_id", "An app must give its own id of the player.")
    tenant = app_tenant(key.app)
    player = player_caller(tenant, await players.id_of(tenant, external_id), display_name)
    return player, tokens.issue(player, key.key_id)


def _response(player: Caller, token: IssuedToken, status: int) -> EncodedResponse:
    return json_response(Guest(player.id, player.display_name, token.token, token.expires_at), status)
