"""Generates what of the client follows from other files: `models.py` from the contract, and the blocking client from the async one.

Run it after a change of either; `tests/clients` fails until it was.
"""

import re
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import yaml

HERE = Path(__file__).parent
SOURCE = HERE / "src" / "pocha_client"
CONTRACT = HERE.parents[1] / "api" / "openapi.yaml"

# The answers that the client reads; what they are made of follows.
ROOTS = (
    *(
        "Guest",
        "Me",
        "GameView",
        "MoveResult",
        "TurnList",
        "MyGameList",
        "GameList",
        "EventPage",
        "ScoreSheet",
        "GameRuleset",
    ),
    *(
        "RulesetList",
        "GameRecord",
        "GameFairness",
        "SeedCommitment",
        "StreamTicket",
        "StreamedCommit",
        "StreamEnd",
        "Problem",
        "Glossary",
    ),
    *(
        "RulesetView",
        "JoinCode",
        "Joined",
        "SeatReaction",
        "Match",
        "PlayerStats",
        "Leaderboard",
        "MyExport",
    ),
)
HEAD = '''"""The answers of the service. Generated from api/openapi.yaml by generate.py: do not edit.

Values of enumerations are text, so that newer ones are read too. A member that may be absent is None.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import msgspec

'''
# Of each union what it is called here.
UNIONS = {
    "TurnView": "Turn",
    "OwnTurn": "Turn",
    "GameEvent": "Event",
    "SheetNext": "Next",
    "ScoreKeeperEntry": "Entry",
    "Joined": "Joined",
}
DESCRIBED = {
    "Turn": ("Whose turn it is, and what they have to do.", "A turn whose action is newer than this client."),
    "Event": ("Something that happened in a game.", "An event that is newer than this client."),
    "Next": ("What is to be written next on a score sheet.", "An action that is newer than this client."),
    "Entry": ("An entry of a score sheet.", "An entry that is newer than this client."),
    "Joined": ("What was joined by a code.", "Something that is newer than this client."),
}
BASES = '''class Any{name}:
    """{described}"""

    __slots__ = ()


class Unknown{name}(msgspec.Struct, Any{name}, frozen=True):
    """{unknown}"""

    data: Mapping[str, Any]
'''
UNION = '''class Union(msgspec.Struct, frozen=True):
    """How an answer that may be of several kinds is read: by its member `tag`, or as `unknown` where that is newer than this client."""

    tag: str
    kinds: Mapping[str, type[Any]]
    unknown: type[Any]
'''
PLAIN = {"string": "str", "integer": "int", "boolean": "bool", "number": "float"}

# Of the async client, to the blocking one.
TO_BLOCKING = (
    (r"\basync (def|with|for) ", r"\1 "),
    (r"\bawait ", ""),
    (r"\bAsync(Pocha|Turn|Iterator|Generator)\b", r"\1"),
    (r"httpx\.Async(Client|BaseTransport)", r"httpx.\1"),
    (r"__a(enter|exit|iter|next)__", r"__\1__"),
    (r"\baclose\b", "close"),
    (r"\baread\b", "read"),
    (r"\baiter_(\w+)", r"iter_\1"),
    (r"asyncio\.sleep", "time.sleep"),
    (r"\bimport asyncio\b", "import time"),
    (r"Awaitable\[(\w+)\]", r"\1"),
    (r"async client", "blocking client"),
    (r'"""The (\w+), async\.', r'"""The \1, blocking. Generated from aio.py by generate.py: do not edit.'),
)


def models(contract: dict[str, Any]) -> str:
    """Return the module of the answers."""
    schemas: dict[str, Any] = contract["components"]["schemas"]
    structs: dict[str, str] = {}
    unions: dict[str, dict[str, str]] = {}
    tags: dict[str, str] = {}
    seen: set[str] = set()

    def visit(name: str) -> None:
        schema = schemas[name]
        if name in seen or (name not in UNIONS and schema.get("type") != "object"):
            return
        seen.add(name)
        if name in UNIONS:
            mapping = {value: ref.rpartition("/")[2] for value, ref in schema["discriminator"]["mapping"].items()}
            mapping.pop("unknown", None)  # kept whole, as UnknownTurn and the like
            unions.setdefault(UNIONS[name], {}).update(mapping)
            tags[UNIONS[name]] = schema["discriminator"]["propertyName"]
            used = list(mapping.values())
        else:
            used = list(_refs(schema))
        for each in used:
            visit(each)
        if name not in UNIONS:
            structs[name] = _struct(name, schema, schemas)

    for root in ROOTS:
        visit(root)
    marked = {name: union for union, mapping in unions.items() for name in mapping.values()}
    parts = [HEAD]
    for union, (described, unknown) in DESCRIBED.items():
        parts.append(BASES.format(name=union, described=described, unknown=unknown))
    for name, text in structs.items():  # each after those that it is made of
        base = f"msgspec.Struct, Any{marked[name]}" if name in marked else "msgspec.Struct"
        parts.append(text.replace("(BASE", f"({base}"))
    rows = [f"    Any{union}: {_union(union, tags[union], mapping)},\n" for union, mapping in unions.items()]
    parts += [UNION, f"UNIONS: Mapping[type, Union] = {{\n{''.join(rows)}}}\n"]
    return "\n\n".join(parts)


def _union(name: str, tag: str, mapping: dict[str, str]) -> str:
    kinds = ", ".join(f'"{value}": {kind}' for value, kind in mapping.items())
    return f'Union("{tag}", {{{kinds},}}, Unknown{name})'


def _refs(node: Any) -> Iterator[str]:
    if isinstance(node, dict):
        for key, value in cast("dict[str, Any]", node).items():
            if key == "$ref":
                yield str(value).rpartition("/")[2]
            else:
                yield from _refs(value)
    elif isinstance(node, list):
        for part in cast("list[Any]", node):
            yield from _refs(part)


def _struct(name: str, schema: dict[str, Any], schemas: dict[str, Any]) -> str:
    required = schema.get("required", [])
    fields = schema.get("properties", {})
    described = " ".join(str(schema.get("description", name)).split())
    told = textwrap.fill(described, 110, subsequent_indent="    ")
    lines = [f"class {name}(BASE, frozen=True, kw_only=True):", f'    """{told}"""', ""]
    lines += [f"    {field}: {_type(fields[field], schemas)}" for field in fields if field in required]
    lines += [
        f"    {field}: {_type(what, schemas)} | None = None" for field, what in fields.items() if field not in required
    ]
    return "\n".join(lines) + "\n"


def _type(schema: dict[str, Any], schemas: dict[str, Any]) -> str:
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        if name in UNIONS:
            return f"Any{UNIONS[name]}"
        return name if "properties" in schemas[name] else _type(schemas[name], schemas)
    kind = schema.get("type")
    if kind == "array":
        return f"tuple[{_type(schema['items'], schemas)}, ...]"
    if kind == "object":
        more = schema.get("additionalProperties")
        return (
            f"Mapping[str, {_type(cast('dict[str, Any]', more), schemas)}]"
            if isinstance(more, dict)
            else "Mapping[str, Any]"
        )
    if schema.get("format") == "date-time":
        return "datetime"
    return PLAIN.get(str(kind), "Any")


def blocking(text: str) -> str:
    """Return the blocking client of the text of the async one."""
    for pattern, replacement in TO_BLOCKING:
        text = re.sub(pattern, replacement, text)
    return text


def generated() -> dict[Path, str]:
    """Return the files that are generated, with their text."""
    contract = yaml.safe_load(CONTRACT.read_text(encoding="utf-8"))
    texts = {
        SOURCE / "models.py": models(contract),
        SOURCE / "blocking.py": blocking((SOURCE / "aio.py").read_text(encoding="utf-8")),
    }
    return {path: formatted(path, text) for path, text in texts.items()}


def formatted(path: Path, text: str) -> str:
    """Return the text as `make format` leaves it."""
    for command in (["check", "--fix-only", "--quiet"], ["format", "--quiet"]):
        ruff = [sys.executable, "-m", "ruff", *command, "--stdin-filename", str(path), "-"]
        text = subprocess.run(ruff, input=text, capture_output=True, text=True, check=True).stdout  # noqa: S603 - ours
    return text


if __name__ == "__main__":
    for path, text in generated().items():
        path.write_text(text, encoding="utf-8")
