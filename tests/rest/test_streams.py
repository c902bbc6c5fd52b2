"""A game as a stream: what comes first, what comes then, and how it ends."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import AsyncExitStack
from datetime import timedelta
from uuid import UUID

import pytest

from service.adapters.memory.notifier import MemoryNotifier
from service.adapters.memory.store import MemoryStore
from service.application.deadlines import AbandonAfter
from service.application.draining import Draining
from service.application.names import Names
from service.application.ports import Commit
from service.application.presence import Presence
from service.application.repository import GameRepository
from service.bootstrap.service import Service
from service.rest.i18n import Language
from service.rest.jitter import MAX_RECONNECT_MS, MIN_RECONNECT_MS
from service.rest.presenter import GamePresenter
from service.rest.streaming import sse
from service.rest.streaming.sse_frames import FrameEncoder
from service.rest.streaming.waiters import MAX_PER_PLAYER
from tests.kit.asgi_stream import Reading
from tests.kit.clock import SetClock
from tests.kit.player import Api, Guest, Json, on_turn
from tests.kit.waiting import WAITS


@pytest.fixture(autouse=True)
async def living(service: Service) -> AsyncGenerator[None]:
    """Let the service do what nobody asks for."""
    task = asyncio.create_task(service.run_background())
    yield
    task.cancel()


class Table:
    """A started game of three persons."""

    def __init__(self, service: Service, guests: list[Guest], game: Json) -> None:
        self.guests = guests
        self.id: str = game["game_id"]
        self._service = service

    async def move(self) -> Json:
        """Make some legal move, and return its answer."""
        guest, view = await on_turn(self.guests, await self.guests[0].look(self.id))
        done = await guest.move(view)
        await asyncio.sleep(0.001)  # nothing here waits for a network: let the streams have their turn
        return done

    async def finish(self) -> Json:
        """Play to the end, and return the last answer."""
        while (done := await self.move())["game"]["status"] == "playing":
            pass
        return done

    def read(self, guest: Guest, query: str = "", **headers: str) -> Reading:
        """Return the stream, to be opened."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return Reading(self._service.asgi, guest, f"/v1/games/{self.id}/stream{query}", named)


@pytest.fixture
async def table(service: Service, api: Api) -> Table:
    guests, game = await api.full_table("ludoteka-express-3")
    return Table(service, guests, game)


async def test_a_stream_begins_with_the_view(table: Table) -> None:
    guest = table.guests[1]
    async with table.read(guest) as stream:
        first = await stream.frame(0)
        view = await guest.look(table.id)
        assert (stream.status, stream.headers["content-type"]) == (200, "text/event-stream")
        assert "no-transform" in stream.headers["cache-control"]
        assert stream.headers["x-accel-buffering"] == "no"
        assert (first.event, first.id) == ("snapshot", str(view["version"]))
        assert {**first.data, "seats": []} == {**view, "seats": []}


async def test_no_two_clients_are_told_to_come_back_together(table: Table, draining: Draining) -> None:
    """Of the kind: what is told to all at once, at a start, at the end of a process, and where it refuses."""
    async with AsyncExitStack() as stack:
        streams = [await stack.enter_async_context(table.read(guest)) for guest in table.guests for _ in range(8)]
        for stream in streams:
            await stream.frame(0)
        draining.begin()
        for stream in streams:
            await stream.end()
        for part in (0, -1):
            told = [int(stream.parts[part].retry or 0) for stream in streams]
            assert all(MIN_RECONNECT_MS <= wait <= MAX_RECONNECT_MS for wait in told)
            assert len(set(told)) > 1
        refused = [await stack.enter_async_context(table.read(table.guests[0])) for _ in range(100)]
        assert {stream.headers["retry-after"] for stream in refused} == WAITS


async def test_each_commit_comes_as_the_viewer_may_see_it(table: Table) -> None:
    guest = table.guests[1]
    async with table.read(guest) as stream:
        await stream.frame(0)
        done = await table.move()
        frame = await stream.frame(1)
        assert (frame.event, frame.id, frame.data["version"]) == ("commit", str(done["version"]), done["version"])
        page = (await guest.ask("GET", f"/v1/games/{table.id}/events?after={done['version'] - 1}")).json()
        assert frame.data["events"] == page["items"]
        view = await guest.look(table.id)
        assert (frame.data["status"], frame.data["turn"]) == (view["status"], view["turn"])


async def test_a_spectator_gets_what_spectators_see(table: Table, api: Api) -> None:
    stranger = await api.guest("Stranger")
    async with table.read(stranger) as stream:
        first = await stream.frame(0)
        await table.move()
        assert "my_cards" not in first.data["hand"]
        assert (await stream.frame(1)).data["turn"].keys() == {"seat", "action", "awaits"}


async def test_a_private_table_has_no_stream_for_strangers(service: Service, api: Api) -> None:
    ana, stranger = await api.guest(), await api.guest()
    game = await ana.create(visibility="private")
    async with Reading(service.asgi, stranger, f"/v1/games/{game['game_id']}/stream", {}) as stream:
        assert stream.status == 404


@pytest.mark.parametrize("by", ["header", "query", "both"])
async def test_a_stream_is_resumed_after_the_version_that_the_caller_has(table: Table, by: str) -> None:
    versions = [(await table.move())["version"] for _ in range(3)]
    query = {"header": "", "query": f"?after={versions[0]}", "both": "?after=1"}[by]
    headers = {} if by == "query" else {"last_event_id": str(versions[0])}
    async with table.read(table.guests[0], query, **headers) as stream:
        await stream.frame(1)
        assert [(frame.event, frame.id) for frame in stream.frames] == [("commit", str(one)) for one in versions[1:]]
        following = await table.move()
        assert (await stream.frame(2)).id == str(following["version"])


async def test_a_stream_that_missed_nothing_goes_on_without_a_snapshot(table: Table) -> None:
    version = (await table.move())["version"]
    async with table.read(table.guests[0], last_event_id=str(version)) as stream:
        following = await table.move()
        frame = await stream.frame(0)
        assert (frame.event, frame.id) == ("commit", str(following["version"]))


@pytest.mark.parametrize("unknown", ["999999", "abc", "-1", "", "1e3", "9" * 30, "1" * 5000, "٣"])
async def test_an_unknown_id_gets_a_snapshot(table: Table, unknown: str) -> None:
    async with table.read(table.guests[0], last_event_id=unknown) as stream:
        assert (await stream.frame(0)).event == "snapshot"


async def test_an_id_too_far_back_gets_a_snapshot(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sse, "MAX_RESUMED_VERSIONS", 2)
    versions = [(await table.move())["version"] for _ in range(4)]
    async with table.read(table.guests[0], last_event_id=str(versions[0])) as stream:
        assert (await stream.frame(0)).event == "snapshot"
    async with table.read(table.guests[0], last_event_id=str(versions[1])) as stream:
        assert (await stream.frame(0)).event == "commit"


async def test_whoever_gets_another_seat_gets_a_snapshot(service: Service, api: Api) -> None:
    ana, eva = await api.guest("Ana"), await api.guest("Eva")
    game = await ana.create(robots=1)
    table = Table(service, [ana, eva], game)
    async with table.read(eva) as stream:
        assert "my_seat" not in (await stream.frame(0)).data
        await eva.join(table.id)
        frame = await stream.frame(1)
        assert (frame.event, frame.data["my_seat"]) == ("snapshot", 1)
        assert frame.data["hand"]["my_cards"]
        await eva.ask("DELETE", f"/v1/games/{table.id}/seats/1")
        frame = await stream.frame(2)
        assert frame.event == "snapshot"
        assert "my_seat" not in frame.data


async def test_whoever_may_no_longer_know_of_the_game_sees_the_stream_end(service: Service, api: Api) -> None:
    ana, eva = await api.guest("Ana"), await api.guest("Eva")
    game = await ana.create(visibility="private")
    await eva.join(game["game_id"], invite_code=game["invite_code"])
    async with Table(service, [ana, eva], game).read(eva) as stream:
        await stream.frame(0)
        await eva.ask("DELETE", f"/v1/games/{game['game_id']}/seats/1")
        assert [frame.event for frame in await stream.end()] == ["snapshot"]


async def test_the_end_of_the_game_is_said_and_the_stream_is_closed(table: Table) -> None:
    async with table.read(table.guests[2]) as stream:
        last = await table.finish()
        frames = await stream.end()
    assert [frame.event for frame in frames[-2:]] == ["commit", "game_over"]
    assert frames[-1].data == {
        "version": last["version"],
        "status": "finished",
        "result": last["game"]["result"],
    }
    versions = [int(frame.id or 0) for frame in frames[:-1]]
    assert versions == list(range(versions[0], last["version"] + 1))


async def test_whoever_reconnects_after_the_end_is_told_not_to_come_back(table: Table) -> None:
    last = await table.finish()
    async with table.read(table.guests[0], last_event_id=str(last["version"])) as stream:
        assert (stream.status, await stream.end()) == (204, [])


async def test_a_finished_game_is_shown_whole_to_whoever_comes_for_the_first_time(table: Table) -> None:
    await table.finish()
    async with table.read(table.guests[0]) as stream:
        assert [frame.event for frame in await stream.end()] == ["snapshot", "game_over"]


async def test_an_abandoned_table_ends_the_stream(service: Service, api: Api) -> None:
    ana, eva = await api.guest("Ana"), await api.guest("Eva")
    game = await ana.create()
    async with Table(service, [ana], game).read(eva) as stream:
        await stream.frame(0)
        await ana.ask("DELETE", f"/v1/games/{game['game_id']}/seats/0")
        frames = await stream.end()
        assert (frames[-1].event, frames[-1].data["status"]) == ("game_over", "abandoned")


async def test_a_quiet_stream_shows_that_it_lives(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sse, "HEARTBEAT_SECONDS", 0.01)
    async with table.read(table.guests[0]) as stream:
        await stream.comment("heartbeat")


async def test_a_client_that_goes_away_leaves_nothing_behind(service: Service, table: Table) -> None:
    async with table.read(table.guests[0]) as stream:
        await stream.frame(0)
        assert (service.hub.watch_count, len(service.waiters)) == (1, 1)
    assert (service.hub.watch_count, len(service.waiters)) == (0, 0)


async def test_a_stream_that_fell_behind_what_memory_holds_gets_a_snapshot(table: Table) -> None:
    async with table.read(table.guests[0]) as stream:
        first = await stream.frame(0)
        stream.takes.clear()
        versions = [(await table.move())["version"] for _ in range(70)]
        stream.takes.set()
        last = await stream.frame(2)
        assert (await stream.frame(1)).id == str(first.data["version"] + 1)
        assert (last.event, last.data["version"]) == ("snapshot", versions[-1])


async def test_streams_of_a_caller_are_limited(table: Table) -> None:
    guest, other = table.guests[:2]
    async with AsyncExitStack() as stack:
        for _ in range(MAX_PER_PLAYER):
            await stack.enter_async_context(table.read(guest))
        async with table.read(guest) as refused:
            assert (refused.status, refused.headers["retry-after"] in WAITS) == (429, True)
        async with table.read(other) as allowed:
            assert allowed.status == 200
    async with table.read(guest) as again:
        assert again.status == 200


async def test_streams_that_a_caller_opens_all_at_once_are_limited_too(
    table: Table, log: MemoryStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    guest, read = table.guests[0], log.read

    async def read_slowly(game_id: UUID, after: int = 0, limit: int | None = None) -> Sequence[Commit]:
        await asyncio.sleep(0.01)
        return await read(game_id, after, limit)

    monkeypatch.setattr(log, "read", read_slowly)
    async with AsyncExitStack() as stack:
        asked = [stack.enter_async_context(table.read(guest)) for _ in range(2 * MAX_PER_PLAYER)]
        statuses = sorted(stream.status for stream in await asyncio.gather(*asked))
    assert statuses == [200] * MAX_PER_PLAYER + [429] * MAX_PER_PLAYER


async def test_streams_end_with_a_goodbye_when_the_service_is_about_to_end(table: Table, draining: Draining) -> None:
    async with table.read(table.guests[0]) as stream:
        await stream.frame(0)
        draining.begin()
        await stream.end()
        assert stream.parts[-1].comment == "draining"
    async with table.read(table.guests[0]) as refused:
        assert (refused.status, refused.headers["retry-after"] in WAITS) == (503, True)


async def test_head_of_a_stream_answers_at_once(service: Service, table: Table) -> None:
    path = f"/v1/games/{table.id}/stream"
    async with Reading(service.asgi, table.guests[0], path, {}, "HEAD") as stream:
        assert await stream.end() == []
        assert (stream.status, stream.headers["content-type"]) == (200, "text/event-stream")
        assert "no-transform" in stream.headers["cache-control"]
        assert stream.headers["x-accel-buffering"] == "no"


async def test_who_was_away_from_a_private_table_resumes_with_a_snapshot(service: Service, api: Api) -> None:
    ana, eva = await api.guest("Ana"), await api.guest("Eva")
    game = await ana.create(visibility="private")
    table = Table(service, [ana, eva], game)
    code = {"invite_code": game["invite_code"]}
    seated = await eva.join(table.id, **code)
    await eva.ask("DELETE", f"/v1/games/{table.id}/seats/1")
    again = await eva.join(table.id, **code)
    async with table.read(eva, last_event_id=str(seated["version"])) as stream:
        first = await stream.frame(0)
        assert (first.event, first.data["version"]) == ("snapshot", again["version"])


async def test_a_stream_ends_with_the_token_that_opened_it(
    table: Table, clock: SetClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sse, "HEARTBEAT_SECONDS", 0.05)
    monkeypatch.setattr(sse, "CREDENTIAL_SECONDS", 0.0)
    async with table.read(table.guests[0]) as stream:
        await stream.comment("heartbeat")
        clock.time += timedelta(days=365)
        await stream.end()
    async with table.read(table.guests[0], last_event_id="1") as refused:
        assert refused.status == 401


async def test_every_stream_has_to_the_byte_what_its_viewer_alone_would_be_told(
    table: Table, log: MemoryStore, clock: SetClock
) -> None:
    await table.finish()
    commits = await GameRepository(log, clock, AbandonAfter(), Names(log, MemoryNotifier())).read_commits(
        UUID(table.id), 0
    )
    presenter = GamePresenter(clock, Presence(clock, lambda _: None))
    shared = FrameEncoder(presenter)
    for committed in commits:
        for viewer in (2, None, 1, 0):
            told = FrameEncoder(presenter).alone(committed, viewer, Language.EN)
            assert shared.commit(committed, viewer, Language.EN) == told
            view = GamePresenter(clock, Presence(clock, lambda _: None)).view(committed.game, viewer, Language.EN)
            assert presenter.view(committed.game, viewer, Language.EN) == view


async def test_a_stream_goes_on_from_what_was_sent_past_its_task_to_what_its_task_sends(table: Table) -> None:
    async with table.read(table.guests[0]) as stream:
        for _ in range(3):
            await table.move()
        await stream.frame(3)
        stream.takes.clear()  # a client that reads nothing for a while
        for _ in range(3):
            await table.move()
        stream.takes.set()
        await table.finish()
        frames = await stream.end()
    ids = [int(frame.id or 0) for frame in frames if frame.event != "game_over"]
    assert ids == list(range(ids[0], ids[0] + len(ids)))
