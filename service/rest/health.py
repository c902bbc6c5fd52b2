"""Whether the service lives, and whether it can serve."""

from litestar import get

from service.draining import Draining
from service.games import Games
from service.rest.bodies import Health
from service.rest.problems import ApiError, Code
from service.rest.replies import Reply, json_reply
from service.rest.routing import Handlers


def handlers(games: Games, draining: Draining) -> Handlers:
    """Return the handlers of `/healthz` and `/readyz`."""

    @get("/healthz")
    async def get_health() -> Reply:
        return json_reply(Health("ok"))

    @get("/readyz")
    async def get_readiness() -> Reply:
        if draining.begun:
            raise ApiError(Code.DRAINING)
        await games.check()
        return json_reply(Health("ready"))

    return [get_health, get_readiness]
