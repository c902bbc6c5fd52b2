"""The client that openapi-python-client generates is typed, plays, and reads what the service says, today and later."""

import json
import random
import re
import shutil
import sys
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from typing import Any, cast

import httpx
import pytest

from tests.clients.answers import Answer, examples
from tests.clients.conftest import new_service, run
from tests.clients.growth import with_new_tags, with_new_values
from tests.contract.document import PATH, SCHEMAS, Json, operations, resolved

HERE = Path(__file__).parent / "python"
BIN = Path(sys.executable).parent
# Of streams the generator makes functions that read them to their end, as text; docs/clients.md says not to use them.
SETTINGS: Json = {
    "ignore": ["pocha_api/api/*/stream_*.py"],
    "typeCheckingMode": "standard",
    "reportMissingModuleSource": False,
    "failOnWarnings": True,
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the generated package and the bot."""
    folder = tmp_path_factory.mktemp("python")
    generate = ("generate", "--path", PATH, "--config", HERE / "config.yaml", "--meta", "none", "--fail-on-warning")
    run(BIN / "openapi-python-client", *generate, "--output-path", folder / "pocha_api", cwd=folder)
    shutil.copy(HERE / "bot.py", folder)
    return folder


@pytest.fixture(autouse=True)
def importable(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [str(folder), *sys.path])


def read(answer: Answer) -> Any:
    """Read an answer as the client does; return what it made of it."""
    what = answer.operation.what
    name = re.sub("(?=[A-Z])", "_", what["operationId"]).lower()
    module = import_module(f"pocha_api.api.{what['tags'][0].replace(' ', '_')}.{name}")
    client = import_module("pocha_api").Client(base_url="http://pocha")
    # The generator makes this function private; what is public about it sends a request first.
    return module._parse_response(client=client, response=httpx.Response(answer.status, json=answer.body))


def lost(answers: Iterable[Answer]) -> list[str]:
    """Return what was answered and is not in what the client read."""
    return [
        f"{answer.operation.id}: {answer.body} became {written}"
        for answer in answers
        if (written := _plain(read(answer).to_dict())) != _plain(answer.body)
    ]


def _plain(value: Any) -> Any:
    """Return a value with one spelling of times: Python writes no `Z`, and no fraction of a whole second."""
    text = re.sub(r'(\d\d:\d\d)(\.\d+)?\+00:00"', r'\1\2Z"', json.dumps(value))
    return json.loads(text.replace('.000000Z"', 'Z"'))


def test_the_client_is_typed_and_so_is_a_bot_on_it(folder: Path) -> None:
    settings = {
        **SETTINGS,
        "include": ["pocha_api", "bot.py"],
        "venvPath": str(BIN.parents[1]),
        "venv": BIN.parent.name,
    }
    (folder / "pyrightconfig.json").write_text(json.dumps(settings))
    run(BIN / "basedpyright", "--level", "error", "-p", folder, cwd=folder)


@pytest.mark.parametrize("ruleset", ["ludoteka-express-3", pytest.param("clasica", marks=pytest.mark.thorough)])
async def test_a_bot_on_the_client_plays_a_whole_game(ruleset: str) -> None:
    transport = httpx.ASGITransport(cast("Any", new_service().asgi))
    api: Any = import_module("pocha_api")
    body = import_module("pocha_api.models").NewPlayer(display_name="Ana")
    players: Any = import_module("pocha_api.api.players.create_player")
    stranger = api.Client(base_url="http://pocha", httpx_args={"transport": transport})
    guest = await players.asyncio(client=stranger, body=body)
    client = api.AuthenticatedClient("http://pocha", guest.token, httpx_args={"transport": transport})
    turns = await import_module("bot").play(client, random.Random(1), ruleset)
    assert [ended.status for ended in turns.ended] == ["finished"]


def test_every_example_of_an_answer_is_read_whole() -> None:
    found = list(examples())
    assert len(found) > 100
    assert lost(found) == []


def test_every_example_of_a_request_is_read_whole() -> None:
    models: Any = import_module("pocha_api.models")
    for operation in operations():
        if "requestBody" in operation.what:
            content = operation.what["requestBody"]["content"]["application/json"]
            model = getattr(models, content["schema"]["$ref"].removeprefix(SCHEMAS))
            for example in content["examples"].values():
                value = resolved(example)["value"]
                assert model.from_dict(value).to_dict() == value


def test_every_answer_of_whole_games_is_read_whole(played: list[Answer]) -> None:
    assert len({event["type"] for answer in played for event in events(answer)}) > 12
    assert lost(played) == []
    assert [answer for answer in played if "Unknown" in repr(read(answer))] == []


def test_answers_of_a_later_version_are_read_whole(played: list[Answer]) -> None:
    """New values, members, events and actions: the kind is whatever the contract leaves open."""
    known = [*played, *examples()]
    assert lost(answer._replace(body=with_new_values(answer.body, answer.schema)) for answer in known) == []
    later = [answer._replace(body=with_new_tags(answer.body, answer.schema)) for answer in known]
    assert lost(later) == []
    assert all("UnknownEvent(" in repr(read(answer)) for answer in later if events(answer))


def events(answer: Answer) -> list[Json]:
    """Return the events of a game in an answer; a web hook has only their types."""
    body: Json = answer.body
    found: list[Any] = body.get("events", []) or (
        body["items"] if answer.operation.id == "listEvents" and "items" in body else []
    )
    return [each for each in found if isinstance(each, dict)]
