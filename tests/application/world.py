"""A world in which everything happens when the test says so: the loop's steps, the time, the log's answers."""

import asyncio
from collections.abc import Callable, Coroutine, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Self, TypeVar
from uuid import UUID, uuid4

from domain.pocha.model.state import NotCreated
from service.application.deadlines import Times
from service.application.hub import Hub, Watch
from service.application.ports import Commit, StoreUnavailable
from service.application.repository import Committed, Game

WHEN = datetime(2026, 11, 30, 12, tzinfo=UTC)
FLOOR_SECONDS = 2.0
_T = TypeVar("_T")


def done(game_id: UUID, version: int) -> Committed:
    commit = Commit(game_id, version, uuid4(), b"asked", WHEN, ())
    return Committed(Game(game_id, version, WHEN, NotCreated(), Times(WHEN, WHEN)), commit)


def versions(steps: Sequence[Committed]) -> list[int]:
    return [each.commit.version for each in steps]


class SteppedLoop(asyncio.SelectorEventLoop):
    """A loop that does one round at a time, and whose time passes only when told."""

    def __init__(self) -> None:
        self._now = 0.0
        super().__init__()

    def time(self) -> float:
        return self._now

    def step(self, rounds: int = 1) -> None:
        for _ in range(rounds):
            self.call_soon(self.stop)
            self.run_forever()

    def settle(self) -> None:
        """Do all that can be done now; no chain of wake-ups here is longer."""
        self.step(12)

    def pass_time(self, seconds: float) -> None:
        self._now += seconds
        self.settle()


class World:
    """The logs of two games, a hub over them, and what is under way: reads, hints, and local commits nobody was told of yet.

    With `stepped`, each read stops twice, before and after it sees the log, until the test lets it go on.
    """

    def __init__(self, *, stepped: bool = True) -> None:
        self.loop = SteppedLoop()
        self.games = (uuid4(), uuid4())
        self.logs: dict[UUID, list[Committed]] = {game_id: [] for game_id in self.games}
        self.stops: list[asyncio.Future[None]] = []
        self.untold: list[Committed] = []
        self.hints: list[tuple[UUID, int]] = []
        self.reads = 0
        self.hub = Hub(self.steps, self.heads, FLOOR_SECONDS)
        self._stepped = stepped

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def start(self, work: Coroutine[Any, Any, _T]) -> asyncio.Task[_T]:
        return self.loop.create_task(work)

    def head(self, game_id: UUID) -> int:
        return len(self.logs[game_id])

    def commit(self, game_id: UUID) -> Committed:
        new = done(game_id, self.head(game_id) + 1)
        self.logs[game_id].append(new)
        return new

    def commit_here(self, game_id: UUID) -> None:
        self.untold.append(self.commit(game_id))

    def commit_elsewhere(self, game_id: UUID) -> None:
        self.commit(game_id)
        self.hints.append((game_id, self.head(game_id)))

    async def steps(self, game_id: UUID, after: int) -> Sequence[Committed]:
        self.reads += 1
        return await self._looked_up(lambda: self.logs[game_id][after:])

    async def heads(self, game_ids: Sequence[UUID]) -> Mapping[UUID, int]:
        return await self._looked_up(
            lambda: {game_id: self.head(game_id) for game_id in game_ids if self.logs[game_id]}
        )

    async def stop(self) -> None:
        """Stop until the test goes on with `go_on`."""
        stop = asyncio.get_running_loop().create_future()
        self.stops.append(stop)
        try:
            await stop
        finally:
            if stop in self.stops:
                self.stops.remove(stop)

    def go_on(self, index: int = 0, error: Exception | None = None) -> None:
        stop = self.stops.pop(index)
        if stop.done():
            return
        if error is None:
            stop.set_result(None)
        else:
            stop.set_exception(error)

    def settle(self) -> None:
        """Let everything under way come to its end, without any time passing."""
        self.loop.settle()
        while self.stops:
            self.go_on()
            self.loop.settle()

    def close(self) -> None:
        """End all that still runs."""
        for task in asyncio.all_tasks(self.loop):
            task.cancel()
        self.settle()
        left = asyncio.all_tasks(self.loop)
        self.loop.close()
        assert not left

    async def _looked_up(self, look: Callable[[], _T]) -> _T:
        if not self._stepped:
            return look()
        await self.stop()
        answer = look()
        await self.stop()
        return answer


class Follower:
    """Follows a game as a stream does: watches, reads the log, then takes what comes; where that leaves a hole, reads again."""

    def __init__(self, world: World, game_id: UUID, *, slow: bool = False) -> None:
        self.game_id = game_id
        self.got: list[int] = []
        self.jumps = 0
        self._world = world
        self._slow = slow
        self.task = world.start(self._follow())

    @property
    def last(self) -> int:
        return self.got[-1] if self.got else 0

    async def _follow(self) -> None:
        with self._world.hub.watch(self.game_id) as watch:
            await self._read()
            while True:
                await self._take(await watch.commits_after(self.last, 15))

    async def _take(self, steps: Sequence[Committed]) -> None:
        if steps and steps[0].commit.version != self.last + 1:
            self.jumps += 1
            await self._read()
        else:
            self.got += versions(steps)
        if self._slow:
            await self._write()

    async def _read(self) -> None:
        while True:
            try:
                self.got += versions(await self._world.steps(self.game_id, self.last))
            except StoreUnavailable:
                continue
            else:
                return

    async def _write(self) -> None:
        try:
            await self._world.stop()
        except StoreUnavailable:
            return


class Onlooker:
    """Looks at several games again whenever one has changed."""

    def __init__(self, world: World) -> None:
        self.seen: dict[UUID, int] = {}
        self._world = world
        self.task = world.start(self._look_on())

    async def _look_on(self) -> None:
        with self._world.hub.watch(*self._world.games) as watch:
            while True:
                self.seen = {game_id: self._world.head(game_id) for game_id in self._world.games}
                await self._change(watch)

    async def _change(self, watch: Watch) -> None:
        while not await watch.wait_for_change(15):
            pass
