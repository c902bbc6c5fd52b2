"""The contract is a valid OpenAPI document, and keeps the conventions of this house."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any, cast

import httpx
import msgspec
import pytest
from jsonschema import Draft202012Validator, FormatChecker
from openapi_spec_validator import OpenAPIV31SpecValidator
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

from domain.pocha.model.refusals import Facts, Reason
from domain.pocha.model.state import Phase
from service.adapters.clock import SystemClock
from service.adapters.memory.store import MemoryStore
from service.application.shuffle import SeededShuffler
from service.bootstrap.service import create_app
from service.rest.docs import catalog
from service.rest.errors import ErrorCode
from service.rest.i18n import Language, messages_in
from tests.contract.document import (
    PATH,
    SCHEMAS,
    Json,
    Operation,
    at,
    contract,
    operations,
    referred_to,
    request_schemas,
    resolved,
    schema_nodes,
    schemas,
    walk,
)

OPERATIONS = pytest.mark.parametrize("operation", operations(), ids=lambda operation: operation.id)
PROBLEM = "application/problem+json"
# A rematch is made by the first who asks, and joined by the others; a stream has nothing to say when the game is over.
SEVERAL_SUCCESSES = {"requestRematch": {"200", "201"}, "streamGame": {"200", "204"}}
# Nothing is kept of tokens, and whoever asks again for a rematch, a code or a place gets the same anyway.
REPEATED_WITHOUT_A_KEY = {
    *(
        "createPlayer",
        "renewToken",
        "updateMe",
        "deleteMe",
        "deletePlayer",
        "createStreamTicket",
        "createCommitment",
        "validateRuleset",
        "requestRematch",
        "createScoreSheetLinks",
        "createKeptSheetLinks",
    ),
    *("updateWebhook", "deleteWebhook", "testWebhook", "redeliverWebhook"),
    *("deleteScoreKeeper", "getScoreKeeperCode", "getGameCode", "cancelMatch", "joinByCode"),
}
PROBES = {"/healthz", "/readyz", "/metrics"}
# No command comes to a game that is not there, or deals by itself; over is a code of its own.
NEVER_THE_WRONG_PHASE = {Phase.NOT_CREATED, Phase.DEALING, Phase.FINISHED, Phase.ABANDONED}


def test_it_is_a_valid_openapi_document():
    assert [str(error) for error in OpenAPIV31SpecValidator(contract()).iter_errors()] == []


async def test_it_is_served_as_it_stands():
    app = create_app(MemoryStore(), SystemClock(), SeededShuffler(), b"a secret of the tests, 32 bytes or more")
    # httpx and Litestar write the types of ASGI differently.
    transport = httpx.ASGITransport(cast("Any", app))
    async with httpx.AsyncClient(transport=transport, base_url="http://pocha") as client:
        served = (await client.get("/openapi.json")).json()
    assert [server["url"] for server in served["servers"]] == ["/"]
    assert {**served, "servers": contract()["servers"]} == contract()


def test_the_examples_fit_their_schemas():
    found = list(_examples())
    assert len(found) > 50
    assert {pointer: errors for pointer, schema, value in found if (errors := _misfits(schema, value))} == {}


def _examples() -> Iterator[tuple[str, str, Any]]:
    """Yield where an example is, where its schema is, and the example."""
    for pointer, node in walk(contract()):
        if pointer.startswith("/components/examples"):
            continue
        if "schema" in node:
            for name, example in node.get("examples", {}).items():
                yield f"{pointer}/examples/{name}", f"{pointer}/schema", resolved(example)["value"]
            if "example" in node:
                yield f"{pointer}/example", f"{pointer}/schema", node["example"]
    for pointer, schema in schema_nodes():
        for example in schema.get("examples", []):
            yield f"{pointer}/examples", pointer, example


def _misfits(schema_pointer: str, value: Any) -> list[str]:
    document: Resource[Any] = Resource(contents=contract(), specification=DRAFT202012)
    registry: Registry[Any] = Registry[Any]().with_resource("urn:contract", document)
    validator = Draft202012Validator(
        {"$ref": f"urn:contract#{schema_pointer.replace('{', '%7B').replace('}', '%7D')}"},
        registry=registry,
        format_checker=FormatChecker(),
    )
    # jsonschema's stubs leave the instance's type open.
    return [error.message for error in validator.iter_errors(value)]  # pyright: ignore[reportUnknownMemberType]


def test_every_example_schema_parameter_header_and_response_is_used():
    used = Counter(node["$ref"] for _, node in walk(contract()) if "$ref" in node)
    defined = {
        f"#/components/{kind}/{name}"
        for kind in ("examples", "schemas", "parameters", "headers", "responses")
        for name in contract()["components"][kind]
    }
    assert defined == set(used)


def test_operation_ids_are_unique_and_in_camel_case():
    ids = [operation.id for operation in operations()]
    assert len(ids) == len(set(ids))
    assert [name for name in ids if not re.fullmatch(r"[a-z]+([A-Z][a-z]+)*", name)] == []


@OPERATIONS
def test_an_operation_says_what_it_is_for(operation: Operation):
    assert operation.what["summary"]
    assert operation.what["description"]
    assert operation.what["tags"]


def test_every_tag_is_described_and_used():
    described = {tag["name"] for tag in contract()["tags"] if tag["description"]}
    of_operations = {tag for operation in operations() for tag in operation.what["tags"]}
    of_messages = {tag for each in contract()["webhooks"].values() for tag in each["post"]["tags"]}
    assert described == of_operations | of_messages
    assert not of_operations & of_messages  # openapi-generator would write the one over the other


def test_a_message_says_its_types_to_openapi_generator():
    """For Python it writes `webhook_id: ,` otherwise, and the client cannot be imported."""
    for each in contract()["webhooks"].values():
        for argument in (*each["post"]["parameters"], each["post"]["requestBody"]):
            assert resolved(argument)["x-py-typing"]


@OPERATIONS
def test_an_operation_has_one_kind_of_success_and_problem_documents_for_all_errors(operation: Operation):
    responses = {status: resolved(response) for status, response in operation.what["responses"].items()}
    successes = {status for status in responses if status.startswith("2")}
    assert successes == SEVERAL_SUCCESSES[operation.id] if operation.id in SEVERAL_SUCCESSES else len(successes) == 1
    errors = {status: response for status, response in responses.items() if not status.startswith(("2", "3"))}
    assert "default" in errors
    for response in errors.values():
        assert response["content"][PROBLEM]["schema"] == {"$ref": f"{SCHEMAS}Problem"}
        assert set(response["content"]) == {PROBLEM}


@OPERATIONS
def test_an_operation_lists_the_errors_that_follow_from_its_form(operation: Operation):
    what, path = operation.what, operation.path
    expected = {"default"}
    if path not in {"/healthz", "/metrics"}:
        expected.add("503")
    if path.startswith("/v1/"):
        expected.add("400")
    if "requestBody" in what:
        expected |= {"413", "415"}
    if what.get("security") != []:
        expected.add("401")
    if "{" in path:
        expected.add("404")
    if _takes_a_key(operation):
        expected.add("422")
    assert expected <= set(what["responses"])
    assert ("429" in what["responses"]) == (path not in PROBES)


def _takes_a_key(operation: Operation) -> bool:
    return operation.method != "get" and operation.id not in REPEATED_WITHOUT_A_KEY


@OPERATIONS
def test_whatever_changes_something_may_be_given_a_key_and_tells_whether_it_was_done_before(operation: Operation):
    parameters = [resolved(parameter)["name"] for parameter in operation.what.get("parameters", [])]
    assert ("Idempotency-Key" in parameters) == (operation.method != "get")
    successes = [
        resolved(operation.what["responses"][status]) for status in operation.what["responses"] if status[0] == "2"
    ]
    for success in successes:
        assert ("Idempotency-Replayed" in success.get("headers", {})) == _takes_a_key(operation)


@OPERATIONS
def test_an_answer_that_says_wait_says_how_long_and_no_other_does(operation: Operation):
    for status, response in operation.what["responses"].items():
        assert ("Retry-After" in resolved(response).get("headers", {})) == (status in {"429", "503"})


@OPERATIONS
def test_every_answer_but_those_to_probes_may_tell_what_is_left_of_a_limit(operation: Operation):
    if operation.path not in PROBES:
        for response in operation.what["responses"].values():
            assert {"RateLimit", "RateLimit-Policy"} <= set(resolved(response).get("headers", {}))


def test_what_the_frames_of_a_stream_carry_fits_its_schema():
    for name in ("SnapshotFrame", "CommitFrame", "GameOverFrame", "EndedFrame"):
        frame: Json = at(f"/components/examples/{name}/value")
        data: Json = json.loads(frame["data"])
        assert _misfits(f"/components/schemas/{name}/properties/data/contentSchema", data) == []
        assert name == "EndedFrame" or int(frame["id"]) == data["version"]


def test_an_answer_closes_no_list_but_the_suits_and_the_cards():
    """A new level, status, reason or kind must not break a client that was generated today: values are listed, not closed."""
    closed = [
        pointer
        for pointer, schema in schema_nodes()
        if "enum" in schema and not _is_of_a_request(pointer) and pointer.split("/")[3] not in {"Suit", "Card"}
    ]
    assert [pointer for pointer in closed if not pointer.endswith("/not")] == []
    constant = [pointer for pointer, schema in schema_nodes() if "const" in schema and not _is_of_a_request(pointer)]
    tags = ("/properties/type", "/properties/action", "/properties/event")
    assert [pointer for pointer in constant if not pointer.endswith(tags) and "/headers/" not in pointer] == []


def _is_of_a_request(pointer: str) -> bool:
    _, place, kind, name, *_ = [*pointer.split("/"), "", "", ""]
    if (place, kind) == ("components", "schemas"):
        return name in request_schemas() or name in referred_to(_parameters())
    return "/parameters/" in pointer or "/requestBody/" in pointer


def _parameters() -> list[Any]:
    return [operation.what.get("parameters", []) for operation in operations()]


def test_a_request_lists_what_it_takes_and_has_no_defaults():
    """Where a member has a default, openapi-typescript makes it required."""
    for name in request_schemas() | referred_to(_parameters()):
        for pointer, schema in walk(schemas()[name], name):
            assert "x-extensible-enum" not in schema, pointer
            assert "default" not in schema, pointer


def test_the_listed_values_of_problems_are_those_of_the_service():
    assert schemas()["ProblemCode"]["x-extensible-enum"] == [code.code for code in ErrorCode]
    assert set(schemas()["Phase"]["x-extensible-enum"]) == set(Phase) - NEVER_THE_WRONG_PHASE


# A frame of a stream is read by itself, and one of an unknown event dropped.
UNIONS = [
    name
    for name, schema in schemas().items()
    if "oneOf" in schema and schema["discriminator"]["propertyName"] != "event"
]


@pytest.mark.parametrize("union", UNIONS)
def test_a_union_has_a_place_for_what_is_not_listed_and_it_comes_last(union: str):
    """Generated clients try one arm after the other; without such an arm an unknown event makes the whole answer unreadable."""
    schema = schemas()[union]
    tag = schema["discriminator"]["propertyName"]
    arms = [arm["$ref"] for arm in schema["oneOf"]]
    mapping: Json = schema["discriminator"]["mapping"]
    assert (arms[-1], [*mapping.values()]) == (mapping["unknown"], arms)
    known = {
        value
        for other in schemas().values()
        if arms[-1] in (among := other.get("discriminator", {}).get("mapping", {})).values()
        for value in among
    }
    assert set(resolved(schema["oneOf"][-1])["properties"][tag]["not"]["enum"]) == known - {"unknown"}


def test_no_two_members_of_closed_lists_have_one_name():
    """In Go the members of all lists are constants of one package."""
    members = Counter(
        member
        for schema in schemas().values()
        if schema.get("type") == "string"
        for member in schema.get("x-enum-varnames", [str(value).upper() for value in schema.get("enum", [])])
    )
    assert [name for name, count in members.items() if count > 1] == []
    for name, schema in schemas().items():
        assert len(schema.get("x-enum-varnames", [])) in {0, len(schema.get("enum", []))}, name


def test_no_list_is_of_lists():
    """openapi-python-client cannot read a list of lists of cards."""
    assert [pointer for pointer, schema in schema_nodes() if schema.get("items", {}).get("type") == "array"] == []


def test_only_what_is_needed_to_begin_is_open_to_strangers():
    strangers = {operation.id for operation in operations() if operation.what.get("security") == []}
    outside = {operation.id for operation in operations() if not operation.path.startswith("/v1/")}
    links = {"openScoreSheetAsHtml", "openScoreSheetAsCsv"}
    to_begin = {"createPlayer", "listRulesets", "getRuleset", "validateRuleset", "getGlossary"}
    assert strangers == outside | to_begin | links


def test_unauthenticated_says_what_to_do_in_its_headers():
    assert "WWW-Authenticate" in at("/components/responses/Unauthenticated/headers")


def test_every_problem_says_its_language():
    for name, response in contract()["components"]["responses"].items():
        if PROBLEM in response.get("content", {}):
            assert {"Content-Language", "Vary"} <= set(response["headers"]), name


def test_the_language_is_documented_once_and_is_an_argument_of_no_operation():
    parameters = [
        resolved(parameter)["name"]
        for operation in operations()
        for parameter in (*operation.shared_parameters, *operation.what.get("parameters", []))
    ]
    assert "Accept-Language" not in parameters
    assert "`Accept-Language`" in contract()["info"]["description"]


def test_the_server_of_the_file_is_one_that_can_be_called():
    assert [server["url"] for server in contract()["servers"]] == ["http://127.0.0.1:8000"]


def test_the_introduction_is_short_and_leads_to_the_guides():
    text: str = contract()["info"]["description"]
    assert len(text.splitlines()) <= 20
    for name in ("Authentication", "Errors", "Retries"):
        assert f"[{name}](/docs/{name.lower()})" in text


def test_links_lead_to_pages_of_the_documentation():
    text = PATH.read_text(encoding="utf-8")
    linked = {path for path, _ in re.findall(r"\]\(/([^)#]+)(#[^)]+)?\)", text)}
    assert linked <= {*catalog.pages(), *catalog.in_languages()}
    assert len(linked) > 5


def test_examples_of_problems_have_the_code_title_and_status_that_the_service_gives():
    known = {
        (f"/problems/{code.code}", messages_in(language).codes[code.code].title, code.status, code.code)
        for code in ErrorCode
        for language in Language
    }
    problems = _problems()
    assert {(value["type"], value["title"], value["status"], value["code"]) for value in problems} <= known
    assert len(problems) > 15


def test_examples_of_problems_say_what_the_service_says():
    unheard_of = [
        problem["detail"]
        for problem in _problems()
        if not any(problem["detail"] in _what_is_said(problem, language) for language in Language)
    ]
    assert unheard_of == []


def _problems() -> list[Json]:
    examples = [example["value"] for example in contract()["components"]["examples"].values()]
    return [value for value in examples if "title" in value and "detail" in value]


def _what_is_said(problem: Json, language: Language) -> set[str]:
    words = messages_in(language)
    if "reason" not in problem:
        return {words.codes[problem["code"]].detail, *words.details.values()}
    facts = msgspec.structs.asdict(msgspec.convert(problem, Facts))
    return {words.refusal(Reason(problem["reason"]), facts)}


def test_every_schema_and_every_property_is_described():
    assert [name for name, schema in schemas().items() if not schema.get("description")] == []
    properties = [
        f"{name}.{field}"
        for name, schema in schemas().items()
        for field, value in schema.get("properties", {}).items()
        if not value.get("description")
    ]
    assert properties == []


def test_parameters_headers_and_responses_are_described():
    wanting = [
        pointer
        for pointer, node in walk(contract())
        if re.search(r"/(parameters/\d+|headers/[^/]+|responses/[^/]+)$", pointer)
        and not resolved(node).get("description")
    ]
    assert wanting == []


def test_every_union_is_named_and_has_a_discriminator_with_a_complete_mapping():
    for pointer, node in walk(contract()):
        assert not {"anyOf", "allOf"} & set(node), pointer
        if "oneOf" in node:
            assert re.fullmatch(r"/components/schemas/[A-Za-z]+", pointer)
            members = [member["$ref"] for member in node["oneOf"]]
            mapping: dict[str, str] = node["discriminator"]["mapping"]
            assert sorted(mapping.values()) == sorted(members)
            for tag, reference in mapping.items() - {("unknown", members[-1])}:
                _require_tag(reference, node["discriminator"]["propertyName"], tag)


def _require_tag(reference: str, name: str, tag: str) -> None:
    member = at(reference.removeprefix("#"))
    assert next(iter(member["properties"])) == name
    assert name in member["required"]
    assert member["properties"][name]["type"] == "string"
    assert member["properties"][name]["const"] == tag


def test_unions_are_in_answers_only():
    assert [name for name in request_schemas() if "oneOf" in schemas()[name]] == []


def test_every_integer_is_bounded_and_no_larger_than_32_bits():
    for pointer, node in schema_nodes():
        if node.get("type") == "integer" and not {"enum", "x-extensible-enum"} & set(node):
            assert -(2**31) <= node["minimum"] <= node["maximum"] < 2**31, pointer


def test_objects_of_requests_refuse_unknown_members_and_those_of_answers_do_not():
    in_requests = request_schemas()
    for name, schema in schemas().items():
        # Maps say themselves what their members are called.
        if schema.get("type") == "object" and "propertyNames" not in schema:
            assert (schema.get("additionalProperties") is False) == (name in in_requests), name


def test_what_an_object_must_have_is_among_its_properties():
    for name, schema in schemas().items():
        if schema.get("type") == "object":
            assert set(schema.get("required", [])) <= set(schema.get("properties", {})), name


def test_every_array_says_of_what():
    assert [pointer for pointer, node in schema_nodes() if node.get("type") == "array" and "items" not in node] == []


def test_nothing_is_nullable():
    for pointer, node in schema_nodes():
        assert "nullable" not in node, pointer
        assert "$ref" in node or "oneOf" in node or isinstance(node.get("type"), str), pointer
        assert node.get("type") != "null", pointer
        assert None not in cast("list[Any]", node.get("enum", [])), pointer


def test_every_object_has_a_name():
    inline = [
        pointer
        for pointer, node in schema_nodes()
        if node.get("type") == "object" and not re.fullmatch(r"/components/schemas/[A-Za-z]+", pointer)
    ]
    assert inline == []


def test_bodies_and_answers_are_named_schemas():
    for pointer, node in walk(contract()):
        if re.search(r"/content/application~1(json|problem\+json)$", pointer):
            assert set(node["schema"]) == {"$ref"}, pointer


def test_names_are_in_snake_case_and_those_of_schemas_in_pascal_case():
    assert [name for name in schemas() if not re.fullmatch(r"([A-Z][a-z]+)+", name)] == []
    fields = {field for schema in schemas().values() for field in schema.get("properties", {})}
    assert [field for field in fields if not re.fullmatch(r"[a-z]+(_[a-z]+)*", field)] == []


def test_every_schema_can_be_reached_from_an_operation():
    start = referred_to([contract()["paths"], contract()["webhooks"], contract()["components"]["responses"]])
    reached: set[str] = set()
    while start:
        reached |= start
        start = referred_to([schemas()[name] for name in start]) - reached
    assert reached == set(schemas())


def test_every_pattern_means_the_same_to_python_and_to_javascript():
    """Anchored, and without what only one of them knows."""
    for pointer, node in schema_nodes():
        pattern: Json | str | None = node.get("pattern")
        if isinstance(pattern, str):
            assert pattern.startswith("^"), pointer
            assert not re.search(r"\\[AZzdw]|\(\?", pattern), pointer
