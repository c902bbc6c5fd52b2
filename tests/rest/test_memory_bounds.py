"""What a process keeps in memory is bounded, whatever is asked of it; and what is deleted is forgotten."""

import asyncio
import tracemalloc
from collections.abc import Sequence
from datetime import timedelta
from typing import Any, cast
from uuid import UUID, uuid4

import pytest

from domain.pocha.view.parts import Shown
from service.adapters.memory.notifier import MemoryNotifier
from service.adapters.memory.store import MemoryStore
from service.application import repository as remembering
from service.application.deadlines import AbandonAfter
from service.application.names import Names
from service.application.ports import Commit, StoreUnavailable
from service.application.record.facts import GameRecord
from service.application.repository import Committed, GameRepository
from service.rest.i18n import Language
from service.rest.lru_cache import LruCache
from service.rest.presenter import GamePresenter
from service.rest.rate_limit.client_address import ClientAddresses, networks_of
from service.rest.routes import records
from service.rest.streaming import sse_frames
from service.rest.streaming.sse_frames import FrameEncoder
from tests.application.world import done
from tests.kit.clock import SetClock
from tests.kit.player import Api, Guest, Json

MEGABYTE = 1_000_000


class ForgetfulLog(MemoryStore):
    """A log that deletes games, as `POCHA_DELETE_AFTER_DAYS` does; it counts reads, and can be out of reach of `heads`."""

    def __init__(self) -> None:
        super().__init__()
        self.whole_reads = 0
        self.asked_heads = 0
        self.fails_after_heads = False

    def delete(self, game_id: UUID) -> None:
        del self._games[game_id]

    async def read(self, game_id: UUID, after: int = 0, limit: int | None = None) -> Sequence[Commit]:
        if self.fails_after_heads and self.asked_heads:
            raise StoreUnavailable("the shard is out")
        self.whole_reads += after == 0 and limit != 1
        return await super().read(game_id, after, limit)

    async def heads(self, game_ids: Sequence[UUID]) -> dict[UUID, int]:
        self.asked_heads += 1
        return {} if self.fails_after_heads else dict(await super().heads(game_ids))


@pytest.fixture
def log() -> ForgetfulLog:
    return ForgetfulLog()


async def finished(ana: Guest) -> Json:
    """Return a game that was played to its end."""
    view = await ana.create(robots=2)
    while view["status"] == "playing":
        view = (await ana.move(view))["game"]
    return view


def path_of(game: Json, what: str = "") -> str:
    return f"/v1/games/{game['game_id']}{what}"


def test_what_is_kept_is_bounded_and_what_is_asked_for_stays() -> None:
    kept: LruCache[int] = LruCache(10_000, 1_000)
    kept.put(0, b"first")
    for number in range(1, 100):
        kept.put(number, b"x" * 900)
        assert kept.get(0) == b"first"
    assert len(kept) == 9
    assert kept.get(99)
    assert kept.get(90) is None
    kept.put(100, b"x" * 1_001)
    assert kept.get(100) is None
    kept.put(0, b"second")
    assert kept.get(0) == b"first"


def test_ever_so_many_empty_texts_take_room_too() -> None:
    kept: LruCache[int] = LruCache(10_000, 1_000)
    for number in range(1_000):
        kept.put(number, b"")
    assert len(kept) < 50


def test_kept_frames_are_bounded_by_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Long ones are made again."""
    made: list[int] = []

    def frame(_event: str, version: int, _data: Any) -> bytes:
        made.append(version)
        return bytes(200_000 if version % 2 else 15_000)

    def nothing(_maker: FrameEncoder, _done: Committed, _viewer: int | None, _language: Language) -> None:
        return

    monkeypatch.setattr(sse_frames, "_frame", frame)
    monkeypatch.setattr(FrameEncoder, "_streamed", nothing)
    maker = FrameEncoder(cast("GamePresenter", None))
    game_id = uuid4()
    tracemalloc.start()
    try:
        for version in range(1, 3_000):
            maker.commit(done(game_id, version), None, Language.EN)
        held, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert MEGABYTE < held < 1.2 * sse_frames.CACHED_BYTES
    made.clear()
    for _ in range(3):
        for version in (2_997, 2_998):
            maker.commit(done(game_id, version), None, Language.EN)
    assert made == [2_997] * 3


async def test_a_record_is_made_once_and_still_shown_to_those_only_who_may_see_it(api: Api, log: ForgetfulLog) -> None:
    ana, eva = await api.guest("Ana"), await api.guest("Eva")
    game = await finished(ana)
    log.whole_reads = 0
    answers = [await ana.ask("GET", path_of(game, "/record")) for _ in range(3)]
    assert {answer.content for answer in answers} == {answers[0].content}
    for name in ("content-type", "cache-control", "vary", "content-length"):
        assert answers[2].headers[name] == answers[0].headers[name]
    assert log.whole_reads == 1
    hidden = await ana.create(robots=2, visibility="private")
    await ana.ask("DELETE", path_of(hidden, "/seats/0"))
    assert (await eva.ask("GET", path_of(hidden, "/record"))).status_code == 404
    assert log.whole_reads == 1


async def test_a_record_that_there_is_not_yet_costs_no_reading_of_the_whole_log(api: Api, log: ForgetfulLog) -> None:
    ana = await api.guest()
    game = await ana.create(robots=2)
    log.whole_reads = 0
    assert (await ana.ask("GET", path_of(game, "/record"))).json()["code"] == "game-not-over"
    assert log.whole_reads == 0


async def test_one_record_is_made_at_a_time(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    at_work: list[int] = [0]
    most: list[int] = []
    make = records.build.record_of

    def watched(game_id: UUID, commits: Sequence[Commit], shown: Shown) -> GameRecord:
        at_work[0] += 1
        most.append(at_work[0])
        try:
            return make(game_id, commits, shown)
        finally:
            at_work[0] -= 1

    monkeypatch.setattr(records.build, "record_of", watched)
    ana = await api.guest()
    games = [await finished(ana) for _ in range(3)]
    answers = await asyncio.gather(*(ana.ask("GET", path_of(game, "/record")) for game in games * 4))
    assert {answer.status_code for answer in answers} == {200}
    assert most == [1, 1, 1]


def test_addresses_do_not_remember_long_headers() -> None:
    addresses = ClientAddresses(networks_of("10.0.0.0/8"))
    tracemalloc.start()
    try:
        for number in range(2_000):
            padding = f"{number}" + "x" * 20_000
            assert addresses.key_of("10.0.0.1", f"{padding}, 1.2.3.4") == "1.2.3.4"
            assert addresses.key_of("10.0.0.1", f"{padding}," * 2 + ",".join(["10.1.1.1"] * 20)) == "10.1.1.1"
            assert addresses.key_of("10.0.0.1", f"{' ' * 20_000}{number}.1.1.1, 1.2.3.4") == "1.2.3.4"
        held, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert held < MEGABYTE


@pytest.mark.parametrize("is_abandoned", [False, True])
async def test_a_deleted_game_is_gone_for_who_remembers_it_too(
    api: Api, log: ForgetfulLog, *, is_abandoned: bool
) -> None:
    ana = await api.guest()
    game = await ana.create() if is_abandoned else await finished(ana)
    if is_abandoned:
        await ana.ask("DELETE", path_of(game, "/seats/0"))
    whats = ("", "/events", "/fairness", "/score-sheet") + (() if is_abandoned else ("/record",))
    for what in whats:
        assert (await ana.ask("GET", path_of(game, what))).status_code == 200
    log.delete(UUID(game["game_id"]))
    for what in whats:
        assert (await ana.ask("GET", path_of(game, what))).status_code == 404
    assert (await ana.bid(game["game_id"], 1)).status_code == 404


async def test_a_move_finds_a_deleted_game_gone_too(api: Api, log: ForgetfulLog) -> None:
    ana = await api.guest()
    game = await finished(ana)
    log.delete(UUID(game["game_id"]))
    assert (await ana.bid(game["game_id"], 1)).status_code == 404


async def test_a_game_that_ended_elsewhere_and_was_deleted_is_gone(
    api: Api, log: ForgetfulLog, clock: SetClock
) -> None:
    """This process saw neither: it remembers a living game, and asks once it has not heard of it for a day."""
    game_id = UUID((await (await api.guest()).create())["game_id"])
    memory = GameRepository(log, clock, AbandonAfter(), Names(log, MemoryNotifier()))
    assert (await memory.latest(game_id)).version == 1
    clock.time += timedelta(days=1)
    assert (await memory.latest(game_id)).version == 1
    assert log.asked_heads == 1
    clock.time += timedelta(seconds=1)
    assert (await memory.latest(game_id)).version == 1
    log.delete(game_id)
    assert (await memory.latest(game_id)).version == 0
    assert (await memory.cached(game_id)).version == 0
    assert log.asked_heads == 4


async def test_a_game_of_a_shard_that_is_out_is_not_taken_for_deleted(api: Api, log: ForgetfulLog) -> None:
    ana = await api.guest()
    game = await finished(ana)
    log.asked_heads, log.fails_after_heads = 0, True
    assert (await ana.ask("GET", path_of(game))).status_code == 503
    log.fails_after_heads = False
    assert (await ana.ask("GET", path_of(game))).status_code == 200


async def test_games_that_are_over_are_forgotten_earlier(
    api: Api, log: ForgetfulLog, clock: SetClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remembering, "_MAX_ENDED", 2)
    monkeypatch.setattr(remembering, "_MAX_ACTIVE", 3)
    ana = await api.guest()
    living = [UUID((await ana.create())["game_id"]) for _ in range(3)]
    over = [UUID((await finished(ana))["game_id"]) for _ in range(3)]
    memory = GameRepository(log, clock, AbandonAfter(), Names(log, MemoryNotifier()))

    async def reads(game_ids: Sequence[UUID]) -> list[int]:
        found: list[int] = []
        for game_id in game_ids:
            log.whole_reads = 0
            await memory.cached(game_id)
            found.append(log.whole_reads)
        return found

    assert await reads(living + over) == [1] * 6
    assert await reads(living + over[1:]) == [0] * 5
    assert await reads(over[1:2] + over[:1]) == [0, 1]
    assert await reads([over[1], over[2]]) == [0, 1]


async def test_a_game_that_ends_is_no_longer_remembered_among_the_living(
    api: Api, log: ForgetfulLog, clock: SetClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remembering, "_MAX_ACTIVE", 1)
    ana = await api.guest()
    memory = GameRepository(log, clock, AbandonAfter(), Names(log, MemoryNotifier()))
    game, other = await ana.create(), await ana.create()
    assert not (await memory.latest(UUID(game["game_id"]))).is_over
    await ana.ask("DELETE", path_of(game, "/seats/0"))
    assert (await memory.latest(UUID(game["game_id"]))).is_over
    await memory.latest(UUID(other["game_id"]))
    log.whole_reads = 0
    for each in (game, other):
        await memory.cached(UUID(each["game_id"]))
    assert log.whole_reads == 0
