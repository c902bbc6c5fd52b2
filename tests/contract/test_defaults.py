"""A client that sends what the contract declares as the default is answered as if it had sent nothing."""

import re
from functools import partial
from typing import Any

import pytest

from service.adapters.memory.store import MemoryStore
from tests.contract.document import Json, Operation, operations, resolved
from tests.contract.running import Client, RepeatableShuffler, promise_of, service

PATH_PARAMETER = re.compile(r"{(\w+)}")
# Score keepers and links to score sheets have the parameters of games, and tests of their own.
DEFAULTS: dict[str, tuple[Operation, Json]] = {
    operation.id: (operation, defaults)
    for operation in operations()
    if set(PATH_PARAMETER.findall(operation.path)) <= {"game_id"}
    and (
        defaults := {
            parameter["name"]: parameter["schema"]["default"]
            for parameter in map(resolved, operation.what.get("parameters", []))
            if "default" in parameter["schema"]
        }
    )
}


OF_APPS = {"listWebhooks", "listWebhookDeliveries"}


@pytest.mark.parametrize("name", DEFAULTS)
def test_the_declared_defaults_are_accepted(name: str):
    client = Client(promise_of(service(MemoryStore(), RepeatableShuffler())))
    token: str = client.ask("createPlayer", body={"display_name": "Ana"}).json()["token"]
    game_id: str = client.ask("createGame", token, body={"players": 4}).json()["game_id"]
    operation, defaults = DEFAULTS[name]
    ask: Any = partial(client.ask, name, token, **({"game_id": game_id} if "{game_id}" in operation.path else {}))
    answer = ask().status_code
    assert answer == 200 or (name in OF_APPS and answer == 403)
    assert ask(query=defaults).status_code == answer
