"""The contract as the tests read it: the file, its operations, its schemas."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, cast

import msgspec

Json = dict[str, Any]

PATH = Path(__file__).parents[2] / "api" / "openapi.yaml"
METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")
SCHEMAS = "#/components/schemas/"


class Operation(NamedTuple):
    """One method of one path."""

    method: str
    path: str
    what: Json
    shared_parameters: tuple[Json, ...]

    @property
    def id(self) -> str:
        """Return the operation's name."""
        return self.what["operationId"]


@cache
def contract() -> Json:
    """Return the document as it stands in the file."""
    return cast("Json", msgspec.yaml.decode(PATH.read_bytes()))


def schemas() -> dict[str, Json]:
    """Return the named schemas."""
    return contract()["components"]["schemas"]


def operations() -> list[Operation]:
    """Return all operations."""
    return [
        Operation(method, path, item[method], tuple(item.get("parameters", ())))
        for path, item in contract()["paths"].items()
        for method in METHODS
        if method in item
    ]


def resolved(node: Json) -> Json:
    """Return what `node` refers to, or itself."""
    while "$ref" in node:
        node = at(node["$ref"].removeprefix("#"))
    return node


def at(pointer: str) -> Json:
    """Return the part of the document at a JSON pointer."""
    node: Any = contract()
    for step in pointer.split("/")[1:]:
        name = step.replace("~1", "/").replace("~0", "~")
        # Some parts are lists, and those are told by their numbers.
        node = node[int(name) if type(node) is list else name]
    return node


def walk(node: Any, pointer: str = "") -> Iterator[tuple[str, Json]]:
    """Yield every object inside `node` with its JSON pointer, outermost first."""
    if isinstance(node, dict):
        whole = cast("Json", node)
        yield pointer, whole
        for name, value in whole.items():
            yield from walk(value, f"{pointer}/{name.replace('~', '~0').replace('/', '~1')}")
    elif isinstance(node, list):
        for index, value in enumerate(cast("list[Any]", node)):
            yield from walk(value, f"{pointer}/{index}")


def schema_nodes() -> Iterator[tuple[str, Json]]:
    """Yield every schema of the document with its JSON pointer: named ones, their parts, those of parameters, headers and bodies."""
    for pointer, node in walk(contract()):
        if pointer.startswith("/components/schemas/"):
            parts = pointer.split("/")[4:]
            if not parts or _names_a_schema(parts):
                yield pointer, node
        elif pointer.endswith("/schema"):
            yield pointer, node


def _names_a_schema(parts: list[str]) -> bool:
    """Tell whether a path inside a named schema ends at a schema, and not at, say, the map of its properties."""
    while parts:
        if parts[0] in {"properties", "oneOf"} and len(parts) > 1:
            parts = parts[2:]
        elif parts[0] in {"items", "additionalProperties", "propertyNames", "contentSchema"}:
            parts = parts[1:]
        else:
            return False
    return True


def reachable_from(names: set[str]) -> set[str]:
    """Return the named schemas that those of `names` are made of, themselves included."""
    found: set[str] = set()
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting.extend(referred_to(schemas()[name]))
    return found


def referred_to(node: Any) -> set[str]:
    """Return the names of the schemas that `node` refers to."""
    return {part["$ref"].removeprefix(SCHEMAS) for _, part in walk(node) if part.get("$ref", "").startswith(SCHEMAS)}


def request_schemas() -> set[str]:
    """Return the names of the schemas that requests are made of."""
    bodies = [operation.what["requestBody"] for operation in operations() if "requestBody" in operation.what]
    return reachable_from(referred_to(bodies))
