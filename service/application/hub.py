"""Wakes subscribers when a game gets a new commit, from this process or another.

Commits of this process arrive whole. Other processes send hints, which may be late, lost or repeated; every few seconds the hub also
polls the log for the versions of all watched games. A lost hint therefore costs seconds, never a commit.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from types import TracebackType
from typing import Self
from uuid import UUID

from service.application.channel import Channel, Deliver
from service.application.outlasting import outlasting
from service.application.repository import Committed
from service.application.wakeup import wait_for

_MAX_CONCURRENT_READS = 32
_POLL_BATCH_SIZE = 1000
_LOGGER = logging.getLogger(__name__)


class Hub:
    """The watched games. All methods belong to one event loop.

    `read_commits` returns every commit of a game after a version, each with the game after it; `heads` returns the newest versions of
    games. Both may raise `StoreUnavailable`, and are then retried.
    """

    def __init__(
        self,
        read_commits: Callable[[UUID, int], Awaitable[Sequence[Committed]]],
        heads: Callable[[Sequence[UUID]], Awaitable[Mapping[UUID, int]]],
        poll_seconds: float = 2.0,
    ) -> None:
        self._read_commits = read_commits
        self._heads = heads
        self._poll_seconds = poll_seconds
        self._channels: dict[UUID, Channel] = {}
        self._watch_count = 0
        self._read_slots = asyncio.Semaphore(_MAX_CONCURRENT_READS)
        self._gap = asyncio.Event()
        self._listeners: list[Callable[[Committed], None]] = []

    def listen(self, on_commit: Callable[[Committed], None]) -> None:
        """Call `on_commit` with every commit of this process from now on. It must not block."""
        self._listeners.append(on_commit)

    @property
    def watched_games(self) -> int:
        """Number of watched games."""
        return len(self._channels)

    @property
    def watch_count(self) -> int:
        """Number of open watches."""
        return self._watch_count

    def on_commit(self, committed: Committed) -> None:
        """Wake subscribers for a durable commit of this process. Never blocks."""
        channel = self._channels.get(committed.commit.game_id)
        if channel is not None:
            channel.add_commit(committed)
        for listener in self._listeners:
            listener(committed)

    def on_version(self, game_id: UUID, version: int) -> None:
        """Take a hint of another process that a game has reached `version`. Never blocks."""
        channel = self._channels.get(game_id)
        if channel is not None:
            channel.observe_version(version)

    def on_gap(self) -> None:
        """Poll the log at once: hints may have been missed."""
        self._gap.set()

    def watch(self, *game_ids: UUID) -> "Watch":
        """Return a watch of games that observes every later commit. Close it: `with hub.watch(game_id) as watch`."""
        channels = {game_id: self._channel(game_id) for game_id in game_ids}
        for channel in channels.values():
            channel.watches += 1
        self._watch_count += 1
        return Watch(list(channels.values()), partial(self._close, channels))

    async def run(self) -> None:
        """Poll the versions of all watched games every `poll_seconds`, and at once after a gap, until cancelled."""
        while True:
            self._gap.clear()
            await self._poll_versions()
            await wait_for(self._gap, self._poll_seconds)

    def _channel(self, game_id: UUID) -> Channel:
        if game_id not in self._channels:
            self._channels[game_id] = Channel(partial(self._read, game_id))
        return self._channels[game_id]

    def _close(self, channels: Mapping[UUID, Channel]) -> None:
        self._watch_count -= 1
        for game_id, channel in channels.items():
            channel.watches -= 1
            if not channel.watches:
                del self._channels[game_id]

    async def _read(self, game_id: UUID, after: int) -> Sequence[Committed]:
        async with self._read_slots:
            return await self._read_commits(game_id, after)

    async def _poll_versions(self) -> None:
        channels = list(self._channels.items())
        with outlasting(_LOGGER, "failed to poll the versions of watched games"):
            for start in range(0, len(channels), _POLL_BATCH_SIZE):
                await self._poll_batch(channels[start : start + _POLL_BATCH_SIZE])

    async def _poll_batch(self, channels: Sequence[tuple[UUID, Channel]]) -> None:
        known = [channel.version for _, channel in channels]
        heads = await self._heads([game_id for game_id, _ in channels])
        for (game_id, channel), version in zip(channels, known, strict=True):
            channel.reconcile(heads.get(game_id, 0), version)


class Watch:
    """Subscription to games, from its creation to the end of its `with` block. For one caller at a time.

    A caller that opens a watch, then reads the log, then asks the watch for later commits misses none.
    """

    def __init__(self, channels: Sequence[Channel], close: Callable[[], None]) -> None:
        self._channels = channels
        self._close = close
        self._last_versions = self._versions()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        self._close()

    async def commits_after(self, version: int, seconds: float, deliver: Deliver | None = None) -> Sequence[Committed]:
        """Return the commits after `version` of the one watched game, without a gap; waits up to `seconds` for one.

        While it waits, `deliver` may take what comes, so that the caller need not wake; what it took may be returned again.

        Empty when the time is over. When memory does not reach back to `version`, the result is the newest commit alone, and its
        version is not `version + 1`.
        """
        [channel] = self._channels
        if commits := channel.commits_after(version):
            return commits
        await channel.wait_for_commit(version, seconds, deliver)
        return channel.commits_after(version)

    async def wait_for_change(self, seconds: float) -> bool:
        """Tell whether any watched game got a new version since the last call (or the start); waits up to `seconds` for one.

        A version that the hub learns of for the first time counts as new, even if the caller has read it already.
        """
        if self._versions() == self._last_versions:
            await self._wait_for_version(seconds)
        previous, self._last_versions = self._last_versions, self._versions()
        return self._last_versions != previous

    def _versions(self) -> Sequence[int]:
        return [channel.version for channel in self._channels]

    async def _wait_for_version(self, seconds: float) -> None:
        event = asyncio.Event()
        for channel in self._channels:
            channel.subscribe(event)
        try:
            await wait_for(event, seconds)
        finally:
            for channel in self._channels:
                channel.unsubscribe(event)
