"""Players, and the tokens that speak for them: of guests, and of the users of apps."""

from litestar import post

from domain.table.table import Player
from service.application import ids
from service.application.caller import GUEST_TENANT, app_tenant, external_player_id
from service.application.display_names import InvalidName, clean_name
from service.application.ports import ApiKey
from service.rest.auth.authenticate import Authenticator
from service.rest.auth.tokens import IssuedToken
from service.rest.requests import AnyRequest, BodyOf, given, invalid, query_of
from service.rest.responses import EncodedResponse, json_response
from service.rest.routing import Handlers
from service.rest.schemas import Guest, NewPlayer

_NEW_PLAYER = BodyOf(NewPlayer)


def handlers(auth: Authenticator) -> Handlers:
    """Return the handlers of `/v1/players`."""

    @post("/v1/players")
    async def create_player(request: AnyRequest) -> EncodedResponse:
        key = await auth.app_key_of(request)
        body = await _NEW_PLAYER.read(request)
        external_id, display_name = given(body.external_id), _name(body.display_name)
        if key is not None:
            return _reply(*of_app(key, external_id, display_name), 201)
        if external_id is not None:
            raise invalid("/external_id", "Only an app, which calls with its API key, may give one.")
        player = Player(ids.new_player_id(), display_name)
        return _reply(player, auth.tokens.issue(GUEST_TENANT, player), 201)

    def of_app(key: ApiKey, external_id: str | None, display_name: str) -> tuple[Player, IssuedToken]:
        if external_id is None:
            raise invalid("/external_id", "An app says by which name it knows the player.")
        tenant = app_tenant(key.app)
        player = Player(external_player_id(tenant, external_id), display_name)
        return player, auth.tokens.issue(tenant, player, key.key_id)

    @post("/v1/players/token", status_code=200)
    async def renew_token(request: AnyRequest) -> EncodedResponse:
        bearer = await auth.bearer_of(request)
        query_of(request, {})
        player = bearer.caller.require_player()
        return _reply(player, auth.tokens.issue(bearer.caller.tenant, player, bearer.api_key_id), 200)

    return [create_player, renew_token]


def _name(text: str) -> str:
    try:
        return clean_name(text)
    except InvalidName as error:
        raise invalid("/display_name", f"The name {error}.") from None


def _reply(player: Player, issued: IssuedToken, status: int) -> EncodedResponse:
    return json_response(Guest(player.player_id, player.display_name, issued.token, issued.expires_at), status)
