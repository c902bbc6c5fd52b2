import asyncio
import tracemalloc
from collections.abc import Generator, Mapping, Sequence
from uuid import UUID, uuid4

import pytest

from service.application.channel import TAIL_LENGTH
from service.application.hub import Hub
from service.application.ports import StoreUnavailable
from service.application.repository import Committed
from tests.application.world import FLOOR_SECONDS, Follower, World, done, versions


@pytest.fixture
def world() -> Generator[World]:
    with World(stepped=False) as world:
        yield world


def followers(world: World, count: int = 1) -> list[Follower]:
    come = [Follower(world, world.games[0]) for _ in range(count)]
    world.settle()
    return come


def tell(world: World, *new: Committed) -> None:
    for each in new:
        world.loop.call_soon(world.hub.on_commit, each)
    world.settle()


def hint(world: World, game_id: UUID, version: int) -> None:
    world.loop.call_soon(world.hub.on_version, game_id, version)
    world.settle()


def commit_elsewhere(world: World, count: int = 1) -> None:
    for _ in range(count):
        world.commit(world.games[0])


def test_commits_of_this_process_are_passed_on_without_reading_the_log(world: World) -> None:
    come = followers(world, 3)
    reads = world.reads
    for _ in range(2 * TAIL_LENGTH):
        tell(world, world.commit(world.games[0]))
    assert [follower.got for follower in come] == [list(range(1, 2 * TAIL_LENGTH + 1))] * 3
    assert (world.reads, [follower.jumps for follower in come]) == (reads, [0] * 3)


def test_commits_of_this_process_that_come_in_the_wrong_order_are_put_in_order(world: World) -> None:
    [follower] = followers(world)
    one, two, three, four = [world.commit(world.games[0]) for _ in range(4)]
    tell(world, two, one, four)
    tell(world, three, three)
    assert (follower.got, follower.jumps) == ([1, 2, 3, 4], 0)


def test_two_thousand_watchers_of_a_game_cost_one_read(world: World) -> None:
    come = followers(world, 2000)
    commit_elsewhere(world, 3)
    reads = world.reads
    hint(world, world.games[0], 3)
    assert all(follower.got == [1, 2, 3] for follower in come)
    assert world.reads == reads + 1


async def ask(world: World, version: int) -> list[int]:
    with world.hub.watch(world.games[0]) as watch:
        return versions(await watch.commits_after(version, 15))


def test_who_asks_while_the_log_is_read_waits_for_that_reading() -> None:
    with World() as world, world.hub.watch(world.games[0]):
        commit_elsewhere(world)
        world.loop.call_soon(world.hub.on_version, world.games[0], 1)
        asked = [world.start(ask(world, 0)) for _ in range(200)]
        world.loop.settle()
        world.loop.call_soon(world.hub.on_version, world.games[0], 1)
        world.settle()
        assert [each.result() for each in asked] == [[1]] * 200
        assert world.reads == 1


def test_what_is_heard_of_during_a_reading_is_read_after_it() -> None:
    with World() as world:
        commit_elsewhere(world)
        behind, ahead = world.start(ask(world, 0)), world.start(ask(world, 1))
        world.loop.call_soon(world.hub.on_version, world.games[0], 1)
        world.loop.settle()
        world.go_on()  # the reading sees the log as it is
        world.loop.settle()
        commit_elsewhere(world)
        world.loop.call_soon(world.hub.on_version, world.games[0], 2)
        world.settle()
        assert (behind.result(), ahead.result()) == ([1], [2])


def test_who_is_far_behind_gets_the_newest_commit_only(world: World) -> None:
    come = followers(world, 2)
    commit_elsewhere(world, TAIL_LENGTH + 2)
    hint(world, world.games[0], TAIL_LENGTH + 2)
    assert [follower.jumps for follower in come] == [1, 1]
    asked = [world.start(ask(world, version)) for version in (0, 1, 2, 3, TAIL_LENGTH + 1)]
    world.settle()
    everything = list(range(1, TAIL_LENGTH + 3))
    assert [each.result() for each in asked] == [
        [TAIL_LENGTH + 2],
        [TAIL_LENGTH + 2],
        everything[2:],
        everything[3:],
        [TAIL_LENGTH + 2],
    ]


def test_nothing_comes_when_nothing_happens(world: World) -> None:
    async def ask() -> tuple[Sequence[Committed], bool]:
        with world.hub.watch(world.games[0]) as watch:
            return await watch.commits_after(0, 3), await watch.wait_for_change(4)

    asked = world.start(ask())
    world.settle()
    for seconds in (2.9, 0.2, 3.8):
        world.loop.pass_time(seconds)
        assert not asked.done()
    world.loop.pass_time(0.3)
    assert asked.result() == ((), False)


def test_a_lost_hint_costs_no_more_than_the_floor(world: World) -> None:
    running = world.start(world.hub.run())
    [follower] = followers(world)
    commit_elsewhere(world)
    world.loop.pass_time(FLOOR_SECONDS - 0.1)
    assert follower.got == []
    world.loop.pass_time(0.1)
    assert follower.got == [1]
    assert not running.done()


def test_a_hint_of_what_never_was_hides_nothing_for_longer_than_the_floor(world: World) -> None:
    world.start(world.hub.run())
    changes = list[bool]()

    async def look() -> None:
        with world.hub.watch(world.games[0]) as watch:
            while await watch.wait_for_change(60):
                changes.append(True)

    world.start(look())
    hint(world, world.games[0], 100)
    world.loop.pass_time(FLOOR_SECONDS)
    assert len(changes) == 2
    tell(world, world.commit(world.games[0]))
    assert len(changes) == 3


def test_after_a_gap_the_log_is_asked_at_once(world: World) -> None:
    world.start(world.hub.run())
    [follower] = followers(world)
    commit_elsewhere(world)
    world.loop.call_soon(world.hub.on_gap)
    world.settle()
    assert follower.got == [1]


def test_what_nobody_watches_leaves_nothing_behind(world: World) -> None:
    tell(world, world.commit(world.games[0]))
    hint(world, uuid4(), 3)
    [follower] = followers(world)
    assert (world.hub.watched_games, world.hub.watch_count) == (1, 1)
    follower.task.cancel()
    world.settle()
    assert (world.hub.watched_games, world.hub.watch_count) == (0, 0)


def test_a_watch_of_one_game_named_twice_is_one(world: World) -> None:
    with world.hub.watch(world.games[0], world.games[0], world.games[1]), world.hub.watch(world.games[0]):
        assert (world.hub.watched_games, world.hub.watch_count) == (2, 2)
    assert world.hub.watched_games == 0


def test_each_change_of_any_of_the_games_is_told_once(world: World) -> None:
    first, second = world.games

    async def look() -> list[bool]:
        with world.hub.watch(first, second) as watch:
            world.hub.on_version(second, 4)
            found = [await watch.wait_for_change(0), await watch.wait_for_change(0)]
            world.hub.on_version(second, 4)
            world.hub.on_version(second, 3)
            found.append(await watch.wait_for_change(0))
            world.hub.on_commit(done(first, 1))
            return [*found, await watch.wait_for_change(0), await watch.wait_for_change(0)]

    looked = world.start(look())
    for _ in range(5):
        world.loop.pass_time(0.001)
    assert looked.result() == [True, False, False, True, False]
    assert world.reads == 0


def test_a_version_that_only_a_reading_tells_of_is_a_change_too() -> None:
    with World() as world:
        game_id = world.games[0]
        [follower] = followers(world)
        changes = list[bool]()

        async def look() -> None:
            with world.hub.watch(game_id) as watch:
                while True:
                    changes.append(await watch.wait_for_change(15))

        world.start(look())
        world.commit(game_id)
        world.loop.call_soon(world.hub.on_version, game_id, 1)
        world.loop.settle()
        assert (follower.got, changes) == ([], [True])
        world.commit(game_id)  # while the log is being read, and nobody tells of it
        world.settle()
        assert (follower.got, changes) == ([1, 2], [True, True])


class Log:
    """A log that does what the test says: fails, breaks, or answers; it notes what it is asked."""

    def __init__(self, *errors: Exception) -> None:
        self.errors = list(errors)
        self.asked: list[int] = []
        self.at_once = self.most_at_once = 0

    async def steps(self, game_id: UUID, after: int) -> Sequence[Committed]:
        self.asked.append(after)
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        await asyncio.sleep(0)
        self.at_once -= 1
        if self.errors:
            raise self.errors.pop()
        return [done(game_id, after + 1)]

    async def heads(self, game_ids: Sequence[UUID]) -> Mapping[UUID, int]:
        self.asked.append(len(game_ids))
        if self.errors:
            raise self.errors.pop()
        return dict.fromkeys(game_ids, 1)


@pytest.mark.parametrize("error", [StoreUnavailable("not now"), RuntimeError("a bug")])
async def test_a_reading_that_fails_is_tried_again_at_the_next_word(
    error: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    log, game_id = Log(error), uuid4()
    hub = Hub(log.steps, log.heads)
    with hub.watch(game_id) as watch:
        waiting = asyncio.create_task(watch.commits_after(0, 5))
        await asyncio.sleep(0)
        hub.on_version(game_id, 1)
        await asyncio.sleep(0.01)
        assert (log.asked, waiting.done()) == ([0], False)
        hub.on_version(game_id, 1)
        assert versions(await waiting) == [1]
    assert log.asked == [0, 0]
    assert ("failed to" in caplog.text) == isinstance(error, RuntimeError)


@pytest.mark.parametrize("error", [StoreUnavailable("not now"), RuntimeError("a bug")])
async def test_a_look_that_fails_is_made_again(error: Exception, caplog: pytest.LogCaptureFixture) -> None:
    log = Log(error)
    hub = Hub(log.steps, log.heads, poll_seconds=0.01)
    running = asyncio.create_task(hub.run())
    with hub.watch(uuid4()) as watch:
        assert await watch.wait_for_change(5)
    assert not running.done()
    running.cancel()
    await asyncio.wait([running])
    assert ("failed to" in caplog.text) == isinstance(error, RuntimeError)


async def test_very_many_games_are_asked_for_by_the_thousand() -> None:
    log = Log()
    hub = Hub(log.steps, log.heads)
    with hub.watch(*(uuid4() for _ in range(2500))) as watch:
        running = asyncio.create_task(hub.run())
        assert await watch.wait_for_change(5)
        running.cancel()
        await asyncio.wait([running])
    assert log.asked == [1000, 1000, 500]


async def test_very_many_games_are_read_a_few_at_a_time() -> None:
    log = Log()
    hub = Hub(log.steps, log.heads)

    async def follow(game_id: UUID) -> Sequence[Committed]:
        with hub.watch(game_id) as watch:
            return await watch.commits_after(0, 5)

    games = [uuid4() for _ in range(500)]
    following = [asyncio.create_task(follow(game_id)) for game_id in games]
    await asyncio.sleep(0)
    for game_id in games:
        hub.on_version(game_id, 1)
    assert [versions(each) for each in await asyncio.gather(*following)] == [[1]] * 500
    assert (len(log.asked), log.most_at_once) == (500, 32)


async def test_a_watch_is_small_and_all_of_two_thousand_are_woken() -> None:
    log, game_id, count = Log(), uuid4(), 2000
    hub = Hub(log.steps, log.heads)
    tracemalloc.start()
    watches = [hub.watch(game_id) for _ in range(count)]
    size = tracemalloc.get_traced_memory()[0] / count
    tracemalloc.stop()
    waiting = [asyncio.create_task(watch.commits_after(0, 30)) for watch in watches]
    await asyncio.sleep(0)
    hub.on_commit(done(game_id, 1))
    assert [versions(each) for each in await asyncio.gather(*waiting)] == [[1]] * count
    for watch in watches:
        with watch:
            pass
    assert (hub.watched_games, size < 2000) == (0, True)
