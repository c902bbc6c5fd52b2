"""The clients of openapi-generator: Python's reads what the service says, today and later, and plays; those for Java and Go compile."""

import importlib
import json
import sys
from collections.abc import Generator, Iterable
from pathlib import Path
from typing import Any

import pytest

from service.cli.play.embedded import embedded_service
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


@pytest.fixture(scope="module")
def api(generator: Path, tmp_path_factory: pytest.TempPathFactory) -> Generator[Any]:
    """The client for Python."""
    made = generate(generator, "python", tmp_path_factory.mktemp("made"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "path", [str(made), str(generator), *sys.path])
        yield importlib.import_module("pocha_generated")


def test_a_bot_on_the_python_client_plays_a_whole_game_of_clasica(api: Any) -> None:
    with embedded_service() as url:
        configuration = api.Configuration(host=url)
        client = api.ApiClient(configuration)
        guest = api.PlayersApi(client).create_player(api.NewPlayer(display_name="Ana"))
        configuration.access_token = guest.token
        games, moves = api.GamesApi(client), api.MovesApi(client)
        robots = [api.RobotSpec(level=api.LevelChoice.EASY)] * 3
        game = games.create_game(api.NewGame(players=4, ruleset="clasica", robots=robots))
        turns = games.list_my_turns()
        while turns.open_games:
            for item in turns.items:
                _move(api, moves, item)
            turns = games.list_my_turns(after=turns.next_after, wait=10)
        assert games.get_game(game.game_id).status == "finished"


def _move(api: Any, moves: Any, item: Any) -> None:
    turn = item.turn.actual_instance
    match turn.action:
        case "bid":
            moves.make_bid(item.game_id, api.BidRequest(bid=turn.legal_bids[0]))
        case "play":
            moves.play_card(item.game_id, api.PlayRequest(card=turn.legal_cards[0]))
        case _:
            moves.make_robot_move(item.game_id)


def test_python_reads_answers_of_today_and_of_later(api: Any, played: list[Answer]) -> None:
    models = api.models
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
    made = generate(generator, language, tmp_path)
    try:
        run(need(program), *arguments, cwd=made)
    except AssertionError as error:
        if "Unknown host" in str(error):
            pytest.skip(f"{program} cannot install what it needs here")
        raise
