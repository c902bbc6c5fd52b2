"""What follows the end of a game: streams that end, and the next game for all who ask."""

import re
from typing import Any

from tests.contract.document import Json
from tests.contract.frames import frames_of
from tests.contract.keys import lasting
from tests.contract.people import PEOPLE, STRANGER, People
from tests.kit.board import fold


def all_follow_it_once_more(people: People) -> None:
    """Everybody who may look at a game that is over reads its stream."""
    for name in [*_persons(people), *([] if people.private else [STRANGER])]:
        follow_it_once_more(people, name)


def follow_it_once_more(people: People, name: str) -> None:
    """Read the stream of a game that is over from its end, from anywhere, and from where no game is."""
    view: Json = people.ask("getGame", name).json()
    at_the_end = _frames(people, name, headers={"Last-Event-ID": "unheard-of"})
    assert lasting(at_the_end) == lasting(_frames(people, name))
    assert [frame["event"] for frame in at_the_end] == ["snapshot", "game_over"]
    assert lasting(at_the_end[0]["data"]) == lasting(view)
    _ends_as(at_the_end[-1]["data"], view)
    _resume(people, name, view, after=people.habits.randrange(view["version"]))
    over = people.ask("streamGame", name, query={"after": 1}, headers={"Last-Event-ID": str(view["version"])})
    assert (over.status_code, over.content) == (204, b"")


def _resume(people: People, name: str, view: Json, after: int) -> None:
    """Every version comes once, with the events that pages have, and whoever applies them has what the view has."""
    frames = _frames(people, name, query={"after": after})
    assert [int(frame["id"]) for frame in frames] == [*range(after + 1, view["version"] + 1), view["version"]]
    page = people.ask("listEvents", name, query={"after": after, "limit": 1000}).json()["items"]
    board: Json = {}
    for frame in frames[:-1]:
        if frame["event"] == "snapshot":
            board = frame["data"]
            continue
        assert frame["data"]["events"] == [event for event in page if event["version"] == frame["data"]["version"]]
        board = fold(board, frame["data"]) if board else board
    if board:
        assert lasting(board) == lasting(view)
    _ends_as(frames[-1]["data"], view)


def _ends_as(end: Json, view: Json) -> None:
    assert end == {name: view[name] for name in ("version", "status", "result") if name in view}


def _frames(people: People, name: str, **more: Any) -> list[Json]:
    answer = people.ask("streamGame", name, **more)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == ["text/event-stream"]
    assert re.match("retry: [1-4][0-9]{3}\n\n", answer.text)
    return frames_of(answer.content.decode())


def all_ask_for_a_rematch(people: People) -> None:
    """Whoever sat there to the end, or was away, gets the same next table, however often they ask."""
    before: Json = people.ask("getGame", _persons(people)[0]).json()
    persons = people.habits.sample(_persons(people), len(_persons(people)))
    answers = [people.ask("requestRematch", name, body={}) for name in persons]
    assert [answer.status_code for answer in answers] == [
        200 if people.has_a_rematch else 201,
        *[200] * (len(persons) - 1),
    ]
    people.has_a_rematch = True
    made: Json = answers[-1].json()
    assert {answer.json()["game_id"] for answer in answers} == {made["game_id"]} != {before["game_id"]}
    for same in ("ruleset", "players", "visibility", "turn_seconds", "on_timeout"):
        assert made.get(same) == before.get(same)
    again = people.ask("requestRematch", persons[0]).json()
    assert (again["game_id"], again["version"]) == (made["game_id"], made["version"])
    assert again["status"] == "playing"
    assert {seat.get("player", {}).get("display_name") for seat in again["seats"]} - {None} == set(persons)
    refusal = (403, "not-your-seat") if people.knows_of_it(STRANGER) else (404, "not-found")
    people.refused(people.ask("requestRematch", STRANGER, body={}), *refusal)


def _persons(people: People) -> list[str]:
    """Return who sits at the table, and who is away."""
    return [name for name in (*people.seats, *people.away.values()) if name in PEOPLE]
