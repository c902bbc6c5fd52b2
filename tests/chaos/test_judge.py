"""The judge finds what is wrong: it is shown a game as it was, and then as it must not have been."""

from collections.abc import AsyncGenerator, Sequence
from uuid import UUID, uuid4

import msgspec
import pytest

from service.adapters.clock import SystemClock
from service.adapters.memory.store import MemoryStore
from service.application.ports import Commit
from service.application.shuffle import SeededShuffler
from service.bootstrap.service import create_app
from tests.chaos.judge import require_asked_for, require_kept, require_secret, require_whole
from tests.chaos.logbook import Logbook
from tests.chaos.run import Request, Run
from tests.chaos.wire import Place
from tests.kit.board import Json
from tests.kit.player import Api, Guest, client_of, legal_moves

SECRET = b"a secret of the tests of the judge, long enough"
NOWHERE = Place("127.0.0.1", 1)


class Scene:
    """A short game, and a run that was told all about it."""

    def __init__(self, guest: Guest, log: MemoryStore) -> None:
        self.run = Run("of the judge", (NOWHERE, NOWHERE))
        self.guest = guest
        self.commits: Sequence[Commit] = ()
        self._log = log

    async def play(self) -> None:
        """Make a table, and some moves."""
        view = await self._command(
            "/v1/games", {"players": 3, "ruleset": "ludoteka-express-3", "robots": [{"level": "easy"}] * 2}
        )
        for _ in range(4):
            what, body = legal_moves(view)[0]
            view = (await self._command(f"/v1/games/{view['game_id']}/{what}", body))["game"]
        self.commits = await self._log.read(UUID(view["game_id"]))

    async def _command(self, path: str, body: Json) -> Json:
        asked = Request(self.guest.player_id, uuid4().hex, "POST", path, msgspec.json.encode(body))
        answer = await self.guest.ask("POST", path, body, {"Idempotency-Key": asked.key})
        document: Json = answer.json()
        self.run.asked.add(asked.command_id)
        self.run.acknowledge(asked, answer.status_code, document)
        self.run.heard(self.guest.player_id, document.get("game", document)["game_id"], answer.content)
        return document


@pytest.fixture
async def scene() -> AsyncGenerator[Scene]:
    log = MemoryStore()
    async with client_of(create_app(log, SystemClock(), SeededShuffler(), SECRET)) as client:
        scene = Scene(await Api(client).guest(), log)
        await scene.play()
        yield scene


def judge(run: Run, commits: Sequence[Commit]) -> None:
    logbook = Logbook(commits)
    require_whole(logbook)
    require_kept(run, logbook)
    require_asked_for(run, logbook)
    require_secret(run, logbook)


async def test_a_game_as_it_was_is_in_order(scene: Scene) -> None:
    judge(scene.run, scene.commits)
    assert scene.run.tally["cards"] > 0


async def test_a_version_that_is_missing_is_found(scene: Scene) -> None:
    with pytest.raises(AssertionError):
        require_whole(Logbook([*scene.commits[:2], *scene.commits[3:]]))


async def test_a_move_that_is_in_the_log_twice_is_found(scene: Scene) -> None:
    again = msgspec.structs.replace(scene.commits[-1], version=len(scene.commits) + 1)
    with pytest.raises(AssertionError):
        require_whole(Logbook([*scene.commits, again]))


async def test_an_acknowledged_move_that_is_lost_is_found(scene: Scene) -> None:
    with pytest.raises(AssertionError, match="in the log as version None"):
        require_kept(scene.run, Logbook(scene.commits[:-1]))


async def test_a_move_that_nobody_asked_for_is_found(scene: Scene) -> None:
    stray = msgspec.structs.replace(scene.commits[-1], version=len(scene.commits) + 1, command_id=uuid4())
    with pytest.raises(AssertionError):
        require_asked_for(scene.run, Logbook([*scene.commits, stray]))


async def test_a_card_that_was_told_to_the_wrong_player_is_found(scene: Scene) -> None:
    told = scene.run.received[-1]
    scene.run.heard("somebody else", told.game_id, told.body)
    with pytest.raises(AssertionError, match="viewer None was told"):
        require_secret(scene.run, Logbook(scene.commits))
