"""The clients of openapi-generator: Python's reads what the service says, today and later; those for Java and Go compile."""

import importlib
import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from tests.clients.answers import Answer, examples
from tests.clients.conftest import need, run
from tests.clients.growth import with_new_tags, with_new_values
from tests.contract.document import PATH, SCHEMAS

pytestmark = pytest.mark.thorough

VERSION = "7.26.0"
COMPILE = {"java": ("mvn", "-q", "-B", "compile"), "go": ("go", "build", "./...")}


@pytest.fixture(scope="module")
def generator(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The generator, whose wheel has the program for Java, beside what its Python clients need and we do not."""
    need("java")
    folder = tmp_path_factory.mktemp("generator")
    try:
        wanted = (f"openapi-generator-cli=={VERSION}", "python-dateutil>=2.9")
        run(need("python3"), "-m", "pip", "install", "-q", "-t", folder, *wanted, cwd=folder)
    except AssertionError:
        pytest.skip("pip cannot install openapi-generator-cli here")
    return folder


def generate(generator: Path, language: str, folder: Path) -> Path:
    made, jar = folder / language, next(generator.rglob("*.jar"))
    options = ("--additional-properties", "packageName=pocha_generated,useOneOfDiscriminatorLookup=true")
    run(need("java"), "-jar", jar, "generate", "-q", "-i", PATH, "-g", language, "-o", made, *options, cwd=folder)
    return made


def test_python_reads_answers_of_today_and_of_later(
    generator: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, played: list[Answer]
) -> None:
    made = generate(generator, "python", tmp_path)
    monkeypatch.setattr(sys, "path", [str(made), str(generator), *sys.path])
    models: Any = importlib.import_module("pocha_generated.models")
    known = [*played, *examples()]
    for answers in (known, _later(known)):
        for answer in answers:
            name = answer.schema.get("$ref", "").removeprefix(SCHEMAS)
            if name and name != "OpenApiDocument":
                read = getattr(models, name).from_json(json.dumps(answer.body))
                assert set(read.to_dict()) <= set(answer.body), name


def _later(answers: Iterable[Answer]) -> Iterable[Answer]:
    for answer in answers:
        yield answer._replace(body=with_new_values(answer.body, answer.schema))
        yield answer._replace(body=with_new_tags(answer.body, answer.schema))


@pytest.mark.parametrize("language", COMPILE)
def test_the_client_compiles(generator: Path, tmp_path: Path, language: str) -> None:
    program, *arguments = COMPILE[language]
    run(need(program), *arguments, cwd=generate(generator, language, tmp_path))
