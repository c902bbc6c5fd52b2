"""The contract's security schemes say who may call an operation, and the service agrees."""

from tests.contract.document import Json, contract, operations
from tests.security.every_operation import of_every_operation
from tests.security.world import World

# What an app may not know of is not there for it.
NOT_FOR = {401, 403, 404}


async def test_an_operation_is_for_whom_the_contract_says(world: World, shop: str) -> None:
    schemes = {operation.id: _schemes(operation.what) for operation in operations()}
    for asked in of_every_operation():
        if not schemes[asked.operation]:
            continue
        player = await world.player(shop)
        body = {"players": 3, "visibility": "public"}
        game = (await world.ask(player["token"], "POST", "/v1/games", body)).json()["game_id"]
        for credential, scheme in ((shop, "appKey"), (player["token"], "playerToken")):
            method = "HEAD" if asked.operation.startswith("stream") else asked.method
            path = asked.of(game).replace("/seats/1", "/seats/0") if method == "DELETE" else asked.of(game)
            response = await world.ask(credential, method, path, asked.body, **asked.headers)
            if scheme in schemes[asked.operation]:
                assert response.status_code not in {401, 403}, (asked, scheme, response.text)
            else:
                assert response.status_code in NOT_FOR, (asked, scheme, response.text)


def _schemes(what: Json) -> set[str]:
    security: list[Json] = what.get("security", contract()["security"])
    return {name for alternative in security for name in alternative}
