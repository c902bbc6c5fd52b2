"""A well-formed request of every operation of the contract: whoever adds an operation adds it here."""

from collections.abc import Sequence
from typing import NamedTuple

from tests.contract.document import Json, Operation, operations

_WITHOUT: Json = {}
_NO_SHEET = "01a22b65-9f82-74a4-86b2-99ff9c4cab8e"
# By operation: the body, where there is one. What it asks for fits some table, so that only who asks stands against it.
BODIES: dict[str, Json | None] = {
    "createPlayer": {"display_name": "Ana"},
    "renewToken": None,
    "getMe": None,
    "updateMe": {"display_name": "Ana"},
    "deleteMe": None,
    "deletePlayer": None,
    "exportMe": None,
    "listMyGames": None,
    "listRulesets": None,
    "getRuleset": None,
    "validateRuleset": {"ruleset": "clasica"},
    "createGame": {"players": 4},
    "listGames": None,
    "getGame": None,
    "abandonGame": None,
    "joinGame": _WITHOUT,
    "leaveGame": None,
    "seatRobot": {"level": "easy"},
    "chooseAutoPlay": {"auto_play": "forced"},
    "sendReaction": {"reaction": "hello"},
    "pickBlind": {"position": 0},
    "makeAuctionBid": {"bid": 1},
    "passAuction": _WITHOUT,
    "chooseTrump": {"suit": "oros"},
    "makeBid": {"bid": 1},
    "playCard": {"card": "oros-1"},
    "claimRenuncio": {"seat": 0, "trick": 1},
    "makeRobotMove": _WITHOUT,
    "createCommitment": None,
    "createStreamTicket": _WITHOUT,
    "streamMyGames": None,
    "requestRematch": _WITHOUT,
    "listMyTurns": None,
    "listEvents": None,
    "streamGame": None,
    "getScoreSheet": None,
    "getScoreSheetAsCsv": None,
    "getScoreSheetAsHtml": None,
    "createScoreSheetLinks": None,
    "createKeptSheetLinks": None,
    "openScoreSheetAsHtml": None,
    "openScoreSheetAsCsv": None,
    "getGameRuleset": None,
    "getFairness": None,
    "getRecord": None,
    "getGlossary": None,
    "getPlayerStats": None,
    "getLeaderboard": None,
    "requestMatch": {"players": 4},
    "getMatch": None,
    "cancelMatch": None,
    "createScoreKeeper": {"players": ["Ana", "Beto", "Carmen"]},
    "listScoreKeepers": None,
    "getScoreKeeper": None,
    "deleteScoreKeeper": None,
    "getScoreKeeperCode": None,
    "writeBid": {"seat": 1, "bid": 0},
    "writeAuction": {"seat": 1, "bid": 1, "suit": "oros"},
    "writeTrump": {"suit": "oros"},
    "writeTricks": {"tricks": [1, 0, 0]},
    "writePenalty": {"seat": 1, "points": 1},
    "correctEntries": _WITHOUT,
    "listEntries": None,
    "getKeptSheet": None,
    "getKeptSheetAsCsv": None,
    "getKeptSheetAsHtml": None,
    "getGameCode": None,
    "joinByCode": {"code": "CDFGHJ"},
    "createWebhook": {"url": "https://shop.example/", "events": ["game.started"]},
    "listWebhooks": None,
    "getWebhook": None,
    "updateWebhook": {"events": ["game.started"]},
    "deleteWebhook": None,
    "rotateWebhookSecret": None,
    "testWebhook": None,
    "listWebhookDeliveries": None,
    "redeliverWebhook": None,
    "getHealth": None,
    "getReadiness": None,
    "getMetrics": None,
    "getContract": None,
    "getDocs": None,
}


class Asked(NamedTuple):
    """A request; `path` may have `{game_id}` in it."""

    operation: str
    method: str
    path: str
    body: Json | None
    headers: dict[str, str]

    def of(self, game_id: str) -> str:
        """Return the path for a game."""
        return self.path.replace("{game_id}", game_id)


def of_every_operation() -> Sequence[Asked]:
    """Return a request of each operation, and further ones of those that can be asked in several ways; last what ends the caller."""
    ordered = sorted(operations(), key=lambda operation: operation.id == "deleteMe")
    return [asked for operation in ordered for asked in _ways(operation)]


def at_a_table() -> Sequence[Asked]:
    """Return the requests that are about one game."""
    return [asked for asked in of_every_operation() if "{game_id}" in asked.path]


def _ways(operation: Operation) -> Sequence[Asked]:
    body = BODIES[operation.id]
    path = (
        operation.path.replace("{seat}", "1")
        .replace("{ruleset_id}", "clasica")
        .replace("{score_keeper_id}", _NO_SHEET)
        .replace("{match_id}", _NO_SHEET)
        .replace("{webhook_id}", _NO_SHEET)
        .replace("{delivery_id}", _NO_SHEET)
        .replace("{player_id}", _NO_SHEET)
        .replace("{link}", "x")
    )
    plain = Asked(operation.id, operation.method.upper(), path, body, {})
    ways = [plain]
    if operation.method != "get":
        ways.append(plain._replace(headers={"Idempotency-Key": "the same for all"}))
    if body is not None and operation.id in _MOVES:
        ways.append(plain._replace(body={**body, "expected_version": 999}))
    ways.extend(plain._replace(**more) for more in _FURTHER.get(operation.id, []))
    if operation.id == "getGame":
        ways.append(plain._replace(path=f"{path}?after_version=0&wait=0"))
        ways.append(plain._replace(headers={"If-None-Match": "*"}))
    if operation.id == "listEvents":
        ways.append(plain._replace(path=f"{path}?after=1"))
    if operation.id == "streamGame":
        ways.append(plain._replace(headers={"Last-Event-ID": "1"}))
    return ways


_MOVES = {
    *("pickBlind", "makeAuctionBid", "passAuction", "chooseTrump", "makeBid", "playCard", "claimRenuncio"),
}
_FURTHER: dict[str, list[Json]] = {
    "joinGame": [{"body": {"seat": 1}}, {"body": {"invite_code": "x" * 16}}],
    "getScoreSheet": [{"headers": {"Accept": "text/html"}}, {"headers": {"Accept": "text/csv"}}],
}
