"""Whoever waits for news is answered when there is some, and keeps to what the contract says about waiting."""

from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from typing import Any, NamedTuple

import pytest
from schemathesis import Response

from service.adapters.memory.store import MemoryStore
from service.application.draining import Draining
from tests.contract.document import Json
from tests.contract.frames import frames_of
from tests.contract.running import Client, RepeatableShuffler, promise_of, service

MOST_AT_A_TIME = 8


class Host(NamedTuple):
    """Somebody with a table of their own, where one seat is free."""

    client: Client
    draining: Draining
    token: str
    game_id: str

    def ask(self, operation: str, **more: Any) -> Response:
        """Ask something about the table."""
        return self.client.ask(operation, self.token, game_id=self.game_id, **more)

    def turns(self, seconds: int) -> Response:
        """Ask at which tables it is the host's turn."""
        return self.client.ask("listMyTurns", self.token, query={"wait": seconds})

    def seat_a_robot(self) -> None:
        """Give away the last free seat: the game starts."""
        answer = self.client.ask("seatRobot", self.token, body={"level": "easy"}, game_id=self.game_id, seat=1)
        assert answer.status_code == 200


@pytest.fixture
def host() -> Host:
    draining = Draining()
    client = Client(promise_of(service(MemoryStore(), RepeatableShuffler(), draining)))
    token: str = client.ask("createPlayer", body={"display_name": "Ana"}).json()["token"]
    body: Json = {"ruleset": "ludoteka-express-3", "players": 3, "robots": [{"level": "easy"}]}
    game_id: str = client.ask("createGame", token, body=body).json()["game_id"]
    return Host(client, draining, token, game_id)


@pytest.fixture
def elsewhere() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(MOST_AT_A_TIME + 1) as executor:
        yield executor


def refused(answer: Response, status: int, code: str) -> None:
    assert (answer.status_code, answer.json()["code"]) == (status, code)


def test_a_read_that_waits_is_answered_by_the_next_commit(host: Host, elsewhere: ThreadPoolExecutor):
    waiting = elsewhere.submit(host.ask, "getGame", query={"after_version": 1, "wait": 20})
    host.seat_a_robot()
    assert waiting.result().json()["version"] == 2


def test_a_read_that_waits_in_vain_is_answered_with_the_game_as_it_is(host: Host):
    answer = host.ask("getGame", query={"after_version": 1, "wait": 1})
    assert (answer.status_code, answer.json()["version"]) == (200, 1)
    known = host.ask(
        "getGame", query={"after_version": 1, "wait": 1}, headers={"If-None-Match": answer.headers["etag"][0]}
    )
    assert known.status_code == 304


def test_a_turn_that_is_waited_for_is_told_when_it_comes(host: Host, elsewhere: ThreadPoolExecutor):
    assert host.turns(0).json()["items"] == []
    waiting = elsewhere.submit(host.turns, 20)
    host.seat_a_robot()
    # Robots do not wait: the first turn that does is the host's.
    assert [turn["game_id"] for turn in waiting.result().json()["items"]] == [host.game_id]


def test_a_stream_tells_what_happens_while_it_is_read(host: Host, elsewhere: ThreadPoolExecutor):
    stream = elsewhere.submit(host.ask, "streamGame", seconds=1.5)
    assert any(host.ask("getGame").json()["seats"][0]["presence"]["connected"] for _ in range(1000))
    host.seat_a_robot()
    frames = frames_of(stream.result().content.decode())
    assert [(frame["event"], frame["id"]) for frame in frames] == [("snapshot", "1"), ("commit", "2")]


def test_who_asks_the_pages_for_a_stream_is_told_where_it_is(host: Host):
    answer = host.ask("listEvents", headers={"Accept": "text/event-stream"})
    refused(answer, 406, "not-acceptable")
    assert "/stream" in answer.json()["detail"]


def test_a_caller_waits_in_few_places_at_a_time(host: Host, elsewhere: ThreadPoolExecutor):
    asked = [
        elsewhere.submit(host.ask, "getGame", query={"after_version": 1, "wait": 30}) for _ in range(MOST_AT_A_TIME + 1)
    ]
    [first], waiting = wait(asked, return_when=FIRST_COMPLETED)
    refused(first.result(), 429, "rate-limited")
    host.seat_a_robot()
    assert [answer.result().status_code for answer in waiting] == [200] * MOST_AT_A_TIME


def test_a_process_that_is_about_to_stop_opens_no_streams_and_does_not_wait_but_serves(host: Host):
    assert host.client.ask("getReadiness").status_code == 200
    host.draining.begin()
    refused(host.client.ask("getReadiness"), 503, "draining")
    refused(host.ask("streamGame"), 503, "draining")
    refused(host.ask("getGame", query={"after_version": 1, "wait": 1}), 503, "draining")
    refused(host.turns(1), 503, "draining")
    assert host.client.ask("getHealth").status_code == 200
    assert host.ask("getGame", query={"after_version": 0, "wait": 1}).status_code == 200
    host.seat_a_robot()
