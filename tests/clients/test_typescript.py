"""The types that openapi-typescript generates fit what the service says, and a client on them reads later versions."""

import json
import shutil
from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.clients.answers import Answer, examples
from tests.clients.conftest import need, run
from tests.clients.growth import with_new_tags, with_new_values
from tests.contract.document import PATH, SCHEMAS, Json, operations, resolved

HERE = Path(__file__).parent / "typescript"
_RUN = """
import { readFileSync } from "node:fs";
import { read } from "./out/reader.js";
for (const name of process.argv.slice(2)) console.log(JSON.stringify(read(JSON.parse(readFileSync(name, "utf8")))));
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the tools, the generated types and the reader."""
    npm = need("npm")
    need("node")
    folder = tmp_path_factory.mktemp("typescript")
    for name in ("package.json", "package-lock.json", "tsconfig.json", "reader.ts"):
        shutil.copy(HERE / name, folder)
    try:
        run(npm, "ci", "--silent", "--no-audit", "--no-fund", "--prefer-offline", cwd=folder)
    except AssertionError:
        pytest.skip("npm cannot install openapi-typescript and typescript here")
    run("node_modules/.bin/openapi-typescript", PATH, "-o", "pocha.ts", "--default-non-nullable", "false", cwd=folder)
    return folder


def test_the_types_fit_every_example_and_every_answer_and_later_answers_are_read(
    folder: Path, played: list[Answer]
) -> None:
    (folder / "answers.ts").write_text(_typed([*_answers(played), *_answers(examples()), *_requests()]))
    run("node_modules/.bin/tsc", "-p", ".", cwd=folder)
    moves = [answer for answer in played if answer.schema == {"$ref": f"{SCHEMAS}MoveResult"}]
    files: dict[str, list[Json]] = {
        "today.json": [answer.body for answer in moves],
        "values.json": [with_new_values(answer.body, answer.schema) for answer in moves],
        "tags.json": [with_new_tags(answer.body, answer.schema) for answer in moves],
    }
    for name, results in files.items():
        (folder / name).write_text(json.dumps(results))
    (folder / "run.mjs").write_text(_RUN)
    said = run(need("node"), "run.mjs", *files, cwd=folder)
    today, values, tags = [json.loads(line) for line in said.splitlines()]
    assert today["told"] > 50
    assert today["moves"] > 5
    assert values == today
    assert (tags["told"], tags["ignored"], tags["moves"]) == (0, today["told"] + today["ignored"], 0)


def _answers(answers: Iterable[Answer]) -> list[tuple[str, object]]:
    return [(answer.schema["$ref"].removeprefix(SCHEMAS), answer.body) for answer in answers if "$ref" in answer.schema]


def _requests() -> list[tuple[str, object]]:
    contents = [
        operation.what["requestBody"]["content"]["application/json"]
        for operation in operations()
        if "requestBody" in operation.what
    ]
    return [
        (content["schema"]["$ref"].removeprefix(SCHEMAS), resolved(example)["value"])
        for content in contents
        for example in content["examples"].values()
    ]


def _typed(values: list[tuple[str, object]]) -> str:
    lines = [
        f'export const v{number}: Schemas["{name}"] = {json.dumps(value)};'
        for number, (name, value) in enumerate(values)
        if name != "OpenApiDocument"
    ]
    head = 'import type { components } from "./pocha.js";\ntype Schemas = components["schemas"];\n'
    return head + "\n".join(lines)
