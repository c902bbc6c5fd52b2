"""Who waits for a game is woken by its commits, whichever process makes them.

Commits of this process come with all that happened; of those of other processes come hints, which may be late, lost or doubled; and every
few seconds the log says how far each watched game is. So a lost hint costs seconds, never a commit.
"""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from types import TracebackType
from typing import Self
from uuid import UUID

from service.application.channel import Channel
from service.application.ports import StoreUnavailable
from service.application.repository import Committed
from service.application.wakeup import new_signal, wait_for

_MAX_CONCURRENT_READS = 32
_POLL_BATCH_SIZE = 1000
_LOGGER = logging.getLogger(__name__)


class Hub:
    """The games that are watched now. All methods belong to one event loop.

    `steps` reads every commit of a game after a version, with the game after it; `heads` the newest versions of games. Both may raise
    `StoreUnavailable`, and are asked again.
    """

    def __init__(
        self,
        steps: Callable[[UUID, int], Awaitable[Sequence[Committed]]],
        heads: Callable[[Sequence[UUID]], Awaitable[Mapping[UUID, int]]],
        poll_seconds: float = 2.0,
    ) -> None:
        self._steps = steps
        self._heads = heads
        self._poll_seconds = poll_seconds
        self._channels: dict[UUID, Channel] = {}
        self._watch_count = 0
        self._read_slots = asyncio.Semaphore(_MAX_CONCURRENT_READS)
        self._gap = asyncio.Event()

    @property
    def watched_games(self) -> int:
        """How many games are watched."""
        return len(self._channels)

    @property
    def watch_count(self) -> int:
        """How many watches there are."""
        return self._watch_count

    def on_commit(self, committed: Committed) -> None:
        """Wake who waits for a commit of this process, once it is durable. Never waits."""
        channel = self._channels.get(committed.commit.game_id)
        if channel is not None:
            channel.add_commit(committed)

    def on_version(self, game_id: UUID, version: int) -> None:
        """Take in another process's word that a game has reached a version. Never waits."""
        channel = self._channels.get(game_id)
        if channel is not None:
            channel.observe_version(version)

    def on_gap(self) -> None:
        """Take in that hints may have been missed: `run` asks the log at once."""
        self._gap.set()

    def watch(self, *game_ids: UUID) -> "Watch":
        """Return a watch of games, which sees all that happens from now on. It must be ended: `with hub.watch(game_id) as watch`."""
        channels = {game_id: self._channel(game_id) for game_id in game_ids}
        for channel in channels.values():
            channel.watches += 1
        self._watch_count += 1
        return Watch(list(channels.values()), partial(self._end, channels))

    async def run(self) -> None:
        """Ask the log for the versions of all watched games every `floor_seconds`, and at once after a gap, until cancelled."""
        while True:
            self._gap.clear()
            await self._poll_versions()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._poll_seconds):
                    await self._gap.wait()

    def _channel(self, game_id: UUID) -> Channel:
        if game_id not in self._channels:
            self._channels[game_id] = Channel(partial(self._read, game_id))
        return self._channels[game_id]

    def _end(self, channels: Mapping[UUID, Channel]) -> None:
        self._watch_count -= 1
        for game_id, channel in channels.items():
            channel.watches -= 1
            if not channel.watches:
                del self._channels[game_id]

    async def _read(self, game_id: UUID, after: int) -> Sequence[Committed]:
        async with self._read_slots:
            return await self._steps(game_id, after)

    async def _poll_versions(self) -> None:
        channels = list(self._channels.items())
        try:
            for start in range(0, len(channels), _POLL_BATCH_SIZE):
                await self._poll_batch(channels[start : start + _POLL_BATCH_SIZE])
        except StoreUnavailable:
            pass  # the log's connections have told the operator
        except Exception:
            _LOGGER.exception("the watched games' versions cannot be read")

    async def _poll_batch(self, channels: Sequence[tuple[UUID, Channel]]) -> None:
        heard = [channel.version for _, channel in channels]
        heads = await self._heads([game_id for game_id, _ in channels])
        for (game_id, channel), version in zip(channels, heard, strict=True):
            channel.reconcile(heads.get(game_id, 0), version)


class Watch:
    """Somebody's eye on games, from the moment it was made to the end of its `with`. For one caller at a time.

    Nothing is missed by who first watches, then reads the log, then asks for what came after.
    """

    def __init__(self, channels: Sequence[Channel], end: Callable[[], None]) -> None:
        self._channels = channels
        self._end = end
        self._last_versions = self._versions()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        self._end()

    async def commits_after(self, version: int, seconds: float) -> Sequence[Committed]:
        """Return the commits after `version` of the one game watched, in order without a hole; waits up to `seconds` for one.

        Empty when none came. When memory does not reach back to `version`, only the newest one, whose version is not `version + 1`.
        """
        [channel] = self._channels
        committed = channel.commits_after(version)
        if committed:
            return committed
        await channel.wait_for_commit(version, seconds)
        return channel.commits_after(version)

    async def wait_for_change(self, seconds: float) -> bool:
        """Tell whether any of the games has got a new version since the last call (or the start); waits up to `seconds` for one.

        A version that the hub hears of for the first time counts as new, although the caller may have read it already.
        """
        if self._versions() == self._last_versions:
            await self._wait_for_version(seconds)
        before, self._last_versions = self._last_versions, self._versions()
        return self._last_versions != before

    def _versions(self) -> Sequence[int]:
        return [channel.version for channel in self._channels]

    async def _wait_for_version(self, seconds: float) -> None:
        signal = new_signal()
        for channel in self._channels:
            channel.subscribe(signal)
        try:
            await wait_for(signal, seconds)
        finally:
            for channel in self._channels:
                channel.unsubscribe(signal)
