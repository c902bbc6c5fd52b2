"""Looks up the newest versions of games, by one statement for all callers that wait."""

import asyncio
from collections.abc import Mapping, Sequence
from uuid import UUID

from service.adapters.postgres import queries
from service.adapters.postgres.schema_mismatch import Asked
from service.application.ports import StoreUnavailable

MAX_RUNNING = 2
"""Statements at a time. More of them would be smaller ones, and each costs the same whatever it asks for."""

_Asked = tuple[Sequence[UUID], asyncio.Future[Mapping[UUID, int]]]
"""The games that a caller asks for, and its answer."""


class HeadReader:
    """Answers callers together, as the writers of commits do.

    A caller joins the next statement that begins after the call, and so learns of every commit that was acknowledged before the call.
    """

    def __init__(self, database: Asked, waiting_bound: int) -> None:
        self._database = database
        self._bound = waiting_bound
        self._waiting: list[_Asked] = []
        self._running: set[asyncio.Task[None]] = set()

    def ask(self, game_ids: Sequence[UUID]) -> asyncio.Future[Mapping[UUID, int]]:
        """Return the newest versions of those of the games that exist, once they are known.

        Raises:
            StoreUnavailable: too many callers wait already.
        """
        if len(self._waiting) >= self._bound:
            raise StoreUnavailable(f"{self._bound} callers are waiting for the versions of games")
        answer: asyncio.Future[Mapping[UUID, int]] = asyncio.get_running_loop().create_future()
        self._waiting.append((game_ids, answer))
        if len(self._running) < MAX_RUNNING:
            running = asyncio.create_task(self._run())
            self._running.add(running)
            running.add_done_callback(self._running.discard)
        return answer

    def waiting(self) -> int:
        """Return the number of callers that wait for a statement to begin."""
        return len(self._waiting)

    async def close(self) -> None:
        """Answer all callers."""
        if self._running:
            await asyncio.wait(self._running)

    async def _run(self) -> None:
        while self._waiting:
            taken, self._waiting = self._waiting, []
            await self._serve(taken)

    async def _serve(self, taken: Sequence[_Asked]) -> None:
        try:
            heads = await queries.heads(
                self._database, list({game_id for game_ids, _ in taken for game_id in game_ids})
            )
        except Exception as error:  # noqa: BLE001 - whatever it is, the callers get it
            for _, answer in taken:
                if not answer.done():
                    answer.set_exception(error)
        else:
            for game_ids, answer in taken:
                if not answer.done():  # the caller may have gone
                    answer.set_result({game_id: heads[game_id] for game_id in game_ids if game_id in heads})
