"""What players say to each other at a table: seen by who is there, and stored nowhere."""

from contextlib import AsyncExitStack
from uuid import UUID

import pytest

from service.adapters.memory.notifier import MemoryBus, MemoryNotifier
from service.adapters.memory.store import MemoryStore
from service.application.shuffle import SeededShuffler
from service.bootstrap.service import Service
from tests.kit.asgi_stream import Reading
from tests.kit.clock import SetClock
from tests.kit.player import Api, Guest, Json, client_of
from tests.rest.conftest import SECRET


def reading(service: Service, guest: Guest, game: Json, query: str = "") -> Reading:
    return Reading(service.asgi, guest, f"/v1/games/{game['game_id']}/stream{query}", {})


def path(game: Json) -> str:
    return f"/v1/games/{game['game_id']}/reactions"


async def test_everybody_at_the_table_sees_it_in_any_process(log: MemoryStore, clock: SetClock) -> None:
    bus = MemoryBus()
    one, two = (Service(log, clock, SeededShuffler(), SECRET, notifier=MemoryNotifier(bus)) for _ in range(2))
    async with client_of(one.asgi) as client, AsyncExitStack() as stack:
        guests, game = await Api(client).full_table()
        streams = [
            await stack.enter_async_context(reading(*each, game))
            for each in ((one, guests[0]), (one, guests[1]), (two, guests[2]))
        ]
        snapshots = [await stream.frame(0) for stream in streams]
        sent = await guests[1].ask("POST", path(game), {"reaction": "well-played"})
        assert sent.status_code == 200
        assert sent.json() | {"reaction_id": "", "at": ""} == {
            "reaction_id": "",
            "seat": 1,
            "player_id": guests[1].player_id,
            "reaction": "well-played",
            "at": "",
        }
        for stream, snapshot in zip(streams, snapshots, strict=True):
            shown = await stream.frame(1)
            assert (shown.event, shown.id, shown.data) == ("reaction", snapshot.id, sent.json())
    game_id = UUID(game["game_id"])
    assert await log.heads([game_id]) == {game_id: game["version"]}


@pytest.mark.parametrize("mute", ["all", "{0}", "{1},{0}"])
async def test_a_reader_mutes_everybody_or_some(service: Service, api: Api, mute: str) -> None:
    guests, game = await api.full_table()
    ids = [guest.player_id for guest in guests]
    async with reading(service, guests[2], game, f"?mute={mute.format(*ids)}") as stream:
        await stream.frame(0)
        await guests[0].ask("POST", path(game), {"reaction": "hurry-up"})
        if mute == "{0}":
            await guests[1].ask("POST", path(game), {"reaction": "thanks"})
            assert (await stream.frame(1)).data["reaction"] == "thanks"
        else:
            await guests[0].ask("DELETE", f"/v1/games/{game['game_id']}/seats/0")
            assert (await stream.frame(1)).event == "commit"


async def test_one_key_says_it_once(service: Service, api: Api) -> None:
    guests, game = await api.full_table()
    async with reading(service, guests[2], game) as stream:
        await stream.frame(0)
        key = {"Idempotency-Key": "once"}
        first, again = [await guests[0].ask("POST", path(game), {"reaction": "wow"}, headers=key) for _ in range(2)]
        other = await guests[0].ask("POST", path(game), {"reaction": "oops"}, headers=key)
        await guests[0].ask("POST", path(game), {"reaction": "sorry"})
        assert [(await stream.frame(at)).data["reaction"] for at in (1, 2)] == ["wow", "sorry"]
    assert again.json() == first.json()
    assert again.headers["idempotency-replayed"] == "true"
    assert (other.status_code, other.json()["code"]) == (422, "idempotency-key-reused")


async def test_who_has_no_seat_and_who_comes_too_late_says_nothing(api: Api) -> None:
    guests, game = await api.full_table()
    stranger = await api.guest("Stranger")
    refused = await stranger.ask("POST", path(game), {"reaction": "hello"})
    assert (refused.status_code, refused.json()["code"]) == (403, "not-your-seat")
    waiting = await guests[0].create()
    await guests[0].ask("DELETE", f"/v1/games/{waiting['game_id']}")
    over = await guests[0].ask("POST", path(waiting), {"reaction": "good-bye"})
    assert (over.status_code, over.json()["code"]) == (409, "game-over")


@pytest.mark.parametrize("body", [{}, {"reaction": "you fool"}, {"reaction": "hello", "text": "you fool"}])
async def test_nothing_else_can_be_said(api: Api, body: Json) -> None:
    guests, game = await api.full_table()
    assert (await guests[0].ask("POST", path(game), body)).status_code == 400
