"""Commitments to the server seeds of tables that are yet to be made."""

from litestar import post

from service.application.commitments import Commitments
from service.rest.rate_limit.policies import Policy, rate_limit
from service.rest.requests import ApiRequest
from service.rest.responses import PRIVATE, EncodedResponse, json_response
from service.rest.routing import Router
from service.rest.schemas.responses import SeedCommitment


def router(commitments: Commitments) -> Router:
    """Return the route of `/v1/commitments`."""

    @post("/", opt=rate_limit(Policy.CREATION))
    async def create_commitment(request: ApiRequest) -> EncodedResponse:
        issued = await commitments.issue(request.user)
        answer = SeedCommitment(issued.commitment, str(issued.game_id), issued.expires_at)
        return json_response(answer, 201, PRIVATE)

    return Router("/v1/commitments", route_handlers=[create_commitment])
