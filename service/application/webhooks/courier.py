"""The courier: follows the log of all games for all web hooks, in every process.

Commits of this process wake it at once. Every few seconds it sweeps the log for what any hook lacks, whichever process committed it, and
whatever became of that process. So a lost wake-up costs seconds, never an event. A position is taken by one process at a time.
"""

import asyncio
import logging
import math
from collections.abc import Mapping, Sequence
from datetime import timedelta
from uuid import UUID, uuid4

from cachetools import LRUCache

from domain.pocha.model.state import table_of
from service.application.outlasting import outlasting
from service.application.ports import Clock, Follower, HookPositions, StoreUnavailable, Webhook, Webhooks
from service.application.repository import Committed, Game, GameRepository
from service.application.wakeup import wait_for
from service.application.webhooks.deliverer import Deliverer
from service.application.webhooks.follower import LEASE, HookRun
from service.observability.metrics import Metrics

POLL_SECONDS = 1.0
"""How often the courier looks for what is due."""
SWEEP_SECONDS = 5.0
KEPT_FOR = timedelta(days=30)
"""How long failed deliveries are listed."""
_SETTLE_AFTER = timedelta(minutes=1)
"""How long after its end a game is settled: by then every process knows a hook that was created before."""
_BATCH_SIZE = 1000
_MAX_WAITING = 10_000
_AT_ONCE = 8
"""How many requests a process sends to one hook at the same time."""
_MAX_FOLLOWED = 10_000
_LOGGER = logging.getLogger(__name__)


class _Lane:
    """The games of one hook: those that wait, and those that are being followed now."""

    def __init__(self) -> None:
        self.waiting: dict[UUID, None] = {}
        self.active: set[UUID] = set()

    def add(self, game_id: UUID) -> None:
        """Let a game wait; beyond the bound it is left to a later sweep."""
        if len(self.waiting) < _MAX_WAITING:
            self.waiting[game_id] = None

    def next(self) -> UUID | None:
        """Return the next game to follow, which is active from now on; None if none may be."""
        if len(self.active) >= _AT_ONCE:
            return None
        found = next((game_id for game_id in self.waiting if game_id not in self.active), None)
        if found is not None:
            del self.waiting[found]
            self.active.add(found)
        return found


class Courier:
    """Delivers to the web hooks of one store."""

    def __init__(
        self,
        *,
        webhooks: Webhooks,
        positions: HookPositions,
        repository: GameRepository,
        deliverer: Deliverer,
        clock: Clock,
        metrics: Metrics,
        poll_seconds: float = POLL_SECONDS,
        sweep_seconds: float = SWEEP_SECONDS,
    ) -> None:
        self._webhooks = webhooks
        self._positions = positions
        self._repository = repository
        self._deliverer = deliverer
        self._clock = clock
        self._metrics = metrics
        self._poll_seconds = poll_seconds
        self._sweep_seconds = sweep_seconds
        self._hooks: Mapping[UUID, Webhook] = {}
        self._by_tenant: Mapping[str, Sequence[Webhook]] = {}
        self._lanes: dict[UUID, _Lane] = {}
        self._games: LRUCache[tuple[UUID, UUID], Game] = LRUCache(_MAX_FOLLOWED)
        self._tasks: set[asyncio.Task[None]] = set()
        self._idle = asyncio.Event()
        self._is_open = False

    def on_commit(self, committed: Committed) -> None:
        """Wake the hooks of a commit's tenant. Never blocks."""
        if self._by_tenant:
            for hook in self._by_tenant.get(table_of(committed.game.state).tenant, ()):
                self.wake(committed.game.game_id, hook.webhook_id)

    async def refresh(self) -> None:
        """Read the hooks again."""
        hooks = await self._webhooks.every()
        by_tenant: dict[str, list[Webhook]] = {}
        for hook in hooks:
            by_tenant.setdefault(hook.tenant, []).append(hook)
        self._hooks, self._by_tenant = {hook.webhook_id: hook for hook in hooks}, by_tenant
        self._lanes = {webhook_id: lane for webhook_id, lane in self._lanes.items() if webhook_id in self._hooks}

    async def run(self) -> None:
        """Deliver until cancelled."""
        swept_at = -math.inf
        loop = asyncio.get_running_loop()
        self._open()
        try:
            while True:
                is_time = loop.time() - swept_at >= self._sweep_seconds
                swept_at = loop.time() if is_time else swept_at
                with outlasting(_LOGGER, "failed to look for what web hooks lack"):
                    await self._look(sweeps=is_time)
                await asyncio.sleep(self._poll_seconds)
        finally:
            await self._close()

    async def run_once(self) -> None:
        """Sweep the log, and return when all that is due now was attempted."""
        self._open()
        try:
            await self._look(sweeps=True)
            while self._tasks:
                self._idle.clear()
                await wait_for(self._idle, self._poll_seconds)
        finally:
            await self._close()

    async def _look(self, *, sweeps: bool) -> None:
        if sweeps:
            await self.refresh()
        if self._hooks:
            await self._wake_due()
        if sweeps:
            await self._sweep()

    async def _wake_due(self) -> None:
        unknown: set[UUID] = set()
        for game_id, webhook_id in await self._positions.hooks_due(self._clock.now(), _BATCH_SIZE):
            if webhook_id in self._hooks:
                self.wake(game_id, webhook_id)
            else:
                unknown.add(webhook_id)
        for webhook_id in unknown:  # new, or deleted while its position was moved
            if await self._webhooks.read(webhook_id) is None:
                await self._positions.forget_hook(webhook_id)

    async def _sweep(self) -> None:
        now = self._clock.now()
        followers = [Follower(hook.webhook_id, hook.tenant, hook.created_at) for hook in self._hooks.values()]
        behind = await self._positions.hooks_behind(followers, now, _BATCH_SIZE) if followers else ()
        for row in behind:
            if row.is_free:
                self.wake(row.game_id, row.webhook_id)
        oldest = min((row.lacks_since for row in behind), default=now)
        self._metrics.webhooks_behind.set(len(behind))
        self._metrics.webhook_oldest.set(max(0.0, (now - oldest).total_seconds()))
        await self._positions.settle_hooks(followers, now - _SETTLE_AFTER, _BATCH_SIZE)
        await self._webhooks.delete_old_deliveries(now - KEPT_FOR)

    def wake(self, game_id: UUID, webhook_id: UUID) -> None:
        """Let a hook look at a game soon. Never blocks."""
        if webhook_id in self._hooks:
            self._lanes.setdefault(webhook_id, _Lane()).add(game_id)
            self._start(webhook_id)

    def _start(self, webhook_id: UUID) -> None:
        """Follow what waits in a lane, as far as it has room."""
        lane = self._lanes.get(webhook_id)
        while self._is_open and lane is not None and (game_id := lane.next()) is not None:
            task = asyncio.create_task(self._serve(webhook_id, game_id, lane))
            self._tasks.add(task)
            task.add_done_callback(self._on_done)

    def _on_done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not self._tasks:
            self._idle.set()

    async def _serve(self, webhook_id: UUID, game_id: UUID, lane: _Lane) -> None:
        try:
            await self._follow(webhook_id, game_id)
        except StoreUnavailable:
            pass  # the position is free again when its time is over
        except Exception:
            _LOGGER.exception("failed to follow a game", extra={"game_id": game_id, "webhook_id": webhook_id})
        finally:
            lane.active.discard(game_id)
            self._start(webhook_id)

    async def _follow(self, webhook_id: UUID, game_id: UUID) -> None:
        hook, now = self._hooks.get(webhook_id), self._clock.now()
        if hook is None:
            return
        position = await self._positions.take_hook(game_id, webhook_id, uuid4(), now, now + LEASE)
        game = None if position is None else await self._game_at(webhook_id, game_id, position.version)
        if position is None or game is None:
            return
        run = HookRun(
            hook,
            position,
            positions=self._positions,
            webhooks=self._webhooks,
            repository=self._repository,
            deliverer=self._deliverer,
            clock=self._clock,
            metrics=self._metrics,
        )
        newest = await run.follow(game, lambda later: self._keep(webhook_id, later))
        # What was committed meanwhile by others, who could not take the position, waits for nobody else.
        if newest is not None and await self._repository.commits_after(newest, 1):
            self.wake(game_id, webhook_id)

    async def _game_at(self, webhook_id: UUID, game_id: UUID, version: int) -> Game | None:
        kept = self._games.get((webhook_id, game_id))
        if kept is not None and kept.version == version:
            return kept
        return await self._repository.at_version(game_id, version)

    def _keep(self, webhook_id: UUID, game: Game) -> None:
        self._games[webhook_id, game.game_id] = game

    def _open(self) -> None:
        self._is_open = True
        for webhook_id in list(self._lanes):
            self._start(webhook_id)

    async def _close(self) -> None:
        self._is_open = False
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
