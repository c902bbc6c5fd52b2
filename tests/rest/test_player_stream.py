"""One stream for all of a player's games, and the tickets that open streams."""

import asyncio
from collections.abc import AsyncGenerator
from datetime import timedelta

import pytest

from service.bootstrap.service import Service
from service.rest.auth.tickets import LONGEST_STREAM, STREAM
from tests.contract.kinds import hands
from tests.kit.asgi_stream import Frame, Reading
from tests.kit.clock import SetClock
from tests.kit.player import Api, Guest, Json, on_turn

ONE_CARD = hands(("normal", "1", "1"))


@pytest.fixture(autouse=True)
async def living(service: Service) -> AsyncGenerator[None]:
    """Let the service do what nobody asks for."""
    task = asyncio.create_task(service.run_background())
    yield
    task.cancel()


def stream_of(service: Service, guest: Guest, query: str = "", **headers: str) -> Reading:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Reading(service.asgi, guest, f"/v1/me/stream{query}", named)


async def until(stream: Reading, event: str, game: Json, version: int = 0) -> Frame:
    """Return the first frame of a kind about a game, at that version or a later one."""
    number = 0
    while True:
        frame = await stream.frame(number)
        is_it = frame.event == event and frame.data.get("game_id") == game["game_id"]
        if is_it and frame.data["version"] >= version:
            return frame
        number += 1


async def ticket(guest: Guest, **body: str) -> Json:
    response = await guest.ask("POST", "/v1/stream-tickets", body)
    assert response.status_code == 201, response.text
    return response.json()


async def test_a_stream_begins_with_the_games_under_way_and_tells_turns_starts_and_ends(
    service: Service, api: Api
) -> None:
    ana, eva = await api.guest("Ana"), await api.guest("Eva")
    waiting = await ana.create("clasica", 3, 1, house_rules=ONE_CARD)
    playing = await ana.create("clasica", 3, 2, house_rules=ONE_CARD)
    async with stream_of(service, ana) as stream:
        first = await stream.frame(0)
        assert first.event == "games"
        assert [game["game_id"] for game in first.data["items"]] == [playing["game_id"], waiting["game_id"]]
        assert first.data["items"][0]["turn"]["action"] == "bid"
        moved = await ana.move(playing)
        turn = await until(stream, "turn", playing)
        assert turn.data["version"] == moved["version"]
        assert turn.data["turn"] == moved["game"]["turn"]
        started = await eva.join(waiting["game_id"])
        assert (await until(stream, "started", waiting)).data["version"] == started["version"]
        game = started
        guests = [ana, eva]
        while game["status"] == "playing":
            guest, view = await on_turn(guests, game)
            game = (await guest.move(view))["game"]
        ended = await until(stream, "ended", waiting)
        assert ended.data["result"] == game["result"]
        assert ended.data["scores"] == game["scores"]


async def test_a_table_that_another_device_joined_is_in_the_stream(service: Service, api: Api) -> None:
    ana = await api.guest("Ana")
    async with stream_of(service, ana) as stream:
        assert (await stream.frame(0)).data["items"] == []
        game = await ana.create(players=3, robots=2)
        assert (await until(stream, "turn", game)).data["my_seat"] == 0


async def test_who_sat_there_is_invited_to_the_rematch(service: Service, api: Api) -> None:
    guests = [await api.guest("Ana"), await api.guest("Eva")]
    game = await guests[0].create("clasica", 3, 1, house_rules=ONE_CARD, visibility="private")
    game = await guests[1].join(game["game_id"], invite_code=game["invite_code"])
    async with stream_of(service, guests[1]) as stream:
        await stream.frame(0)
        over = game
        while over["status"] == "playing":
            guest, view = await on_turn(guests, over)
            over = (await guest.move(view))["game"]
        await until(stream, "ended", game)
        rematch = (await guests[0].ask("POST", f"/v1/games/{game['game_id']}/rematch")).json()
        invitation = await until(stream, "rematch", game)
        assert invitation.data["rematch_id"] == rematch["game_id"]


async def test_after_a_reconnection_what_changed_is_told_and_nothing_else(
    service: Service, api: Api, clock: SetClock
) -> None:
    ana = await api.guest("Ana")
    quiet = await ana.create(players=3, robots=2)
    ends = await ana.create("clasica", 3, 2, house_rules=ONE_CARD)
    goes_on = await ana.create(players=3, robots=2)
    clock.time += timedelta(minutes=1)
    async with stream_of(service, ana) as stream:
        seen = (await stream.frame(0)).id
    assert seen
    clock.time += timedelta(minutes=1)
    await ana.move(goes_on)
    while ends["status"] == "playing":
        ends = (await ana.move(ends))["game"]
    for query, headers in (("", {"Last_Event_ID": seen}), (f"?after={seen}", {})):
        async with stream_of(service, ana, query, **headers) as stream:
            await until(stream, "ended", ends)
            await until(stream, "turn", goes_on)
            told = {frame.data["game_id"] for frame in stream.frames}
            assert told == {ends["game_id"], goes_on["game_id"]}
            assert quiet["game_id"] not in told


@pytest.mark.parametrize("id_", ["nonsense", "9" * 17, "0" * 18])
async def test_an_id_of_no_frame_begins_anew_and_one_of_the_future_skips_nothing(
    service: Service, api: Api, id_: str
) -> None:
    ana = await api.guest("Ana")
    game = await ana.create(players=3, robots=2)
    for query, headers in (("", {"Last_Event_ID": id_}), (f"?after={id_}" if id_.isdigit() else "", {})):
        async with stream_of(service, ana, query, **headers) as stream:
            first = await stream.frame(0)
            assert (first.event, [each["game_id"] for each in first.data["items"]]) == ("games", [game["game_id"]])


async def test_a_ticket_opens_its_stream_without_a_token(service: Service, api: Api) -> None:
    ana = await api.guest("Ana")
    game = await ana.create(players=3, robots=2, visibility="private")
    nobody = Guest(api.client, {"player_id": "", "token": ""})
    for body in ({}, {"game_id": game["game_id"]}):
        given = await ticket(ana, **body)
        path = given["path"].replace(game["game_id"], game["game_id"].upper())  # which is the same
        reading = Reading(service.asgi, nobody, f"{path}?ticket={given['ticket']}", {}, with_token=False)
        async with reading as stream:
            first = await stream.frame(0)
            seen = first.data["items"][0] if first.event == "games" else first.data
            assert (seen["game_id"], seen["my_seat"]) == (game["game_id"], 0)


async def test_a_ticket_opens_nothing_else_and_not_for_long(api: Api, clock: SetClock) -> None:
    ana = await api.guest("Ana")
    game, other = await ana.create(players=3, robots=2), await ana.create(players=3, robots=2)
    given = await ticket(ana, game_id=game["game_id"])
    wrong = [
        f"/v1/games/{other['game_id']}/stream?ticket={given['ticket']}",
        f"/v1/me/stream?ticket={given['ticket']}",
        f"{given['path']}?ticket={given['ticket']}x",
        f"{given['path']}?ticket={ana.token}",
        f"/v1/games/{game['game_id']}?ticket={given['ticket']}",
    ]
    for path in wrong:
        refused = await api.client.get(path)
        assert refused.status_code in {400, 401}, path
    as_token = {"Authorization": f"Bearer {given['ticket']}"}
    assert (await api.client.get(f"/v1/games/{game['game_id']}", headers=as_token)).status_code == 401
    clock.time += STREAM.lifetime
    assert (await api.client.get(f"{given['path']}?ticket={given['ticket']}")).status_code == 401


async def test_a_stream_by_ticket_ends_when_its_time_is_over(service: Service, api: Api, clock: SetClock) -> None:
    ana = await api.guest("Ana")
    game = await ana.create(players=3, robots=2)
    given = await ticket(ana, game_id=game["game_id"])
    async with Reading(service.asgi, ana, f"{given['path']}?ticket={given['ticket']}", {}, with_token=False) as stream:
        await stream.frame(0)
        clock.time += STREAM.lifetime + LONGEST_STREAM
        await ana.move(game)
        await stream.end()


async def test_there_is_a_ticket_only_for_games_that_the_caller_knows(api: Api) -> None:
    ana, eva = await api.guest("Ana"), await api.guest("Eva")
    private = await ana.create(visibility="private")
    refused = await eva.ask("POST", "/v1/stream-tickets", {"game_id": private["game_id"]})
    assert (refused.status_code, refused.json()["code"]) == (404, "not-found")
