"""The third party, who brings down what the service runs on, one thing after the other and again."""

import asyncio
import random
import signal
from collections.abc import Collection

from tests.chaos.deployment import Deployment
from tests.chaos.run import Run

_SHORTEST_PEACE_SECONDS = 0.5
_LONGEST_PEACE_SECONDS = 2.5


class Trouble:
    """Makes trouble, of every kind in turn, in an order of its own luck."""

    def __init__(self, run: Run, deployment: Deployment) -> None:
        self._run = run
        self._deployment = deployment
        self._luck = random.Random(f"{run.seed} trouble")

    async def make(self, seconds: float, needed: Collection[str] = ()) -> None:
        """Make trouble for so long, and until all that is `needed` has been counted in the run; all is up again when it returns."""
        kinds = (self._kill, self._kill, self._replace, self._deafen, self._restart_fast, self._restart_at_once)
        end = asyncio.get_running_loop().time() + seconds

        def is_enough() -> bool:
            return asyncio.get_running_loop().time() > end and all(self._run.tally[name] for name in needed)

        while True:
            for kind in self._luck.sample(kinds, len(kinds)):
                await asyncio.sleep(self._luck.uniform(_SHORTEST_PEACE_SECONDS, _LONGEST_PEACE_SECONDS))
                if is_enough():
                    return
                await kind()

    async def _kill(self) -> None:
        await self._deployment.restart_process(self._luck.randrange(2), signal.SIGKILL)
        self._run.tally["process kills"] += 1

    async def _replace(self) -> None:
        await self._deployment.restart_process(self._luck.randrange(2), signal.SIGTERM)
        self._run.tally["process restarts"] += 1

    async def _deafen(self) -> None:
        self._run.tally["listener kills"] += await self._deployment.kill_listeners()

    async def _restart_fast(self) -> None:
        await self._deployment.restart_postgres(signal.SIGINT)
        self._run.tally["fast restarts"] += 1

    async def _restart_at_once(self) -> None:
        await self._deployment.restart_postgres(signal.SIGQUIT)
        self._run.tally["immediate restarts"] += 1
