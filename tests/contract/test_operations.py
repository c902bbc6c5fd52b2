"""Every operation by itself keeps what the contract promises, whatever it is sent: well-formed, at the bounds, and malformed.

Schemathesis draws the requests. The test puts ids of real tables into them, each a copy of a template made for that one request.
"""

import asyncio
import zlib
from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple, cast
from uuid import UUID, uuid4

from hypothesis import HealthCheck, settings
from schemathesis import Response
from schemathesis.generation.meta import CoveragePhaseData, CoverageScenario

from domain.pocha.rules.presets import PRESETS
from service.adapters.memory.store import MemoryStore
from service.application import ids
from service.application.ports import Commit, Listing, ListingQuery, NewCommit
from tests.contract.document import Json, at
from tests.contract.running import Case, Client, RepeatableShuffler, checks, promise_of, service, statuses_of

UNHURRIED = (HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large)
LOG = MemoryStore()
PROMISE = promise_of(service(LOG, RepeatableShuffler()))
CHECKS: Any = PROMISE.config.checks_config_for()
# What the rules refuse is well-formed all the same: no schema can tell.
CHECKS.positive_data_acceptance.expected_statuses = ["2xx", "304", "403", "404", "409", "422"]
# What is malformed is never judged by the rules. (A malformed id of a ruleset names none, and a wrong token comes first.)
CHECKS.negative_data_rejection.expected_statuses = ["400", "401", "404", "405", "415"]
CLIENT = Client(PROMISE)
HOST: str = CLIENT.ask("createPlayer", body={"display_name": "Ana"}).json()["token"]
GUEST: str = CLIENT.ask("createPlayer", body={"display_name": "Beto"}).json()["token"]


class Template(NamedTuple):
    """A table to be copied."""

    commits: Sequence[Commit]
    listing: Listing


MOST_TABLES = 50
NAME_A_RULESET = {"POST /v1/games", "POST /v1/rulesets/validate", "POST /v1/score-keepers", "POST /v1/matches"}
STREAM = "GET /v1/games/{game_id}/stream"
SHEETS = "POST /v1/score-keepers"
TURNS = "GET /v1/me/turns"
LONGEST_WAIT = 30
USUAL_KEY: str = at("/components/parameters/IdempotencyKey")["example"]


@cache
def templates() -> dict[str, Template]:
    """Return tables at every moment of a game; HOST sits at all of them but two, and is on turn where the game has begun."""
    ascending: Json = {"auction": {"protocol": "ascending-once", "winner_second_bid": "locked"}}
    blind_pick: Json = {"trump": {"when_all_dealt": "dealer-blind-pick"}}
    finished = _template(HOST, robots=2, moves=39)
    return {
        "robot": _template(HOST),
        "seats": _template(GUEST),
        "private": _template(GUEST, visibility="private"),
        "bids": _template(HOST, robots=2),
        "plays": _template(HOST, robots=2, moves=5),
        "record": finished,
        "rematch": finished,
        "stream": finished,
        "bids of an india": _special("bid", _hands("india", "1")),
        "auction-bids": _special("auction_bid", _hands("subastado", "2")),
        "auction-passes": _special("auction_bid", {**_hands("subastado", "3"), **ascending}, may_pass=True),
        "trump": _special("choose_trump", _hands("subastado", "2")),
        "blind-pick": _special("blind_pick", {**_hands("normal", "max"), **blind_pick}),
        "renuncio-claims": _special("play", {**_hands("normal", "3"), "renuncio": {"mode": "penalised"}}),
    }


def _hands(kind: str, cards: str) -> Json:
    return {"schedule": {"blocks": [{"kind": kind, "first": cards, "last": cards, "times": "2"}]}}


def _template(host: str, *, robots: int = 1, moves: int = 0, visibility: str = "public") -> Template:
    body = {"ruleset": "ludoteka-express-3", "players": 3, "robots": [{"level": "easy"}] * robots}
    game_id = _made(host, {**body, "visibility": visibility})
    for _ in range(moves):
        _move(game_id)
    return asyncio.run(_as_logged(UUID(game_id), visibility))


def _special(action: str, house_rules: Json, *, may_pass: bool = False) -> Template:
    """Return a table where HOST has to do `action` in a special hand; who deals and who wins the auction is luck."""
    for _ in range(MOST_TABLES):
        game_id = _made(HOST, {"players": 3, "robots": [{"level": "easy"}] * 2, "house_rules": house_rules})
        for _ in range(3):
            turn = _turn(game_id)
            if turn["action"] == action and turn.get("may_pass", False) == may_pass:
                return asyncio.run(_as_logged(UUID(game_id), "public"))
            _move(game_id)
    raise AssertionError(f"nobody had to {action} at {MOST_TABLES} tables")


def _made(host: str, body: Json) -> str:
    return CLIENT.ask("createGame", host, body=body).json()["game_id"]


def _turn(game_id: str) -> Json:
    return CLIENT.ask("getGame", HOST, game_id=game_id).json()["turn"]


def _move(game_id: str) -> None:
    """Make a move for HOST, who wants the auction."""
    turn = _turn(game_id)
    match turn["action"]:
        case "bid":
            CLIENT.ask("makeBid", HOST, body={"bid": turn["legal_bids"][0]}, game_id=game_id)
        case "play":
            CLIENT.ask("playCard", HOST, body={"card": turn["legal_cards"][0]}, game_id=game_id)
        case "auction_bid":
            CLIENT.ask("makeAuctionBid", HOST, body={"bid": turn["legal_bids"][-1]}, game_id=game_id)
        case "choose_trump":
            CLIENT.ask("chooseTrump", HOST, body={"suit": turn["legal_suits"][0]}, game_id=game_id)
        case _:
            CLIENT.ask("pickBlind", HOST, body={"position": turn["positions"][0]}, game_id=game_id)


async def _as_logged(game_id: UUID, visibility: str) -> Template:
    rows = await LOG.listed(ListingQuery(visibility=visibility, limit=100))
    listing = next(row.listing for row in rows if row.game_id == game_id)
    return Template(await LOG.read(game_id), listing)


async def _copy(template: Template) -> str:
    game_id = ids.new_game_id()
    for commit in template.commits:
        await LOG.append(
            NewCommit(
                game_id=game_id,
                expected=commit.version - 1,
                command_id=uuid4(),
                fingerprint=commit.fingerprint,
                recorded_at=commit.recorded_at,
                events=commit.events,
                listing=template.listing,
            )
        )
    return str(game_id)


@PROMISE.auth()
class Bearer:
    """HOST's token is in every request, but for those that schemathesis sends without or with a wrong one."""

    def get(self, case: Case, ctx: Any) -> str:  # noqa: ARG002 - what schemathesis calls
        """Return the token."""
        return HOST

    def set(self, case: Case, data: str, ctx: Any) -> None:  # noqa: ARG002 - what schemathesis calls
        """Put it into the request."""
        case.headers["Authorization"] = f"Bearer {data}"


# The stream of all of a player's games has no end (tests/rest/test_player_stream.py), and who is deleted can ask nothing more
# (tests/rest/test_deletion.py).
@PROMISE.exclude(operation_id=["streamMyGames", "deleteMe"]).parametrize()
@settings(max_examples=20, deadline=None, database=None, derandomize=True, suppress_health_check=UNHURRIED)
def test_an_operation_keeps_its_promise(case: Case):
    _bring_to_a_real_table(case)
    response = case.call()
    case.validate_response(response, excluded_checks=_beside_the_point(case))
    assert response.status_code < 500
    _require_listed(case, response)


def _bring_to_a_real_table(case: Case) -> None:
    """Random ids name no game, and random names no ruleset: put real ones in the place of those that are well-formed."""
    headers = {name: value for name, value in case.headers.items() if name != "Authorization"}
    drawn = zlib.crc32(repr((case.path_parameters, case.query, headers, case.body)).encode(errors="replace"))
    template = _table_for(case, drawn)
    ruleset = sorted(PRESETS)[drawn % len(PRESETS)]
    if _is_uuid(case.path_parameters.get("score_keeper_id")) and drawn % 5:
        case.path_parameters["score_keeper_id"] = _new_sheet(drawn)
    if _is_uuid(case.path_parameters.get("game_id")):
        case.path_parameters["game_id"] = asyncio.run(_copy(template))
    if case.path_parameters.get("ruleset_id", "").isalnum() and drawn % 2:
        case.path_parameters["ruleset_id"] = ruleset
    if isinstance(case.body, dict):
        sent = cast("Json", case.body)
        body = {name: _whole(value) for name, value in sent.items()}
        if case.operation.label in NAME_A_RULESET and isinstance(body.get("ruleset"), str):
            body["ruleset"] = ruleset
        if _is_version(body.get("expected_version")) and drawn % 3:
            body["expected_version"] = len(template.commits)
        case.body = body
    if _is_short_enough(case.query.get("wait")):
        # Nothing will happen while it waits.
        case.query["wait"] = 0
    if case.headers.get("Idempotency-Key") == USUAL_KEY and drawn % 4:
        case.headers["Idempotency-Key"] = str(uuid4())


def _new_sheet(drawn: int) -> str:
    """Return the id of a score sheet of HOST, where bids, an auction or tricks are to be written."""
    kind = ("normal", "subastado", "normal")[drawn % 3]
    body: Json = {"players": ["Ana", "Beto", "Carmen"], "house_rules": _hands(kind, "2")}
    sheet: Json = CLIENT.ask("createScoreKeeper", HOST, body=body).json()
    sheet_id: str = sheet["score_keeper_id"]
    for seat in (1, 2, 0) if drawn % 3 == 2 else ():
        CLIENT.ask("writeBid", HOST, body={"seat": seat, "bid": 1}, score_keeper_id=sheet_id)
    return sheet_id


def _is_short_enough(wait: object) -> bool:
    return str(wait).isdecimal() and int(str(wait)) <= LONGEST_WAIT


def _table_for(case: Case, drawn: int) -> Template:
    """Every other request comes at its moment: to the table that bears the name of the path's last part, if there is one."""
    tables = templates()
    if case.operation.label == STREAM:  # it ends by itself only where the game is over
        return tables["stream"]
    at_its_moment = case.operation.label.rpartition("/")[2] if drawn % 2 else ""
    return tables.get(at_its_moment) or [*tables.values()][drawn // 2 % len(tables)]


def _is_uuid(value: object) -> bool:
    try:
        return isinstance(value, str) and str(UUID(value)) == value
    except ValueError:
        return False


def _is_version(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 < value < 2**31


def _whole(value: object) -> object:
    """JSON Schema takes 5.0 for an integer; the contract says in words that it is none."""
    if isinstance(value, dict):
        return {name: _whole(part) for name, part in cast("Json", value).items()}
    if isinstance(value, list):
        return [_whole(part) for part in cast("list[object]", value)]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _beside_the_point(case: Case) -> list[Any]:
    """What the contract says in words.

    A cursor that only looks like one is refused, and so are what only apps may say, and a name that is invisible or
    too long.
    """
    query = set(case.query)
    body: Any = case.body
    names_a_player = isinstance(body, dict) and ("display_name" in body or case.operation.label == SHEETS)
    is_cursor = "cursor" in query or ("after" in query and case.operation.label == TURNS)
    refused = is_cursor or names_a_player
    return [checks.positive_data_acceptance] if refused else []


def _require_listed(case: Case, response: Response) -> None:
    """Require a status that the operation lists; where there is no operation, require that the service says so."""
    what: object = case.meta.phase.data if case.meta else None
    other_method = isinstance(what, CoveragePhaseData) and what.scenario is CoverageScenario.UNSPECIFIED_HTTP_METHOD
    elsewhere = {"404"} if case.path_parameters else set[str]()
    expected = {"204", "405"} | elsewhere if other_method else statuses_of(case) | elsewhere
    assert str(response.status_code) in expected, f"{response.status_code} is not listed"
