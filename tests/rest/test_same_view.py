"""Every way of reading gives the same view to the same caller, who may be at a seat, away from it, back at it, or a stranger."""

import json

import pytest

from service.bootstrap.service import Service
from tests.kit.asgi_stream import Frame, Reading
from tests.kit.board import fold, lasting
from tests.kit.player import Api, Guest, Json, on_turn


async def a_game(api: Api, ruleset: str) -> tuple[dict[str, Guest], Json]:
    """Return the callers of a game in which one left in mid hand, and another left and came back; a hand was dealt meanwhile."""
    guests = [await api.guest(name) for name in ("Ana", "Eva", "Leo", "Mia")]
    game = await guests[0].create(ruleset, 4)
    for guest in guests[1:]:
        await guest.join(game["game_id"])
    seats = {guest: (await guest.look(game["game_id"]))["my_seat"] for guest in guests}
    by_seat = sorted(guests, key=lambda guest: seats[guest])
    present = [*by_seat]

    async def play(hands: int) -> None:
        view: Json = await guests[0].look(game["game_id"])
        until = view["hand"]["number"] + hands
        while view["hand"]["number"] < until:
            guest, mine = await on_turn(by_seat, view)
            view = (await guest.move(mine))["game"]

    async def leave(guest: Guest) -> None:
        await guest.ask("DELETE", f"/v1/games/{game['game_id']}/seats/{seats[guest]}")
        present.remove(guest)

    await play(1)
    guest, mine = await on_turn(by_seat, await guests[0].look(game["game_id"]))
    await guest.move(mine)
    await leave(guests[2])
    await play(1)
    await guests[2].join(game["game_id"])
    await leave(guests[1])
    callers = {"seated": guests[0], "away": guests[1], "back": guests[2], "stranger": await api.guest("Stranger")}
    return callers, await guests[0].look(game["game_id"])


async def frames(service: Service, guest: Guest, game: Json, after: int | None) -> list[Frame]:
    """Return the frames of a stream up to the game's present version."""
    path = f"/v1/games/{game['game_id']}/stream"
    cursor = {} if after is None else {"last-event-id": str(after)}
    async with Reading(service.asgi, guest, path, cursor) as stream:
        count = 1
        while int((await stream.frame(count - 1)).id or 0) < game["version"]:
            count += 1
        return stream.frames


def has_cards(data: Json) -> bool:
    return any(name in json.dumps(data) for name in ("my_cards", "seen_cards"))


@pytest.mark.parametrize("who", ["seated", "away", "back", "stranger"])
@pytest.mark.parametrize("ruleset", ["ludoteka-subebaja", "torofun", "ludoteka-loca"])
async def test_every_way_of_reading_gives_the_same_view(service: Service, api: Api, ruleset: str, who: str) -> None:
    callers, game = await a_game(api, ruleset)
    guest, path, version = callers[who], f"/v1/games/{game['game_id']}", game["version"]
    view = await guest.look(game["game_id"])
    assert view["version"] == version
    assert lasting((await guest.ask("GET", f"{path}?after_version={version - 1}&wait=1")).json()) == lasting(view)
    page = (await guest.ask("GET", f"{path}/events?limit=1000")).json()["items"]
    for after in range(version):
        rest = (await guest.ask("GET", f"{path}/events?after={after}&limit=1000")).json()["items"]
        assert rest == [event for event in page if event["version"] > after]
    board: Json = {}
    for after in (None, *range(version)):
        came = await frames(service, guest, game, after)
        for frame in came:
            if frame.event == "snapshot":
                board = frame.data
            else:
                assert frame.data["events"] == [event for event in page if event["version"] == frame.data["version"]]
                board = fold(board, frame.data) if board else board
            assert who in ("seated", "back") or not has_cards(frame.data)
        if any(frame.event == "snapshot" for frame in came):
            assert lasting(board) == lasting(view)
    assert (who in ("seated", "back")) == has_cards(view)


async def test_what_is_not_of_a_seat_is_the_same_for_all(api: Api) -> None:
    callers, game = await a_game(api, "torofun")
    for what in ("score-sheet", "fairness", "ruleset"):
        answers = [await guest.ask("GET", f"/v1/games/{game['game_id']}/{what}") for guest in callers.values()]
        assert len({answer.content for answer in answers}) == 1
        assert {answer.status_code for answer in answers} == {200}


@pytest.mark.parametrize("who", ["seated", "away", "back", "stranger"])
async def test_the_lists_of_ones_games_say_what_the_view_says(service: Service, api: Api, who: str) -> None:
    callers, game = await a_game(api, "torofun")
    guest = callers[who]
    view = await guest.look(game["game_id"])
    async with Reading(service.asgi, guest, "/v1/me/stream", {}) as stream:
        streamed = (await stream.frame(0)).data["items"]
    listed = (await guest.ask("GET", "/v1/me/games")).json()["items"]
    turns = (await guest.ask("GET", "/v1/me/turns")).json()["items"]
    assert len(streamed) == len(listed) == (who != "stranger")
    assert len(turns) == (view["turn"]["seat"] == view.get("my_seat"))
    for item in (*map(lasting, streamed), *map(lasting, listed), *turns):
        assert item == {name: lasting(view)[name] for name in item}
        assert not has_cards(item)
