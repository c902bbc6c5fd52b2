"""What the service does by itself when nobody moves, as the contract tells it."""

import asyncio
from datetime import datetime, timedelta
from typing import Any, NamedTuple
from uuid import UUID

import pytest
from schemathesis import Response

from service.adapters.clock import SystemClock
from service.adapters.memory.notifier import MemoryNotifier
from service.adapters.memory.store import MemoryStore
from service.application.command_handler import CommandHandler
from service.application.commitments import Commitments
from service.application.deadlines import AbandonAfter
from service.application.games import Games
from service.application.names import Names
from service.application.players import Players
from service.application.repository import GameRepository
from service.observability.metrics import Metrics
from tests.contract.document import Json
from tests.contract.frames import frames_of
from tests.contract.running import Client, RepeatableShuffler, promise_of, service

AFTER = 3
"""After so many turns the seat is a robot's."""


class Ahead:
    """A clock that goes ahead of the service's by as much as one likes."""

    def __init__(self) -> None:
        self.by = timedelta()

    def now(self) -> datetime:
        """Return the time there."""
        return SystemClock().now() + self.by


class Table(NamedTuple):
    """Two people and a robot, with a minute for each turn, and somebody who looks after the table."""

    client: Client
    tokens: dict[str, str]
    game_id: str
    keeper: Games
    clock: Ahead

    def ask(self, operation: str, name: str = "Ana", **more: Any) -> Response:
        """Ask something about the table, or at it."""
        return self.client.ask(operation, self.tokens[name], game_id=self.game_id, **more)

    def view(self, name: str = "Ana") -> Json:
        """Return the table as somebody sees it."""
        return self.ask("getGame", name).json()

    def after(self, time: timedelta) -> list[Json]:
        """Let so much time go by, and return what the service did then."""
        before = self.view()["version"]
        self.clock.by += time
        asyncio.run(self.keeper.enforce_deadlines(UUID(self.game_id)))
        return self.ask("listEvents", query={"after": before}).json()["items"]


def games_of(log: MemoryStore, clock: Ahead, shuffler: RepeatableShuffler) -> Games:
    metrics = Metrics()
    notifier = MemoryNotifier()
    names = Names(log, notifier)
    repository = GameRepository(log, clock, AbandonAfter(), names)
    handler = CommandHandler(
        events=log, clock=clock, shuffler=shuffler, notifier=notifier, metrics=metrics, repository=repository
    )
    return Games(
        handler=handler,
        events=log,
        listings=log,
        reservations=log,
        players=Players(names, clock),
        commitments=Commitments(log, shuffler, clock, ()),
        metrics=metrics,
    )


@pytest.fixture
def table() -> Table:
    log, shuffler, clock = MemoryStore(), RepeatableShuffler(), Ahead()
    client = Client(promise_of(service(log, shuffler)))
    made = {name: client.ask("createPlayer", body={"display_name": name}).json() for name in ("Ana", "Beto")}
    tokens: dict[str, str] = {name: guest["token"] for name, guest in made.items()}
    body: Json = {"ruleset": "ludoteka-express-3", "players": 3, "robots": [{"level": "easy"}], "turn_seconds": 60}
    game_id: str = client.ask("createGame", tokens["Ana"], body=body).json()["game_id"]
    client.ask("joinGame", tokens["Beto"], body={}, game_id=game_id)
    return Table(client, tokens, game_id, games_of(log, clock, shuffler), clock)


def test_a_robot_moves_for_whoever_has_used_up_their_time(table: Table):
    assert table.after(timedelta(seconds=55)) == []
    before = table.view()
    expired, moved, *_ = table.after(timedelta(seconds=6))
    assert (expired["type"], expired["seat"], expired["in_a_row"]) == ("turn_expired", before["turn"]["seat"], 1)
    assert (moved["type"], moved["seat"]) == ("bid_made", before["turn"]["seat"])
    assert before["on_timeout"] == {"robot": {"level": "easy"}, "takes_seat_after": AFTER}


def test_whoever_never_comes_loses_the_seat_to_a_robot_and_may_come_back(table: Table):
    happened = list[Json]()
    while "robot_seated" not in [event["type"] for event in happened]:
        happened = table.after(timedelta(minutes=2))
    assert [event["type"] for event in happened[:2]] == ["turn_expired", "robot_seated"]
    assert happened[0]["in_a_row"] == AFTER
    gone = table.view()["seats"][happened[0]["seat"]]
    name: str = gone["away"]["display_name"]
    assert "my_seat" not in table.view(name)
    back = table.ask("joinGame", name, body={})
    assert (back.status_code, back.json()["my_seat"]) == (201, gone["seat"])
    assert "away" not in back.json()["seats"][gone["seat"]]


def test_a_table_that_everybody_has_forgotten_is_abandoned_keeps_its_scores_and_may_be_followed_by_another():
    log, shuffler, clock = MemoryStore(), RepeatableShuffler(), Ahead()
    client = Client(promise_of(service(log, shuffler)))
    token: str = client.ask("createPlayer", body={"display_name": "Ana"}).json()["token"]
    body: Json = {"ruleset": "ludoteka-express-3", "players": 3, "robots": [{"level": "easy"}] * 2}
    game_id: str = client.ask("createGame", token, body=body).json()["game_id"]
    table = Table(client, {"Ana": token}, game_id, games_of(log, clock, shuffler), clock)
    assert table.after(timedelta(days=6)) == []
    assert [event["type"] for event in table.after(timedelta(days=1, minutes=1))] == ["game_abandoned"]
    assert (table.view()["status"], len(table.view()["scores"])) == ("abandoned", 3)
    frames = frames_of(table.ask("streamGame").content.decode())
    assert [frame["event"] for frame in frames] == ["snapshot", "game_over"]
    assert frames[-1]["data"] == {"version": table.view()["version"], "status": "abandoned"}
    assert table.ask("requestRematch", body={}).status_code == 201
