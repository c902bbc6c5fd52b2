"""Real answers: those of a game with hands of all kinds, from its table to its record, and the examples of the contract."""

import re
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

import httpx

from tests.contract.document import Json, Operation, operations, resolved
from tests.contract.kinds import hands
from tests.kit.player import Api, Guest, legal_moves

ALL_KINDS = hands(("india", "1", "1"), ("subastado", "3", "2"), ("oros", "2", "1"), ("normal", "3", "1"))
BLIND = {**hands(("normal", "max", "1")), "trump": {"when_all_dealt": "dealer-blind-pick"}}
_JSON = ("application/json", "application/problem+json")


class Answer(NamedTuple):
    """A JSON answer of an operation, and its schema."""

    operation: Operation
    status: int
    body: Any
    schema: Json


def examples() -> Iterator[Answer]:
    """Yield the contract's examples of answers."""
    for operation in operations():
        for status, response in operation.what["responses"].items():
            for media_type, content in resolved(response).get("content", {}).items():
                if media_type in _JSON and status != "default":
                    for example in content.get("examples", {}).values():
                        yield Answer(operation, int(status), resolved(example)["value"], content["schema"])


class Recorder(httpx.AsyncBaseTransport):
    """Passes requests on, and keeps the answers that are JSON of the contract."""

    def __init__(self, inner: httpx.AsyncBaseTransport) -> None:
        self._inner = inner
        self.answers: list[Answer] = []

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request."""
        response = await self._inner.handle_async_request(request)
        content = await response.aread()
        operation = _operation(request.method.lower(), request.url.path)
        described = resolved(operation.what["responses"][str(response.status_code)]).get("content", {})
        media_type = response.headers.get("content-type", "")
        if content and media_type in described:
            body = response.json()
            self.answers.append(Answer(operation, response.status_code, body, described[media_type]["schema"]))
        return response


@cache
def _operation(method: str, path: str) -> Operation:
    found = [
        operation
        for operation in operations()
        if operation.method == method and re.fullmatch(re.sub(r"\{[^}]+\}", "[^/]+", operation.path), path)
    ]
    return min(found, key=lambda operation: operation.path.count("{"))


async def whole_games(client: httpx.AsyncClient) -> None:
    """Play games with all kinds of hands and events, and read all that can be read of them."""
    api = Api(client)
    ana = await api.guest("Ana")
    for path in ("/v1/rulesets", "/v1/rulesets/clasica", "/v1/glossary", "/v1/me"):
        assert (await ana.ask("GET", path)).status_code == 200
    for rules in (ALL_KINDS, BLIND):
        game = await ana.create("clasica", 3, robots=1, house_rules=rules, turn_seconds=3600)
        beto = await api.guest("Beto")
        await beto.join(game["game_id"], client_seed="suerte")
        await _play(ana, beto, game["game_id"])
        for rest in ("", "/events", "/score-sheet", "/ruleset", "/fairness", "/record"):
            assert (await ana.ask("GET", f"/v1/games/{game['game_id']}{rest}")).status_code == 200
    await _keep_a_sheet(ana, beto)
    for path in ("/v1/games", "/v1/me/games", "/v1/games/nonsense", f"/v1/games/{game['game_id']}/bids"):
        await ana.ask("POST" if path.endswith("bids") else "GET", path, {"bid": 0} if path.endswith("bids") else None)


async def _keep_a_sheet(ana: Guest, beto: Guest) -> None:
    """Write every kind of entry, and sit down by the codes of a sheet and of a table."""
    rules = hands(("normal", "2", "1"), ("subastado", "2", "1"))
    body = {"players": ["A", "B", "C"], "first_dealer": 2, "house_rules": rules}
    path = f"/v1/score-keepers/{(await ana.ask('POST', '/v1/score-keepers', body)).json()['score_keeper_id']}"
    for what, entry in (
        *(("bids", {"seat": seat, "bid": 0}) for seat in range(3)),
        ("trump", {"suit": "oros"}),
        ("trump", {"turn_up": "oros-4"}),
        ("tricks", {"tricks": [2, 0, 0]}),
        ("auction", {"seat": 0, "bid": 1, "suit": "copas"}),
        ("penalties", {"seat": 1, "points": 5}),
        ("corrections", {}),
    ):
        assert (await ana.ask("POST", f"{path}/{what}", entry)).status_code == 200
    assert {entry["type"] for entry in (await ana.ask("GET", f"{path}/entries")).json()["items"]} == {
        *("bid", "trump", "tricks", "auction", "penalty", "correction")
    }
    table = f"/v1/games/{(await ana.create('clasica', 3, visibility='private'))['game_id']}"
    for of, kind in ((path, "score_keeper"), (table, "game")):
        code = (await ana.ask("POST", f"{of}/join-code")).json()["code"]
        assert (await beto.ask("POST", "/v1/joins", {"code": code})).json()["type"] == kind


async def _play(ana: Guest, beto: Guest, game_id: str) -> None:
    after = {ana: "", beto: ""}
    while after:
        for guest in list(after):
            turns = (await guest.ask("GET", f"/v1/me/turns?after={after[guest]}")).json()
            after[guest] = turns["next_after"]
            for item in turns["items"]:
                where, body = legal_moves(item)[0]
                await guest.ask("POST", f"/v1/games/{game_id}/{where}", {**body, "expected_version": item["version"]})
            if not turns["open_games"]:
                del after[guest]
