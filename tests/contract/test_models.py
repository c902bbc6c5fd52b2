"""The contract's schemas are those of the models that bodies are read with and answers are made of."""

import re
from typing import Any, cast

import msgspec
import pytest

from domain.pocha.view.schema import GameView
from service.application.record.facts import GameFairness, GameRecord
from service.application.webhooks import messages
from service.rest.schemas import (
    exports,
    matches,
    problems,
    requests,
    responses,
    score_keepers,
    score_sheet,
    statistics,
    webhooks,
)
from tests.contract.document import Json, request_schemas, schemas, walk

MODELS = (
    requests.NewPlayer,
    requests.NameChange,
    requests.NewGame,
    requests.RobotSpec,
    requests.JoinRequest,
    requests.RematchRequest,
    requests.BidRequest,
    requests.PlayRequest,
    requests.RulesetRequest,
    requests.PassRequest,
    requests.TrumpRequest,
    requests.BlindPickRequest,
    requests.ClaimRequest,
    requests.RobotMoveRequest,
    requests.AutoPlayRequest,
    requests.ReactionRequest,
    responses.SeatReaction,
    requests.TicketRequest,
    responses.Guest,
    responses.RulesetList,
    responses.GameList,
    GameView,
    responses.Me,
    responses.SeedCommitment,
    responses.StreamTicket,
    responses.MyGameList,
    responses.MoveResult,
    responses.EventPage,
    responses.StreamedCommit,
    responses.StreamEnd,
    responses.TurnList,
    score_sheet.ScoreSheet,
    score_sheet.ScoreSheetLinks,
    responses.GameRuleset,
    GameFairness,
    GameRecord,
    responses.Glossary,
    statistics.PlayerStats,
    statistics.Leaderboard,
    matches.NewMatch,
    matches.Match,
    score_keepers.NewScoreKeeper,
    score_keepers.SheetBidRequest,
    score_keepers.SheetAuctionRequest,
    score_keepers.SheetTrumpRequest,
    score_keepers.SheetTricksRequest,
    score_keepers.SheetPenaltyRequest,
    score_keepers.CorrectionRequest,
    score_keepers.JoinByCodeRequest,
    score_keepers.ScoreKeeperList,
    score_keepers.ScoreKeeperEntryList,
    score_keepers.KeptScoreSheet,
    score_keepers.JoinCode,
    *(score_keepers.JoinedGame, score_keepers.JoinedScoreKeeper),
    webhooks.NewWebhook,
    webhooks.WebhookChange,
    webhooks.CreatedWebhook,
    webhooks.WebhookSecret,
    webhooks.WebhookList,
    webhooks.WebhookDeliveryList,
    webhooks.WebhookTestResult,
    messages.GameStartedMessage,
    messages.TurnStartedMessage,
    messages.TurnExpiringMessage,
    messages.GameFinishedMessage,
    messages.GameAbandonedMessage,
    messages.PlayerRemovedMessage,
    messages.WebhookTestMessage,
    exports.MyExport,
    problems.Problem,
    responses.Health,
)

# What the document names, and the models write out where it is used.
WRITTEN_OUT = (
    *("GameEvent", "TurnView", "OwnTurn", "SheetNext", "ScoreKeeperEntry", "Joined"),
    *("SuitFactors", "CardFactors", "HouseRules"),
)
# Their values are in lists of the service; see the tests of the document.
TEXTS = ("ProblemCode", "Phase")
# What a client of today reads where a later service says something new; this one never sends it.
FALLBACKS = ("UnknownEvent", "UnknownTurn", "UnknownNext", "UnknownEntry", "UnknownJoined")
# What /openapi.json answers with, and the frames of a stream, which are no JSON but for their data.
WITHOUT_MODEL = (
    *("OpenApiDocument", "OpenApiPart"),
    *("StreamFrame", "SnapshotFrame", "CommitFrame", "GameOverFrame", "ReactionFrame"),
    *("MyStreamFrame", "GamesFrame", "TurnFrame", "StartedFrame", "EndedFrame", "RematchFrame"),
    *FALLBACKS,
)
# One model is closed in requests and open in answers: it has two schemas.
OF_REQUESTS = re.compile(r"(?<=[a-z])(Choice|Spec)$")
HAVE_THEIR_OWN_MODEL = ("RobotSpec", "TimeoutSpec")

_SAID_ELSEWHERE = ("title", "description", "examples")


def of_the_models() -> dict[str, Json]:
    """Return the models' schemas in the normal form, each under the names that it has in the document."""
    _, components = msgspec.json.schema_components(MODELS, ref_template="#/components/schemas/{name}")
    closed = request_schemas()
    return {
        name: _normal(_as_sent(schema, name in closed))
        for model, schema in components.items()
        for name in _names(model)
    }


def _names(model: str) -> list[str]:
    return [name for name in schemas() if _model(name) == model] or [model]


def _model(schema: str) -> str:
    return schema if schema in HAVE_THEIR_OWN_MODEL else OF_REQUESTS.sub("", schema)


def of_the_contract() -> dict[str, Json]:
    """Return the contract's schemas in the normal form."""
    return {
        name: _normal(schema)
        for name, schema in schemas().items()
        if name not in (*WRITTEN_OUT, *WITHOUT_MODEL, *TEXTS)
    }


def _as_sent(schema: Json, is_request: bool) -> Json:
    """The document has no defaults; answers hold every member that has one, and may grow."""
    if schema.get("type") != "object":
        return schema
    if is_request:
        return _without_defaults(schema)
    fields: dict[str, Json] = schema["properties"]
    always = [field for field, value in fields.items() if "default" in value]
    required: list[str] = [*schema["required"], *always]
    return {**_without_defaults(schema), "required": required, "additionalProperties": True}


def _without_defaults(schema: Json) -> Json:
    fields: dict[str, Json] = schema.get("properties", {})
    plain = {name: {key: part for key, part in value.items() if key != "default"} for name, value in fields.items()}
    return {**schema, "properties": plain}


def _normal(node: Any) -> Any:
    if isinstance(node, list | tuple):
        return [_normal(part) for part in cast("list[Any]", node)]
    if not isinstance(node, dict):
        return node
    schema = cast("Json", node)
    name = schema.get("$ref", "").rpartition("/")[2]
    if name in WRITTEN_OUT:
        return _normal(schemas()[name])
    if name in TEXTS:
        return {"type": "string"}
    if name:
        return {"$ref": _model(name)}
    parts = {key: _normal(value) for key, value in schema.items() if key not in _SAID_ELSEWHERE}
    return _with_one_spelling(parts)


def _with_one_spelling(schema: Json) -> Json:
    """Of the ways to say the same, keep one."""
    if "anyOf" in schema:
        schema["oneOf"] = schema.pop("anyOf")
    if "oneOf" in schema:
        schema["oneOf"] = [part for part in schema["oneOf"] if part.get("$ref") not in FALLBACKS]
    if "mapping" in schema:
        schema["mapping"] = {
            tag: _model(name.rpartition("/")[2]) for tag, name in schema["mapping"].items() if tag != "unknown"
        }
    schema.pop("x-enum-varnames", None)
    if "x-extensible-enum" in schema:
        schema["enum"] = schema.pop("x-extensible-enum")
    if "const" in schema and not isinstance(schema["const"], dict):
        schema["enum"] = [schema.pop("const")]
    if isinstance(schema.get("enum"), list):
        schema["enum"] = sorted(schema["enum"], key=str)
        schema.pop("type", None)
        if isinstance(schema["enum"][0], bool):  # generators stumble over constants that are no strings
            del schema["enum"]
            schema["type"] = "boolean"
    if isinstance(schema.get("pattern"), str):
        schema["pattern"] = schema["pattern"].replace(r"\Z", "$")
    if isinstance(schema.get("propertyNames"), dict):  # names are strings
        schema["propertyNames"].pop("type", None)
    if isinstance(schema.get("required"), list):
        schema["required"] = sorted(schema["required"])
    # An empty list of members, and leave to have others, say nothing.
    if schema.get("required") == []:
        del schema["required"]
    if schema.get("additionalProperties") is True:
        del schema["additionalProperties"]
    if schema.get("properties") == {}:
        del schema["properties"]
    return schema


def test_the_contract_names_the_models_and_no_others():
    assert set(of_the_contract()) == set(of_the_models())


@pytest.mark.parametrize("name", sorted(of_the_contract()))
def test_a_schema_is_that_of_its_model(name: str):
    assert of_the_contract()[name] == of_the_models()[name]


def test_a_pattern_of_a_request_ends_where_the_text_ends():
    """To Python `$` lets a line feed at the end pass, to others it does not; `\\Z` is what the contract means."""
    _, components = msgspec.json.schema_components(MODELS, ref_template="#/components/schemas/{name}")
    patterns = [
        (pointer, node["pattern"])
        for name in request_schemas()
        for pointer, node in walk(components.get(_model(name), {}), name)
        if isinstance(node.get("pattern"), str)
    ]
    assert len(patterns) > 7
    assert [place for place, pattern in patterns if not pattern.endswith(r"\Z")] == []


def test_what_only_the_document_names_is_used():
    assert set(WRITTEN_OUT + WITHOUT_MODEL) <= set(schemas())
