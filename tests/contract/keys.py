"""Requests that are sent again, by somebody who heard no answer: what has to be the same, and what has to be refused."""

from typing import Any, cast

from schemathesis import Response

from tests.contract.document import Json
from tests.contract.running import Client

# What goes on by itself while nothing happens at a table.
GOES_ON = {"server_time", "presence"}
# Well-formed, and something else than what any test asks for.
SOMETHING_ELSE: Json = {"expected_version": 1}
ANOTHER_TABLE: Json = {"players": 3, "turn_seconds": 604_800}


def ask_again(client: Client, operation: str, token: str, key: str, **more: Any) -> Response:
    """Send a request twice under one key, and then something else under it; return the first answer."""
    headers = {"Idempotency-Key": key}
    first = client.ask(operation, token, headers=headers, **more)
    again = client.ask(operation, token, headers=headers, **more)
    assert again.status_code == first.status_code, again.text
    assert lasting(again.json()) == lasting(first.json())
    assert again.headers.get("etag") == first.headers.get("etag")
    assert again.headers.get("location") == first.headers.get("location")
    carried_out = first.status_code < 300
    assert "idempotency-replayed" not in first.headers
    assert again.headers.get("idempotency-replayed", []) == (["true"] if carried_out else [])
    if carried_out:
        _ask_something_else(client, token, headers, more.get("game_id"))
    return first


def _ask_something_else(client: Client, token: str, headers: dict[str, str], game_id: str | None) -> None:
    """What is refused first is the key, even if the caller has no seat any more, or the game is over."""
    other = (
        client.ask("createGame", token, headers=headers, body=ANOTHER_TABLE)
        if game_id is None
        else client.ask("passAuction", token, headers=headers, body=SOMETHING_ELSE, game_id=game_id)
    )
    assert (other.status_code, other.json()["code"]) == (422, "idempotency-key-reused"), other.text


def lasting(answer: object) -> object:
    """Return an answer without what goes on by itself."""
    if isinstance(answer, dict):
        return {name: lasting(part) for name, part in cast("Json", answer).items() if name not in GOES_ON}
    return [lasting(part) for part in cast("list[object]", answer)] if isinstance(answer, list) else answer
